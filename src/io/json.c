#include "io/json.h"

#include <string.h>

#include "base/memory.h"

/* comments become spaces; what is inside strings stays */
static void blank_comments(char *text, int64_t size)
{
  bool string = false;
  for (int64_t i = 0; i < size; i++) {
    if (string) {
      if (text[i] == '\\')
        i++;
      else if (text[i] == '"')
        string = false;
    } else if (text[i] == '"') {
      string = true;
    } else if (text[i] == '/' && i + 1 < size && text[i + 1] == '/') {
      while (i < size && text[i] != '\n') text[i++] = ' ';
    } else if (text[i] == '/' && i + 1 < size && text[i + 1] == '*') {
      text[i++] = ' ';
      text[i++] = ' ';
      while (i < size && !(text[i] == '*' && i + 1 < size && text[i + 1] == '/')) {
        if (text[i] != '\n') text[i] = ' ';
        i++;
      }
      if (i < size) text[i++] = ' ';
      if (i < size) text[i] = ' ';
    }
  }
}

abut_status abut_json_parse(abut_context *ctx, const char *file, char *text, int64_t size,
                            json_t **out)
{
  json_error_t error;
  /* a byte order mark is no JSON */
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) memset(text, ' ', 3);
  blank_comments(text, size);
  *out = json_loadb(text, (size_t)size, JSON_REJECT_DUPLICATES, &error);
  if (*out) return ABUT_OK;
  bool memory = json_error_code(&error) == json_error_out_of_memory;
  abut_status status = abut_fail(ctx, memory ? ABUT_NO_MEMORY : ABUT_BAD_FORMAT,
                                 "column %d: %s; correct the JSON there", error.column, error.text);
  abut_error_at_line(ctx, file, error.line > 0 ? error.line : 1);
  return status;
}

/* ---- lines ---- */

typedef struct scanner {
  const char *p;
  int line;
} scanner;

static void skip_space(scanner *s)
{
  for (; *s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'; s->p++)
    s->line += *s->p == '\n';
}

/* past a string; its raw text without quotes */
static void take_string(scanner *s, const char **begin, size_t *length)
{
  *begin = ++s->p;
  while (*s->p && *s->p != '"') s->p += *s->p == '\\' && s->p[1] ? 2 : 1;
  *length = (size_t)(s->p - *begin);
  if (*s->p) s->p++;
}

/* past a value of any kind */
static void skip_value(scanner *s)
{
  const char *begin;
  size_t length;
  int depth = 0;
  do {
    skip_space(s);
    if (*s->p == '"') {
      take_string(s, &begin, &length);
    } else if (*s->p == '{' || *s->p == '[') {
      depth++;
      s->p++;
    } else if (*s->p == '}' || *s->p == ']') {
      depth--;
      s->p++;
    } else if (*s->p == ',' || *s->p == ':') {
      s->p++;
    } else {
      while (*s->p && !strchr(",:]}{[\" \t\r\n", *s->p)) s->p++;
    }
  } while (depth > 0 && *s->p);
}

/* into the member or element that the path's next part names; false when there is none */
static bool enter(scanner *s, const char *part, size_t length, int64_t index)
{
  skip_space(s);
  bool object = *s->p == '{';
  if (object != (index < 0) || (*s->p != '{' && *s->p != '[')) return false;
  s->p++;
  for (int64_t i = 0;; i++) {
    const char *key = NULL;
    size_t n = 0;
    skip_space(s);
    if (*s->p == ',') s->p++;
    skip_space(s);
    if (!*s->p || *s->p == '}' || *s->p == ']') return false;
    int line = s->line;
    if (object) {
      take_string(s, &key, &n);
      skip_space(s);
      if (*s->p == ':') s->p++;
    }
    if (object ? n == length && memcmp(key, part, n) == 0 : i == index) {
      if (object) s->line = line;
      return true;
    }
    skip_value(s);
  }
}

/* next part of a path: a name, or an index in brackets; returns what follows */
static const char *next_part(const char *path, const char **name, size_t *length, int64_t *index)
{
  *index = -1;
  if (*path == '[') {
    *index = 0;
    for (path++; *path >= '0' && *path <= '9'; path++)
      *index = *index > INT32_MAX ? *index : 10 * *index + (*path - '0');
    return *path == ']' ? path + 1 : path;
  }
  if (*path == '.') path++;
  *name = path;
  while (*path && *path != '.' && *path != '[') path++;
  *length = (size_t)(path - *name);
  return path;
}

int abut_json_line(const char *text, const char *path)
{
  scanner s = {text, 1};
  while (*path) {
    const char *name = NULL;
    size_t length = 0;
    int64_t index;
    path = next_part(path, &name, &length, &index);
    scanner inside = s;
    if (!enter(&inside, name, length, index)) break;
    s = inside;
  }
  return s.line;
}

/* ---- setting ---- */

static abut_status set_in(abut_context *ctx, json_t *root, const char *path, char *key,
                          json_t *value)
{
  json_t *at = root;
  for (const char *rest = path;;) {
    const char *name = NULL;
    size_t length = 0;
    int64_t index;
    rest = next_part(rest, &name, &length, &index);
    bool last = *rest == '\0';
    if (index >= 0) {
      json_t *next = json_array_get(at, (size_t)index);
      if (!next)
        return abut_fail(ctx, ABUT_BAD_ARGUMENT, "--set %s: there is no such element", path);
      if (last && json_array_set(at, (size_t)index, value) != 0)
        return abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
      at = next;
    } else {
      if (length == 0 || !json_is_object(at))
        return abut_fail(ctx, ABUT_BAD_ARGUMENT, "--set %s: the path does not lead to a key", path);
      memcpy(key, name, length);
      key[length] = '\0';
      json_t *next = json_object_get(at, key);
      if (last && json_object_set(at, key, value) != 0)
        return abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
      if (!last && !next) {
        ABUT_JSON_MAKE(ctx, next, json_object());
        if (json_object_set_new(at, key, next) != 0)
          return abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
      }
      at = next;
    }
    if (last) return ABUT_OK;
  }
}

static const json_t *member(const json_t *object, const char *name, size_t length)
{
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value)
  {
    if (strlen(key) == length && memcmp(key, name, length) == 0) return value;
  }
  return NULL;
}

