/* common.c: options, errors and JSON for all commands. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

int cli_misuse(const char *command, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(stderr, "abut: ");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\nusage: %s\n", cli_usage(command));
  va_end(args);
  return 2;
}

const char *cli_option(int count, char **arg, int *i, const char *name, bool *missing)
{
  size_t n = strlen(name);
  *missing = false;
  if (strncmp(arg[*i], name, n) != 0) return NULL;
  if (arg[*i][n] == '=') return arg[(*i)++] + n + 1;
  if (arg[*i][n] != '\0') return NULL;
  if (*i + 1 >= count) {
    *missing = true;
    return NULL;
  }
  *i += 2;
  return arg[*i - 1];
}

bool cli_number(const char *text, double *value)
{
  char *end;
  *value = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*value);
}

bool cli_integer(const char *text, long long *value)
{
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return end != text && *end == '\0' && errno == 0;
}

static void log_all(void *ctx, int level, const char *text)
{
  (void)ctx;
  fprintf(stderr, "abut: %s%s\n", level > 0 ? "warning: " : "note: ", text);
}

static void log_warnings(void *ctx, int level, const char *text)
{
  if (level > 0) log_all(ctx, level, text);
}

abut_settings cli_settings(bool quiet, int threads)
{
  abut_settings s = abut_settings_default();
  s.threads = threads;
  s.log = quiet ? log_warnings : log_all;
  return s;
}

/* ---- JSON ---- */

/* bytes of the UTF-8 character that text begins with; 0 when it is none */
static int utf8_length(const unsigned char *p)
{
  int length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
  if (p[0] > 0xf4) return 0;
  for (int k = 1; k < length; k++)
    if ((p[k] & 0xc0) != 0x80) return 0;
  bool bad = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
             (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
  return bad ? 0 : length;
}

/* paths may hold any bytes; those that are not UTF-8 become U+FFFD */
void cli_json_string(FILE *out, const char *text)
{
  if (!text) {
    fprintf(out, "null");
    return;
  }
  fputc('"', out);
  while (*text) {
    unsigned char c = (unsigned char)*text;
    int length = utf8_length((const unsigned char *)text);
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else if (length == 0)
      fprintf(out, "\\ufffd");
    else
      fprintf(out, "%.*s", length, text);
    text += length ? length : 1;
  }
  fputc('"', out);
}

void cli_json_number(FILE *out, double value)
{
  if (isfinite(value))
    fprintf(out, "%.17g", value);
  else
    fprintf(out, "null");
}

static void json_position(FILE *out, const double p[3])
{
  if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
    fprintf(out, "null");
    return;
  }
  fprintf(out, "[%.17g, %.17g, %.17g]", p[0], p[1], p[2]);
}

static void json_finding(FILE *out, const abut_finding *f, bool frames)
{
  fprintf(out, "{\"level\": \"%s\", \"kind\": \"%s\"", f->error ? "error" : "warning", f->kind);
  if (frames) fprintf(out, ", \"frame\": %lld", (long long)f->frame);
  fprintf(out, ", \"objects\": [");
  for (int k = 0; k < 2 && f->object[k]; k++) {
    if (k > 0) fprintf(out, ", ");
    cli_json_string(out, f->object[k]);
  }
  fprintf(out, "], \"elements\": [");
  for (int k = 0; k < 2 && f->element[k]; k++)
    fprintf(out, "%s[\"%s\", %d]", k > 0 ? ", " : "", f->element[k], f->index[k]);
  fprintf(out, "], \"position\": ");
  json_position(out, f->position);
  fprintf(out, ", \"distance\": ");
  cli_json_number(out, f->distance);
  fprintf(out, ", \"message\": ");
  cli_json_string(out, f->message);
  fprintf(out, "}");
}

static void json_error(FILE *out, const abut_error *e)
{
  fprintf(out, "\"error\": {\"code\": %d, \"file\": ", abut_exit_code(e->code));
  cli_json_string(out, e->file);
  fprintf(out, ", \"line\": ");
  if (e->line > 0)
    fprintf(out, "%d", e->line);
  else
    fprintf(out, "null");
  fprintf(out, ", \"key\": ");
  cli_json_string(out, e->key);
  fprintf(out, ", \"object\": ");
  cli_json_string(out, e->object);
  fprintf(out, ", \"element\": ");
  cli_json_string(out, e->element);
  fprintf(out, ", \"position\": ");
  if (e->has_position)
    json_position(out, e->position);
  else
    fprintf(out, "null");
  fprintf(out, ", \"message\": ");
  cli_json_string(out, e->message);
  fprintf(out, "}");
}

void cli_json_findings(FILE *out, const char *file, const abut_finding *list, int64_t count,
                       bool frames, const abut_error *error)
{
  long long errors = 0;
  for (int64_t i = 0; i < count; i++) errors += list[i].error;
  fprintf(out, "{\"file\": ");
  cli_json_string(out, file);
  fprintf(out, ", \"errors\": %lld, \"warnings\": %lld, \"findings\": [", errors,
          (long long)count - errors);
  for (int64_t i = 0; i < count; i++) {
    fprintf(out, "%s\n  ", i > 0 ? "," : "");
    json_finding(out, &list[i], frames);
  }
  fprintf(out, "]");
  if (error) fprintf(out, ",\n  ");
  if (error) json_error(out, error);
  fprintf(out, "}\n");
}

/* ---- errors ---- */

/* abut: FILE:LINE: .. for mesh files and syntax, abut: FILE: KEY.PATH: .. for keys, with the line
 */
static void print_error(const abut_error *e)
{
  fprintf(stderr, "abut: ");
  if (e->file) {
    fprintf(stderr, "%s", e->file);
    if (e->line > 0) fprintf(stderr, ":%d", e->line);
    fprintf(stderr, ": ");
  }
  if (e->key && e->key[0]) fprintf(stderr, "%s: ", e->key);
  if (e->object) fprintf(stderr, "%s: ", e->object);
  if (e->element) fprintf(stderr, "%s: ", e->element);
  fprintf(stderr, "%s", e->message);
  if (e->has_position)
    fprintf(stderr, " [at %.9g %.9g %.9g]", e->position[0], e->position[1], e->position[2]);
  fprintf(stderr, "\n");
}

int cli_fail(const abut_scene *s, abut_status status, bool json)
{
  abut_error e = abut_last_error(s);
  e.code = status;
  if (json) {
    printf("{");
    json_error(stdout, &e);
    printf("}\n");
  } else {
    print_error(&e);
  }
  return abut_exit_code(status);
}
