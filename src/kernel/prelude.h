/* prelude.h: the words that make one kernel source C17, OpenCL C and CUDA C. A kernel is a set of
   functions of values; entry points are ranges over arrays. */
#ifndef ABUT_KERNEL_PRELUDE_H
#define ABUT_KERNEL_PRELUDE_H

#if defined(__OPENCL_VERSION__)
#pragma OPENCL FP_CONTRACT OFF
#define K_FN static inline
#define K_GLOBAL __global
#define K_KERNEL(name, ...)                                                                        \
  __kernel void name(int k0, int k1, __VA_ARGS__)                                                  \
  {                                                                                                \
    int i = k0 + (int)get_global_id(0);                                                            \
    if (i < k1)
#elif defined(__CUDACC__)
#define K_FN static __device__ __forceinline__
#define K_GLOBAL
#define K_KERNEL(name, ...)                                                                        \
  static __global__ void name(int k0, int k1, __VA_ARGS__)                                         \
  {                                                                                                \
    int i = k0 + (int)(blockIdx.x * blockDim.x + threadIdx.x);                                     \
    if (i < k1)
#else
#include <math.h>
#include <stdbool.h>
#define K_FN static inline
#define K_GLOBAL
#define K_KERNEL(name, ...)                                                                        \
  static inline void name(int k0, int k1, __VA_ARGS__)                                             \
  {                                                                                                \
    for (int i = k0; i < k1; i++)
#endif
/* closes a K_KERNEL */
#define K_END }

#define K_INFINITY ((double)INFINITY)
#define K_PI 3.14159265358979323846
/* distance from 1 to the next double */
#define K_EPSILON 2.220446049250313e-16

#endif
