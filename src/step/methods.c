/* methods.c: methods that are a contact law inside the common Newton loop. */
#include "step/system.h"

const abut_method_class abut_method_ipc = {
    .name = "ipc",
    .text = "barrier on squared distance, projected Newton (Li et al. 2020)",
    .law = &abut_law_ipc,
};

const abut_method_class abut_method_offset_ipc = {
    .name = "offset_ipc",
    .text = "for film: barrier in distance minus a thickness offset, spheres inside",
    .law = &abut_law_offset,
};
