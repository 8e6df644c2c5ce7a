#include <stdio.h>
#include <string.h>

#include "io/msh.h"

abut_shown abut_msh_where(const abut_msh *m)
{
  abut_shown where = {""};
  if (m->binary)
    snprintf(where.text, sizeof where.text, "byte %lld: ", (long long)(m->s.at - m->start));
  return where;
}

abut_status abut_msh_fault(abut_msh *m, abut_status code)
{
  abut_error_at_line(m->s.ctx, m->s.path, m->binary ? 0 : m->s.line);
  return code;
}

static abut_status cut_off(abut_msh *m)
{
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                     "%sthe file ends inside a section; is it cut off?",
                                     abut_msh_where(m).text));
}

/* the next bytes of a binary file, turned round when it has the other byte order */
static abut_status take_bytes(abut_msh *m, size_t size, void *value)
{
  if ((size_t)(m->s.end - m->s.at) < size) return cut_off(m);
  unsigned char *to = value;
  for (size_t i = 0; i < size; i++) to[m->swap ? size - 1 - i : i] = (unsigned char)m->s.at[i];
  m->s.at += size;
  return ABUT_OK;
}

static abut_status take_word(abut_msh *m, abut_word *word)
{
  return abut_scan_word_anywhere(&m->s, word) ? ABUT_OK : cut_off(m);
}

static abut_status take_text_int(abut_msh *m, int64_t *value)
{
  abut_word word;
  ABUT_TRY(take_word(m, &word));
  return abut_word_int(&m->s, word, value);
}

abut_status abut_msh_take_int(abut_msh *m, int64_t *value)
{
  if (!m->binary) return take_text_int(m, value);
  int32_t v = 0;
  ABUT_TRY(take_bytes(m, sizeof v, &v));
  *value = v;
  return ABUT_OK;
}

abut_status abut_msh_take_size(abut_msh *m, int64_t *value)
{
  if (!m->binary) {
    ABUT_TRY(take_text_int(m, value));
  } else if (m->size_bytes == 4) {
    uint32_t v = 0;
    ABUT_TRY(take_bytes(m, sizeof v, &v));
    *value = v;
  } else {
    ABUT_TRY(take_bytes(m, sizeof *value, value));
  }
  if (*value >= 0) return ABUT_OK;
  return abut_msh_fault(m,
                        abut_fail(m->s.ctx, ABUT_BAD_FORMAT, "%sa count or tag is negative (%lld)",
                                  abut_msh_where(m).text, (long long)*value));
}

abut_status abut_msh_take_double(abut_msh *m, double *value)
{
  if (!m->binary) {
    abut_word word;
    ABUT_TRY(take_word(m, &word));
    return abut_word_double(&m->s, word, value);
  }
  ABUT_TRY(take_bytes(m, sizeof *value, value));
  if (isfinite(*value)) return ABUT_OK;
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT, "%sa coordinate is not finite",
                                     abut_msh_where(m).text));
}

abut_status abut_msh_skip_doubles(abut_msh *m, int64_t count)
{
  if (m->binary) {
    if ((m->s.end - m->s.at) / 8 < count) return cut_off(m);
    m->s.at += 8 * count;
    return ABUT_OK;
  }
  abut_word word;
  for (; count > 0; count--) ABUT_TRY(take_word(m, &word));
  return ABUT_OK;
}

abut_status abut_msh_check_count(abut_msh *m, int64_t count, int64_t numbers, int64_t bytes,
                                 const char *what)
{
  /* in text a number takes a digit and a blank, but for the blank of the last one */
  int64_t left = m->s.end - m->s.at + !m->binary, each = m->binary ? bytes : 2 * numbers;
  if (count < 0)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT, "%sthe number of %s is negative",
                                       abut_msh_where(m).text, what));
  if (count > left / each)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                       "%s%lld %s do not fit into the rest of the file; is it cut "
                                       "off?",
                                       abut_msh_where(m).text, (long long)count, what));
  if (count > INT32_MAX)
    return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_UNSUPPORTED,
                                       "%lld %s are more than this version counts",
                                       (long long)count, what));
  return ABUT_OK;
}

abut_status abut_msh_take_end(abut_msh *m, const char *end)
{
  abut_word word;
  ABUT_TRY(take_word(m, &word));
  if (abut_word_is(word, end)) return ABUT_OK;
  return abut_msh_fault(m, abut_fail(m->s.ctx, ABUT_BAD_FORMAT,
                                     "%sexpected %s, found \"%s\"; do the counts fit?",
                                     abut_msh_where(m).text, end, abut_show(word).text));
}
