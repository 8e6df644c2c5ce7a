#include "io/lines.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

static bool is_break(char c)
{
  return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
  return (unsigned char)c <= ' ' && !is_break(c);
}

void abut_scan_start(abut_scanner *s, abut_context *ctx, const char *path, const char *data,
                     int64_t size)
{
  *s = (abut_scanner){.ctx = ctx, .path = path, .at = data, .end = data + size, .line = 1};
  if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) s->at += 3;
}

/* steps over the line break at s->at */
static void take_break(abut_scanner *s)
{
  if (*s->at == '\r' && s->at + 1 < s->end && s->at[1] == '\n') s->at++;
  s->at++;
  if (s->line > 0 && s->line < INT_MAX) s->line++;
}

/* a backslash with nothing but blanks between it and the end of its line */
static bool take_continuation(abut_scanner *s)
{
  const char *p = s->at + 1;
  while (p < s->end && is_blank(*p)) p++;
  if (p < s->end && !is_break(*p)) return false;
  s->at = p;
  if (p < s->end) take_break(s);
  return true;
}

bool abut_scan_word(abut_scanner *s, abut_word *word)
{
  for (;;) {
    while (s->at < s->end && is_blank(*s->at)) s->at++;
    if (s->at == s->end || is_break(*s->at)) return false;
    if (s->comment && *s->at == s->comment) {
      while (s->at < s->end && !is_break(*s->at)) s->at++;
      return false;
    }
    if (s->continued && *s->at == '\\' && take_continuation(s)) continue;
    break;
  }
  const char *start = s->at;
  while (s->at < s->end && (unsigned char)*s->at > ' ') {
    const char *here = s->at;
    if (s->continued && *here == '\\' && here > start) {
      /* the backslash may stick to the word before it */
      abut_scanner ahead = *s;
      if (take_continuation(&ahead)) break;
    }
    s->at++;
  }
  *word = (abut_word){start, s->at - start};
  return true;
}

bool abut_scan_word_anywhere(abut_scanner *s, abut_word *word)
{
  while (!abut_scan_word(s, word)) {
    if (s->at == s->end) return false;
    take_break(s);
  }
  return true;
}

abut_word abut_scan_rest(abut_scanner *s)
{
  while (s->at < s->end && is_blank(*s->at)) s->at++;
  const char *start = s->at;
  while (s->at < s->end && !is_break(*s->at)) s->at++;
  const char *stop = s->at;
  while (stop > start && is_blank(stop[-1])) stop--;
  return (abut_word){start, stop - start};
}

void abut_scan_next_line(abut_scanner *s)
{
  while (s->at < s->end) {
    if (is_break(*s->at)) {
      take_break(s);
      return;
    }
    if (s->continued && *s->at == '\\' && take_continuation(s)) continue;
    s->at++;
  }
}

void abut_scan_move(abut_scanner *s, const char *to)
{
  while (s->at < to) {
    if (is_break(*s->at))
      take_break(s);
    else
      s->at++;
  }
}

abut_status abut_scan_fault(abut_scanner *s, abut_status code)
{
  abut_error_at_line(s->ctx, s->path, s->line);
  return code;
}

bool abut_word_is(abut_word word, const char *text)
{
  return strlen(text) == (size_t)word.length && memcmp(word.text, text, (size_t)word.length) == 0;
}

abut_status abut_word_double(abut_scanner *s, abut_word word, double *value)
{
  const char *end = word.text + word.length;
  const char *stop = abut_parse_double(word.text, end, value);
  if (stop != end)
    return abut_scan_fault(
        s, abut_fail(s->ctx, ABUT_BAD_FORMAT, "\"%s\" is not a number%s", abut_show(word).text,
                     stop && *stop == ',' ? "; the decimal mark is a point" : ""));
  if (!isfinite(*value))
    return abut_scan_fault(s, abut_fail(s->ctx, ABUT_BAD_FORMAT, "\"%s\" is not a finite number",
                                        abut_show(word).text));
  return ABUT_OK;
}

static bool only_digits(abut_word word)
{
  int64_t i = word.length > 1 && (word.text[0] == '-' || word.text[0] == '+');
  for (; i < word.length; i++)
    if (word.text[i] < '0' || word.text[i] > '9') return false;
  return true;
}

abut_status abut_word_int(abut_scanner *s, abut_word word, int64_t *value)
{
  const char *end = word.text + word.length;
  if (abut_parse_int(word.text, end, value) == end) return ABUT_OK;
  return abut_scan_fault(s, abut_fail(s->ctx, ABUT_BAD_FORMAT, "\"%s\" is %s", abut_show(word).text,
                                      only_digits(word) ? "too large" : "not a whole number"));
}

abut_shown abut_show(abut_word word)
{
  abut_shown shown;
  size_t room = sizeof shown.text - 4, n = (size_t)word.length;
  bool cut = n > room;
  if (cut) n = room;
  /* never inside a character of several bytes */
  while (cut && n > 0 && ((unsigned char)word.text[n] & 0xc0) == 0x80) n--;
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)word.text[i];
    shown.text[i] = c < ' ' || c == 0x7f ? '?' : (char)c;
  }
  memcpy(shown.text + n, cut ? "..." : "", cut ? 4 : 1);
  return shown;
}
