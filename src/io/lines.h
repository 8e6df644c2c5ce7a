/* lines.h: the words of a text file in memory and the lines they stand on. Lines end in LF, CRLF
   or CR; everything up to a space is blank. */
#ifndef ABUT_IO_LINES_H
#define ABUT_IO_LINES_H

#include "base/context.h"

typedef struct abut_scanner {
  abut_context *ctx;
  const char *path; /* for errors */
  const char *at, *end;
  int line;       /* 1-based, of at; set to 0, lines are not counted */
  char comment;   /* a word that starts with it ends the line; 0: none */
  bool continued; /* a backslash at the end of a line joins the next one */
} abut_scanner;

typedef struct abut_word {
  const char *text; /* points into the file; not terminated */
  int64_t length;
} abut_word;

/* starts at the first line, after a byte order mark of UTF-8 */
void abut_scan_start(abut_scanner *s, abut_context *ctx, const char *path, const char *data,
                     int64_t size);
/* the next word of this line; false at its end */
bool abut_scan_word(abut_scanner *s, abut_word *word);
/* the next word of this or a later line; false at the end of the file */
bool abut_scan_word_anywhere(abut_scanner *s, abut_word *word);
/* what is left of this line, without blanks at either end */
abut_word abut_scan_rest(abut_scanner *s);
/* to the start of the next line */
void abut_scan_next_line(abut_scanner *s);
/* moves to a place further on, counting the lines in between */
void abut_scan_move(abut_scanner *s, const char *to);

/* adds file and line of the scanner to an error, whose code it returns */
abut_status abut_scan_fault(abut_scanner *s, abut_status code);

bool abut_word_is(abut_word word, const char *text);
/* the whole word as a finite number; anything else is ABUT_BAD_FORMAT, at the scanner's line */
abut_status abut_word_double(abut_scanner *s, abut_word word, double *value);
abut_status abut_word_int(abut_scanner *s, abut_word word, int64_t *value);

/* a word for a message: cut when long, control characters replaced. Use as
   abut_show(word).text inside one expression. */
typedef struct abut_shown {
  char text[48];
} abut_shown;
abut_shown abut_show(abut_word word);

#endif
