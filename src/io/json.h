/* json.h: JSON with comments, and where in the file a key stands. */
#ifndef ABUT_IO_JSON_H
#define ABUT_IO_JSON_H

#include <jansson.h>

#include "base/context.h"
#include "base/text.h"

/* Parses text, in which comments have been blanked in place so that lines and columns stay right.
   Faults name file and line. The result is owned by the caller (json_decref). */
abut_status abut_json_parse(abut_context *ctx, const char *file, char *text, int64_t size,
                            json_t **out);

/* 1-based line of the value (or key) at a path like objects[2].material in blanked text; of the
   innermost part of the path that is there when the rest is missing */
int abut_json_line(const char *text, const char *path);

/* how many characters of a path lead to a value that is there */
size_t abut_json_reach(const json_t *root, const char *path);
/* The value at a path of an object tree, created on the way when missing; keys of objects by name,
   elements of arrays by number (they must exist). value is stolen. */
abut_status abut_json_set(abut_context *ctx, json_t *root, const char *path, json_t *value);

/* indented text ending in a newline */
abut_status abut_json_print(abut_context *ctx, const json_t *value, abut_text *out);

/* s as a JSON value; ABUT_UNSUPPORTED when it is not UTF-8 */
abut_status abut_json_text(abut_context *ctx, const char *s, json_t **out);
/* s as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD */
abut_status abut_json_quote(abut_context *ctx, const char *s, abut_text *out);

/* a value that Jansson could not make for want of memory */
#define ABUT_JSON_MAKE(ctx, variable, call)                                                        \
  do {                                                                                             \
    (variable) = (call);                                                                           \
    if (!(variable)) return abut_fail((ctx), ABUT_NO_MEMORY, "out of memory");                     \
  } while (0)

#endif
