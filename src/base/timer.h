/* timer.h: wall clock, for reports only; no result depends on it. */
#ifndef ABUT_BASE_TIMER_H
#define ABUT_BASE_TIMER_H

double abut_now(void); /* s since some fixed moment */

#endif
