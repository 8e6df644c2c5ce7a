#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/memory.h"
#include "base/scratch.h"

static void *default_alloc(void *ctx, size_t size)
{
  (void)ctx;
  return malloc(size);
}

static void default_free(void *ctx, void *block, size_t size)
{
  (void)ctx;
  (void)size;
  free(block);
}

static int processors(void)
{
#ifdef _OPENMP
  return omp_get_num_procs();
#else
  return 1;
#endif
}

void abut_context_init(abut_context *ctx, const abut_allocator *allocator, int threads)
{
  *ctx = (abut_context){.threads = threads > 0 ? threads : processors()};
  if (allocator && allocator->alloc)
    ctx->allocator = *allocator;
  else
    ctx->allocator = (abut_allocator){default_alloc, default_free, NULL};
}

void abut_context_free(abut_context *ctx)
{
  abut_error_clear(ctx);
  abut_scratch_free(ctx);
}

void abut_error_place_free(abut_context *ctx, abut_error_place *place)
{
  abut_free(ctx, place->file);
  abut_free(ctx, place->key);
  abut_free(ctx, place->object);
  abut_free(ctx, place->element);
  abut_free(ctx, place->message);
  *place = (abut_error_place){0};
}

void abut_error_clear(abut_context *ctx)
{
  abut_error_place_free(ctx, &ctx->error);
  ctx->error_code = ABUT_OK;
}

abut_error_place abut_error_take(abut_context *ctx)
{
  abut_error_place place = ctx->error;
  ctx->error = (abut_error_place){0};
  ctx->error_code = ABUT_OK;
  return place;
}

/* A formatted copy on the heap, or NULL: an error that cannot be worded is still an error. */
static char *format_text(abut_context *ctx, const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *text = length < 0 ? NULL : abut_alloc_quietly(ctx, (int64_t)length + 1, 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

static char *formatted(abut_context *ctx, const char *format, ...) ABUT_PRINTF(2, 3);
static char *formatted(abut_context *ctx, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = format_text(ctx, format, args);
  va_end(args);
  return text;
}

abut_status abut_fail(abut_context *ctx, abut_status code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  /* chunks of a parallel loop may run out of memory together */
#pragma omp critical(abut_error)
  if (ctx->error_code == ABUT_OK) {
    ctx->error.message = format_text(ctx, format, args);
    ctx->error_code = code;
  }
  va_end(args);
  return code;
}

void abut_error_at_line(abut_context *ctx, const char *file, int line)
{
  if (!ctx->error.file) ctx->error.file = formatted(ctx, "%s", file);
  if (!ctx->error.line) ctx->error.line = line;
}

void abut_error_at_key(abut_context *ctx, const char *file, const char *key)
{
  if (file && !ctx->error.file) ctx->error.file = formatted(ctx, "%s", file);
  if (key && !ctx->error.key) ctx->error.key = formatted(ctx, "%s", key);
}

void abut_error_at_path(abut_context *ctx, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (!ctx->error.key) ctx->error.key = format_text(ctx, format, args);
  va_end(args);
}

void abut_error_at_object(abut_context *ctx, const char *object)
{
  if (!ctx->error.object) ctx->error.object = formatted(ctx, "%s", object);
}

void abut_error_at_element(abut_context *ctx, const char *kind, int64_t index,
                           const double *position)
{
  if (ctx->error.element) return;
  ctx->error.element = formatted(ctx, "%s %lld", kind, (long long)index);
  ctx->error.has_position = position != NULL;
  for (int i = 0; i < 3 && position; i++) ctx->error.position[i] = position[i];
}

const char *abut_status_sentence(abut_status code)
{
  switch (code) {
  case ABUT_OK: return "done";
  case ABUT_BAD_ARGUMENT: return "the call does not make sense";
  case ABUT_BAD_FORMAT: return "the file's content is invalid";
  case ABUT_UNSUPPORTED: return "this version does not have that feature";
  case ABUT_BAD_GEOMETRY: return "the geometry is degenerate, touching or crossing";
  case ABUT_STOPPED: return "the solver stopped";
  case ABUT_IO: return "a file cannot be opened, read or written";
  case ABUT_BUSY: return "the run folder is in use by another run";
  case ABUT_NO_MEMORY: return "out of memory";
  case ABUT_CANCELLED: return "interrupted";
  case ABUT_STATUS_COUNT: break;
  }
  return "unknown status";
}

static void emit(const abut_context *ctx, int level, const char *format, va_list args)
{
  if (!ctx->log) return;
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  ctx->log(ctx->log_ctx, level, text ? text : format);
  free(text);
}

void abut_note(const abut_context *ctx, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  emit(ctx, 0, format, args);
  va_end(args);
}

void abut_warn(const abut_context *ctx, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  emit(ctx, 1, format, args);
  va_end(args);
}
