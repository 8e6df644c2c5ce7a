/* methods.c: the methods. */
#include "step/barrier_free.h"
#include "step/barrier_step.h"

const abut_method_class abut_method_ipc = {
    .name = "ipc",
    .text = "barrier on squared distance, projected Newton (Li et al. 2020)",
    .law = &abut_law_ipc,
    .solve = abut_barrier_step,
};

const abut_method_class abut_method_offset_ipc = {
    .name = "offset_ipc",
    .text = "for film: barrier in distance minus a thickness offset, spheres inside",
    .law = &abut_law_offset,
    .solve = abut_barrier_step,
};

const abut_method_class abut_method_barrier_free = {
    .name = "barrier_free",
    .text = "augmented Lagrangian on linearised distances (Zheng, Luo and Li 2026)",
    .solve = abut_barrier_free_step,
};
