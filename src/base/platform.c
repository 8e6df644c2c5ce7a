#define _DEFAULT_SOURCE
#include "base/platform.h"

#include <sys/resource.h>

int64_t abut_peak_memory(void)
{
  struct rusage use;
  return getrusage(RUSAGE_SELF, &use) == 0 ? (int64_t)use.ru_maxrss * 1024 : 0;
}