size_t abut_json_reach(const json_t *root, const char *path)
{
  const json_t *at = root;
  const char *rest = path;
  while (*rest) {
    const char *name = NULL, *next;
    size_t length = 0;
    int64_t index;
    next = next_part(rest, &name, &length, &index);
    at = index >= 0 ? json_array_get(at, (size_t)index) : member(at, name, length);
    if (!at || next == rest) break;
    rest = next;
  }
  return (size_t)(rest - path);
}

abut_status abut_json_set(abut_context *ctx, json_t *root, const char *path, json_t *value)
{
  char *key = abut_alloc(ctx, (int64_t)strlen(path) + 1, 1);
  abut_status status = key ? set_in(ctx, root, path, key, value) : ABUT_NO_MEMORY;
  abut_free(ctx, key);
  json_decref(value);
  return status;
}

/* ---- printing ---- */

typedef struct sink {
  abut_context *ctx;
  abut_text *out;
  bool failed; /* the library goes on after some failures */
} sink;

static int write_piece(const char *bytes, size_t size, void *arg)
{
  sink *s = arg;
  if (abut_text_append(s->ctx, s->out, bytes, (int64_t)size) != ABUT_OK) s->failed = true;
  return s->failed ? -1 : 0;
}

abut_status abut_json_print(abut_context *ctx, const json_t *value, abut_text *out)
{
  sink s = {ctx, out, false};
  if (json_dump_callback(value, write_piece, &s, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0 ||
      s.failed)
    return abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
  return abut_text_append(ctx, out, "\n", 1);
}

abut_status abut_json_text(abut_context *ctx, const char *s, json_t **out)
{
  *out = json_string(s);
  if (*out) return ABUT_OK;
  json_t *raw = json_string_nocheck(s);
  bool memory = !raw;
  json_decref(raw);
  if (memory) return abut_fail(ctx, ABUT_NO_MEMORY, "out of memory");
  return abut_fail(ctx, ABUT_UNSUPPORTED,
                   "the path \"%s\" is not UTF-8 and cannot be noted in scene.json: rename it", s);
}

abut_status abut_json_quote(abut_context *ctx, const char *s, abut_text *out)
{
  ABUT_TRY(abut_text_append(ctx, out, "\"", 1));
  while (*s) {
    int length = abut_utf8_length(s);
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      ABUT_TRY(abut_text_add(ctx, out, "\\%c", c));
    else if (c < 0x20)
      ABUT_TRY(abut_text_add(ctx, out, "\\u%04x", c));
    else if (length == 0)
      ABUT_TRY(abut_text_add(ctx, out, "\\ufffd"));
    else
      ABUT_TRY(abut_text_append(ctx, out, s, length));
    s += length ? length : 1;
  }
  return abut_text_append(ctx, out, "\"", 1);
}
