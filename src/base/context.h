/* context.h: what every function below the interface may need: memory, threads, the log, and the
   place where an error explains itself. One context belongs to one scene; contexts share nothing.
 */
#ifndef ABUT_BASE_CONTEXT_H
#define ABUT_BASE_CONTEXT_H

#include "base/status.h"

/* an error in the words of the user's file; absent parts are NULL, 0 or has_position false */
typedef struct abut_error_place {
  char *file;    /* path of the scene or mesh file */
  int line;      /* 1-based line in it */
  char *key;     /* path of a scene key: objects[2].material */
  char *object;  /* name of the object */
  char *element; /* "face 3" */
  bool has_position;
  double position[3]; /* m */
  char *message;      /* what is wrong and what to do */
} abut_error_place;

typedef struct abut_scratch_block abut_scratch_block;

typedef struct abut_context {
  abut_allocator allocator;
  int64_t allocations; /* calls of the allocator so far */
  int64_t live;        /* blocks now held */
  size_t bytes;        /* bytes now held */
  int threads;         /* at least 1 */
  abut_log_fn *log;    /* may be NULL */
  void *log_ctx;
  bool (*cancelled)(void *cancel_ctx); /* asked between Newton iterations; may be NULL */
  void *cancel_ctx;
  abut_status error_code;
  abut_error_place error;
  abut_scratch_block *scratch_first, *scratch_now; /* see scratch.h */
} abut_context;

/* allocator NULL: malloc; threads 0: one per processor */
void abut_context_init(abut_context *ctx, const abut_allocator *allocator, int threads);
void abut_context_free(abut_context *ctx);

/* Records the message of an error and returns its code. A context keeps the first error until
   abut_error_clear: later ones while climbing do not overwrite it. */
abut_status abut_fail(abut_context *ctx, abut_status code, const char *format, ...)
    ABUT_PRINTF(3, 4);
void abut_error_clear(abut_context *ctx);
/* takes the error out of the context, which forgets it; freed with abut_error_place_free */
abut_error_place abut_error_take(abut_context *ctx);
void abut_error_place_free(abut_context *ctx, abut_error_place *place);

/* Where it happened; each may be called once after abut_fail, before returning its code. Parts
   that are known already stay. */
void abut_error_at_line(abut_context *ctx, const char *file, int line);
void abut_error_at_key(abut_context *ctx, const char *file, const char *key);
/* the key alone, its path put together as by printf */
void abut_error_at_path(abut_context *ctx, const char *format, ...) ABUT_PRINTF(2, 3);
void abut_error_at_object(abut_context *ctx, const char *object);
void abut_error_at_element(abut_context *ctx, const char *kind, int64_t index,
                           const double *position);

/* one sentence for a status: what it means when nothing more is known */
const char *abut_status_sentence(abut_status code);

void abut_note(const abut_context *ctx, const char *format, ...) ABUT_PRINTF(2, 3);
void abut_warn(const abut_context *ctx, const char *format, ...) ABUT_PRINTF(2, 3);

#endif
