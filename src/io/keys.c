#include "io/keys.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void abut_reader_place(abut_reader *r)
{
  const char *path = r->path.length ? r->path.data : "";
  int line = r->text && path[0] ? abut_json_line(r->text, path) : 0;
  if (path[0]) abut_error_at_key(r->ctx, NULL, path);
  if (r->file) abut_error_at_line(r->ctx, r->file, line);
}

abut_status abut_reader_fail(abut_reader *r, abut_status code, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = length < 0 ? NULL : abut_alloc_quietly(r->ctx, (int64_t)length + 1, 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  abut_status status = abut_fail(r->ctx, code, "%s", text ? text : abut_status_sentence(code));
  abut_free(r->ctx, text);
  abut_reader_place(r);
  return status;
}

abut_status abut_reader_enter(abut_reader *r, const char *name)
{
  return abut_text_add(r->ctx, &r->path, "%s%s", r->path.length ? "." : "", name);
}

abut_status abut_reader_enter_index(abut_reader *r, int64_t index)
{
  return abut_text_add(r->ctx, &r->path, "[%lld]", (long long)index);
}

void abut_reader_leave(abut_reader *r, int64_t length)
{
  r->path.length = length;
  if (r->path.data) r->path.data[length] = '\0';
}

/* ---- values ---- */

static const char *type_name(const json_t *value)
{
  switch (json_typeof(value)) {
  case JSON_OBJECT: return "an object";
  case JSON_ARRAY: return "a list";
  case JSON_STRING: return "text";
  case JSON_INTEGER:
  case JSON_REAL: return "a number";
  case JSON_TRUE:
  case JSON_FALSE: return "true or false";
  case JSON_NULL: break;
  }
  return "null";
}

/* text that people mean as a number: "0.2" in quotes, or --set time.end=.2, which is no JSON */
static bool meant_as_number(const json_t *value, double *number)
{
  const char *text = json_string_value(value), *end = text ? text + strlen(text) : NULL;
  if (text && *text == '+') text++;
  return text && abut_parse_double(text, end, number) == end && isfinite(*number);
}

static abut_status wrong_type(abut_reader *r, const json_t *value, const char *wanted)
{
  double number;
  bool single = strncmp(wanted, "a number", 8) == 0 || strcmp(wanted, "a whole number") == 0;
  if (single && meant_as_number(value, &number))
    return abut_reader_fail(r, ABUT_BAD_FORMAT,
                            "this is text; it must be %s; JSON writes this number as %.15g", wanted,
                            number);
  return abut_reader_fail(r, ABUT_BAD_FORMAT, "this is %s; it must be %s", type_name(value),
                          wanted);
}

static bool in_range(double value, abut_key_range range)
{
  switch (range) {
  case ABUT_ANY: return true;
  case ABUT_POSITIVE: return value > 0;
  case ABUT_NOT_NEGATIVE: return value >= 0;
  case ABUT_AT_LEAST_ONE: return value >= 1;
  case ABUT_UNIT_INTERVAL: return value >= 0 && value <= 1;
  case ABUT_FRACTION: return value > 0 && value < 1;
  }
  return false;
}

static const char *range_text(abut_key_range range)
{
  static const char *const text[] = {"finite",          "positive",
                                     "zero or more",    "one or more",
                                     "between 0 and 1", "between 0 and 1, both excluded"};
  return text[range];
}

abut_status abut_read_number(abut_reader *r, const json_t *value, abut_key_range range, double *out)
{
  if (!json_is_number(value)) return wrong_type(r, value, "a number");
  *out = json_number_value(value);
  if (isfinite(*out) && in_range(*out, range)) return ABUT_OK;
  return abut_reader_fail(r, ABUT_BAD_FORMAT, "%g is out of range; it must be %s", *out,
                          range_text(range));
}

abut_status abut_read_integer(abut_reader *r, const json_t *value, int64_t low, int64_t high,
                              int64_t *out)
{
  if (!json_is_number(value)) return wrong_type(r, value, "a whole number");
  double number = json_number_value(value);
  if (number != floor(number) || !(fabs(number) < 9e15))
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "%g is not a whole number", number);
  *out = (int64_t)number;
  if (*out >= low && *out <= high) return ABUT_OK;
  return abut_reader_fail(r, ABUT_BAD_FORMAT, "%lld is out of range; it must be from %lld to %lld",
                          (long long)*out, (long long)low, (long long)high);
}

abut_status abut_read_vector(abut_reader *r, const json_t *value, vec3 *out)
{
  if (!json_is_array(value) || json_array_size(value) != 3)
    return wrong_type(r, value, "a list of three numbers");
  double c[3];
  for (size_t k = 0; k < 3; k++) {
    int64_t length = r->path.length;
    ABUT_TRY(abut_reader_enter_index(r, (int64_t)k));
    ABUT_TRY(abut_read_number(r, json_array_get(value, k), ABUT_ANY, &c[k]));
    abut_reader_leave(r, length);
  }
  *out = v3(c[0], c[1], c[2]);
  return ABUT_OK;
}

