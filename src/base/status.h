/* status.h: statuses climb by a macro, not by habit. */
#ifndef ABUT_BASE_STATUS_H
#define ABUT_BASE_STATUS_H

#include <abut.h>

#define ABUT_TRY(call)                                                                             \
  do {                                                                                             \
    abut_status abut_status_ = (call);                                                             \
    if (abut_status_ != ABUT_OK) return abut_status_;                                              \
  } while (0)

#if defined(__GNUC__)
#define ABUT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ABUT_PRINTF(text, first)
#endif

#endif
