/* settled.h: whether a small Newton correction means what it seems to mean. Its size is that of the
   error only while the linear system resembles the forces. Friction at zero slip, where every step
   begins, and barriers that are pressed far in, are so stiff that the correction is small however
   far the step is from its minimum. */
#ifndef ABUT_STEP_SETTLED_H
#define ABUT_STEP_SETTLED_H

#include "step/work.h"

/* The linear system asks of no object's friction, in w->friction and for the displacement w->p, for
   more than a share beyond what it can bear. ABUT_OVERLOAD: of a converged step. */
#define ABUT_OVERLOAD 1e-2
bool abut_friction_settled(const abut_system *sys, double allowed, abut_work *w);

/* What friction on an object can bear changes, between the iterate (w->now) and the trial
   (w->next), by a small share only; the next step freezes it. Contacts whose change gives their
   vertices no more than speed (m/s) do not count. */
bool abut_loads_settled(const abut_system *sys, const abut_step_options *options, abut_work *w,
                        double speed);

#endif