abut_status abut_read_text(abut_reader *r, const json_t *value, char **out)
{
  if (!json_is_string(value)) return wrong_type(r, value, "text");
  if (strlen(json_string_value(value)) != json_string_length(value))
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "the text holds a zero character");
  abut_free(r->ctx, *out);
  *out = abut_copy_text(r->ctx, json_string_value(value));
  return *out ? ABUT_OK : ABUT_NO_MEMORY;
}

abut_status abut_read_choice(abut_reader *r, const json_t *value, const char *const *names,
                             int count, int *out)
{
  if (!json_is_string(value)) return wrong_type(r, value, "one of a few words");
  const char *word = json_string_value(value);
  for (*out = 0; *out < count; (*out)++)
    if (strcmp(names[*out], word) == 0) return ABUT_OK;
  const char *near = abut_nearest_name(word, names, count, sizeof *names);
  return abut_reader_fail(r, ABUT_BAD_FORMAT, "\"%s\" is not known here (nearest: %s)", word,
                          near ? near : names[0]);
}

/* ---- tables ---- */

static abut_status read_auto(abut_reader *r, const json_t *value, abut_key_range range, double *out)
{
  *out = 0;
  if (json_is_string(value) && strcmp(json_string_value(value), "auto") == 0) return ABUT_OK;
  if (!json_is_number(value)) return wrong_type(r, value, "a number or \"auto\"");
  return abut_read_number(r, value, range, out);
}

static abut_status read_row(abut_reader *r, const json_t *value, const abut_key *key, void *out)
{
  char *place = (char *)out + key->offset;
  switch (key->type) {
  case ABUT_KEY_NUMBER: return abut_read_number(r, value, key->range, (double *)(void *)place);
  case ABUT_KEY_AUTO: return read_auto(r, value, key->range, (double *)(void *)place);
  case ABUT_KEY_INTEGER: {
    int64_t low = key->range == ABUT_ANY ? -INT32_MAX : key->range == ABUT_NOT_NEGATIVE ? 0 : 1;
    return abut_read_integer(r, value, low, INT32_MAX, (int64_t *)(void *)place);
  }
  case ABUT_KEY_SWITCH:
    if (!json_is_boolean(value)) return wrong_type(r, value, "true or false");
    *(bool *)place = json_is_true(value);
    return ABUT_OK;
  case ABUT_KEY_TEXT: return abut_read_text(r, value, (char **)(void *)place);
  case ABUT_KEY_VECTOR: return abut_read_vector(r, value, (vec3 *)(void *)place);
  case ABUT_KEY_OTHER: break;
  }
  return ABUT_OK;
}

static abut_status check_known(abut_reader *r, json_t *object, const abut_key *key, int keys)
{
  const char *name;
  json_t *value;
  json_object_foreach(object, name, value)
  {
    int k = 0;
    while (k < keys && strcmp(key[k].name, name) != 0) k++;
    if (k < keys) continue;
    const char *near = abut_nearest_name(name, key, keys, sizeof *key);
    int64_t length = r->path.length;
    ABUT_TRY(abut_reader_enter(r, name));
    abut_status status = abut_reader_fail(
        r, ABUT_BAD_FORMAT, "there is no such key%s%s%s; remove it or correct its name",
        near ? " (nearest: " : "", near ? near : "", near ? ")" : "");
    abut_reader_leave(r, length);
    return status;
  }
  return ABUT_OK;
}

/* the default of a row becomes part of the scene as run */
static abut_status fill_default(abut_reader *r, json_t *object, const abut_key *key)
{
  if (key->standard[0] == '!')
    return abut_reader_fail(r, ABUT_BAD_FORMAT, "the key is missing: %s%s%s", key->text,
                            key->unit[0] ? ", in " : "", key->unit);
  json_t *value;
  ABUT_JSON_MAKE(r->ctx, value, json_loads(key->standard, JSON_DECODE_ANY, NULL));
  if (json_object_set_new(object, key->name, value) != 0)
    return abut_fail(r->ctx, ABUT_NO_MEMORY, "out of memory");
  return ABUT_OK;
}

abut_status abut_keys_read(abut_reader *r, json_t *object, const abut_key *key, int keys, void *out)
{
  if (!json_is_object(object)) return wrong_type(r, object, "an object with keys");
  ABUT_TRY(check_known(r, object, key, keys));
  for (int k = 0; k < keys; k++) {
    int64_t length = r->path.length;
    ABUT_TRY(abut_reader_enter(r, key[k].name));
    if (!json_object_get(object, key[k].name) && key[k].standard)
      ABUT_TRY(fill_default(r, object, &key[k]));
    const json_t *value = json_object_get(object, key[k].name);
    if (value && key[k].type != ABUT_KEY_OTHER) ABUT_TRY(read_row(r, value, &key[k], out));
    abut_reader_leave(r, length);
  }
  return ABUT_OK;
}
