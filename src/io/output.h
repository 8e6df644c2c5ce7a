/* output.h: a file written from front to back through a buffer. It gets its name once it is
   complete: path is the old or the new file, never half of one. */
#ifndef ABUT_IO_OUTPUT_H
#define ABUT_IO_OUTPUT_H

#include "base/disk.h"

/* a zeroed struct is no file */
typedef struct abut_output {
  abut_disk disk;
  char *buffer;
  int64_t used, at; /* bytes in buffer; where they go */
} abut_output;

abut_status abut_output_open(abut_context *ctx, const char *path, abut_output *out);
abut_status abut_output_bytes(abut_context *ctx, abut_output *out, const void *data, int64_t size);
abut_status abut_output_text(abut_context *ctx, abut_output *out, const char *text);
abut_status abut_output_int(abut_context *ctx, abut_output *out, int64_t value);
/* 17 significant digits: reads back to the same bits. A point, whatever the locale. */
abut_status abut_output_double(abut_context *ctx, abut_output *out, double value);
abut_status abut_output_finish(abut_context *ctx, abut_output *out);
/* gives up a file that is not finished */
void abut_output_free(abut_context *ctx, abut_output *out);

#endif
