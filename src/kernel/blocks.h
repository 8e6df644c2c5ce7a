/* blocks.h: gradients and Hessian blocks of elements of two to four vertices. */
#ifndef ABUT_KERNEL_BLOCKS_H
#define ABUT_KERNEL_BLOCKS_H

#include "kernel/vec.h"

/* gradient with respect to each vertex */
typedef struct grad2 {
  vec3 g[2];
} grad2;

typedef struct grad3 {
  vec3 g[3];
} grad3;

typedef struct grad4 {
  vec3 g[4];
} grad4;

/* upper blocks of the Hessian, row by row: 00 01 11 */
typedef struct hess2 {
  mat3 k[3];
} hess2;

/* 00 01 02 11 12 22 */
typedef struct hess3 {
  mat3 k[6];
} hess3;

/* 00 01 02 03 11 12 13 22 23 33 */
typedef struct hess4 {
  mat3 k[10];
} hess4;

#endif
