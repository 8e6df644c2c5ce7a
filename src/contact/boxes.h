/* boxes.h: boxes around moving primitives, in float32 rounded outward. */
#ifndef ABUT_CONTACT_BOXES_H
#define ABUT_CONTACT_BOXES_H

#include "contact/bvh.h"
#include "kernel/vec.h"

/* of the path x to x + p, grown (m) */
abut_box abut_box_of_path(vec3 x, vec3 p, double grow);
/* of a ball whose centre stays in the box center */
abut_box abut_box_of_ball(const abut_box *center, double radius);
bool abut_box_inside(const abut_box *a, const abut_box *b);

/* Boxes around their corners' boxes.  corner: (count x corners), box: (count) */
void abut_boxes_of_primitives(const abut_context *ctx, const abut_box *vertex_box,
                              const int32_t *corner, int corners, int32_t count, abut_box *box);

#endif
