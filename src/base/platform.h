/* platform.h: what only the operating system knows. */
#ifndef ABUT_BASE_PLATFORM_H
#define ABUT_BASE_PLATFORM_H

#include <stdint.h>

/* most bytes of memory that the process has held so far; 0 when unknown */
int64_t abut_peak_memory(void);

#endif
