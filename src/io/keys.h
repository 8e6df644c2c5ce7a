/* keys.h: the keys of a scene file as tables. One row says name, type, unit, default, range and
   meaning of a key; reading, writing out defaults and help all use the same row. */
#ifndef ABUT_IO_KEYS_H
#define ABUT_IO_KEYS_H

#include "io/json.h"
#include "kernel/vec.h"

typedef enum abut_key_type {
  ABUT_KEY_NUMBER,  /* double */
  ABUT_KEY_AUTO,    /* double, or "auto": 0 */
  ABUT_KEY_INTEGER, /* int64_t */
  ABUT_KEY_SWITCH,  /* bool */
  ABUT_KEY_TEXT,    /* char *, in new memory */
  ABUT_KEY_VECTOR,  /* vec3 */
  ABUT_KEY_OTHER    /* read by a function of its own */
} abut_key_type;

typedef enum abut_key_range {
  ABUT_ANY,
  ABUT_POSITIVE,
  ABUT_NOT_NEGATIVE,
  ABUT_AT_LEAST_ONE,
  ABUT_UNIT_INTERVAL, /* 0 .. 1 */
  ABUT_FRACTION       /* the same without its ends */
} abut_key_range;

typedef struct abut_key {
  const char *name;
  abut_key_type type;
  abut_key_range range;
  size_t offset;        /* of the value in the struct that is read into */
  const char *standard; /* default as JSON; NULL: the key may be absent; "!": it must be there */
  const char *unit;     /* "" without one */
  const char *text;     /* what it means */
} abut_key;

/* where in the scene file we are: paths in messages are those of the file */
typedef struct abut_reader {
  abut_context *ctx;
  const char *file; /* NULL: not from a file */
  const char *text; /* comments blanked; NULL: no lines */
  abut_text path;   /* of the value being read */
} abut_reader;

/* ABUT_BAD_FORMAT (or another code) at the reader's path, with file, line and key filled in */
abut_status abut_reader_fail(abut_reader *r, abut_status code, const char *format, ...)
    ABUT_PRINTF(3, 4);

/* fills file, line and key into an error that was made elsewhere */
void abut_reader_place(abut_reader *r);

/* deeper and back: path grows by .name or [index]; leave returns to a length noted before */
abut_status abut_reader_enter(abut_reader *r, const char *name);
abut_status abut_reader_enter_index(abut_reader *r, int64_t index);
void abut_reader_leave(abut_reader *r, int64_t length);

/* Reads the rows of a table from an object into out. Refuses unknown keys with the nearest known
   one, wrong types and values out of range; fills defaults into the object, so that it becomes the
   scene as run. Rows of type ABUT_KEY_OTHER only count as known (and get their default). */
abut_status abut_keys_read(abut_reader *r, json_t *object, const abut_key *key, int keys,
                           void *out);

/* single values at the reader's path */
abut_status abut_read_number(abut_reader *r, const json_t *value, abut_key_range range,
                             double *out);
abut_status abut_read_integer(abut_reader *r, const json_t *value, int64_t low, int64_t high,
                              int64_t *out);
abut_status abut_read_vector(abut_reader *r, const json_t *value, vec3 *out);
abut_status abut_read_text(abut_reader *r, const json_t *value, char **out);
/* one of the names; index into them. names is an array of `count` C strings */
abut_status abut_read_choice(abut_reader *r, const json_t *value, const char *const *names,
                             int count, int *out);

#define ABUT_KEYS(table) (table), (int)(sizeof(table) / sizeof *(table))

#endif
