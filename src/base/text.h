/* text.h: growing text, and what parsers need: numbers without the locale, the nearest name. */
#ifndef ABUT_BASE_TEXT_H
#define ABUT_BASE_TEXT_H

#include "base/context.h"

/* data is always terminated once something was added; a zeroed struct is empty text */
typedef struct abut_text {
  char *data;
  int64_t length, room;
} abut_text;

abut_status abut_text_add(abut_context *ctx, abut_text *text, const char *format, ...)
    ABUT_PRINTF(3, 4);
abut_status abut_text_append(abut_context *ctx, abut_text *text, const char *bytes, int64_t count);
void abut_text_free(abut_context *ctx, abut_text *text);

/* 17 significant digits, which read back to the same bits; a point, whatever the locale */
enum { ABUT_DOUBLE_ROOM = 40 };
void abut_print_double(double value, char text[ABUT_DOUBLE_ROOM]);
abut_status abut_text_add_double(abut_context *ctx, abut_text *text, double value);

/* Reads a number as C's strtod does in the C locale, at most up to end. Returns where it stops, or
   NULL when there is no number. Hexadecimal, nan and inf are numbers here; the caller refuses
   what is not finite. */
const char *abut_parse_double(const char *text, const char *end, double *value);
const char *abut_parse_int(const char *text, const char *end, int64_t *value);

/* bytes of the UTF-8 character that text begins with; 0 when it is none */
int abut_utf8_length(const char *text);

/* Of count names the one that word most likely meant (fewest edits), or NULL when none is near.
   names is an array of structs of size stride whose first member is the name. */
const char *abut_nearest_name(const char *word, const void *names, int64_t count, size_t stride);

#endif
