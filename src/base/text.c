#include "base/text.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

abut_status abut_text_append(abut_context *ctx, abut_text *text, const char *bytes, int64_t count)
{
  ABUT_RESERVE(ctx, text->data, text->room, text->length + count + 1);
  memcpy(text->data + text->length, bytes, (size_t)count);
  text->length += count;
  text->data[text->length] = '\0';
  return ABUT_OK;
}

abut_status abut_text_add(abut_context *ctx, abut_text *text, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  abut_status status = ABUT_OK;
  if (length > 0 && text->length + length + 1 > text->room) {
    char *grown = abut_grow(ctx, text->data, &text->room, text->length + length + 1, 1);
    if (grown)
      text->data = grown;
    else
      status = ABUT_NO_MEMORY;
  }
  if (length > 0 && status == ABUT_OK) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += length;
  }
  va_end(again);
  return status;
}

void abut_text_free(abut_context *ctx, abut_text *text)
{
  abut_free(ctx, text->data);
  *text = (abut_text){0};
}

void abut_print_double(double value, char text[ABUT_DOUBLE_ROOM])
{
  snprintf(text, ABUT_DOUBLE_ROOM, "%.17g", value);
  const char *point = localeconv()->decimal_point;
  char *found = strcmp(point, ".") == 0 ? NULL : strstr(text, point);
  if (!found) return;
  size_t length = strlen(point);
  *found = '.';
  memmove(found + 1, found + length, strlen(found + length) + 1);
}

abut_status abut_text_add_double(abut_context *ctx, abut_text *text, double value)
{
  char digits[ABUT_DOUBLE_ROOM];
  abut_print_double(value, digits);
  return abut_text_append(ctx, text, digits, (int64_t)strlen(digits));
}

/* a number never needs more characters than this to be read exactly as far as doubles go; longer
   digit strings are cut, which moves the value by less than its last bit */
enum { NUMBER_ROOM = 512 };

const char *abut_parse_double(const char *text, const char *end, double *value)
{
  char copy[NUMBER_ROOM];
  size_t n = 0;
  while (text + n < end && n + 1 < sizeof copy && text[n] > ' ') {
    /* the host may have set a locale whose decimal point is a comma */
    if (text[n] == ',') break;
    copy[n] = text[n];
    n++;
  }
  copy[n] = '\0';
  char point = localeconv()->decimal_point[0];
  char *dot = strchr(copy, '.');
  if (dot && point != '.') *dot = point;
  char *stop;
  *value = strtod(copy, &stop);
  return stop == copy ? NULL : text + (stop - copy);
}

const char *abut_parse_int(const char *text, const char *end, int64_t *value)
{
  const char *p = text;
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  const char *digits = p;
  uint64_t magnitude = 0;
  for (; p < end && *p >= '0' && *p <= '9'; p++) {
    if (magnitude > (uint64_t)(INT64_MAX / 10 - 1)) return NULL;
    magnitude = magnitude * 10 + (uint64_t)(*p - '0');
  }
  *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
  return p == digits ? NULL : p;
}

int abut_utf8_length(const char *text)
{
  const unsigned char *p = (const unsigned char *)text;
  int length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
  if (p[0] > 0xf4) return 0;
  for (int k = 1; k < length; k++)
    if ((p[k] & 0xc0) != 0x80) return 0;
  /* longer than need be, halves of pairs, beyond the last character */
  bool bad = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
             (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
  return bad ? 0 : length;
}

/* Levenshtein distance, cut off: words of more than LONGEST characters are not compared */
enum { LONGEST = 63 };

static int edits(const char *a, const char *b)
{
  int n = (int)strlen(a), m = (int)strlen(b), row[LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return 2 * LONGEST;
  for (int j = 0; j <= m; j++) row[j] = j;
  for (int i = 1; i <= n; i++) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int up = row[j], best = corner + (a[i - 1] != b[j - 1]);
      if (up + 1 < best) best = up + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      corner = up;
      row[j] = best;
    }
  }
  return row[m];
}

const char *abut_nearest_name(const char *word, const void *names, int64_t count, size_t stride)
{
  const char *nearest = NULL;
  int least = (int)strlen(word) / 2 + 2;
  for (int64_t i = 0; i < count; i++) {
    const char *name;
    memcpy(&name, (const char *)names + (size_t)i * stride, sizeof name);
    int distance = edits(word, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}
