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
#if defined(K_LANES)
/* inlined whatever its size, so that it takes part in how its caller is compiled */
#define K_FN static inline __attribute__((always_inline))
#else
#define K_FN static inline
#endif
#define K_GLOBAL
#define K_KERNEL(name, ...)                                                                        \
  static inline void name(int k0, int k1, __VA_ARGS__)                                             \
  {                                                                                                \
    for (int i = k0; i < k1; i++)
#endif
/* closes a K_KERNEL */
#define K_END }

/* The scalar of the mathematics. It is double, except in a source that defines K_LANES: there it is
   that many doubles side by side (a vector type of gcc and clang), and one call works on as many
   elements. Such code must not branch on a real: K_SELECT picks, lane by lane. Every lane gives
   the bits that a double would. */
#if defined(K_LANES)
typedef double real __attribute__((vector_size(8 * K_LANES)));
typedef long long real_mask __attribute__((vector_size(8 * K_LANES)));

K_FN real k_real(double a)
{
  real r = {0};
  return r + a;
}

K_FN real k_select(real_mask m, real a, real b)
{
  return (real)((m & (real_mask)a) | (~m & (real_mask)b));
}

K_FN bool k_any(real_mask m)
{
  long long any = 0;
  for (int k = 0; k < K_LANES; k++) any |= m[k];
  return any != 0;
}

K_FN real k_sqrt(real a)
{
  for (int k = 0; k < K_LANES; k++) a[k] = sqrt(a[k]);
  return a;
}

K_FN real k_log(real a)
{
  for (int k = 0; k < K_LANES; k++) a[k] = log(a[k]);
  return a;
}

K_FN real k_fabs(real a)
{
  return k_select(a < 0, -a, a);
}
#define K_SELECT(m, a, b) k_select((m), (a), (b))
#else
typedef double real;
typedef bool real_mask; /* what comparing reals gives */
#define k_real(a) ((double)(a))
#define k_any(m) (m)
#define k_sqrt(a) sqrt(a)
#define k_log(a) log(a)
#define k_fabs(a) fabs(a)
#define K_SELECT(m, a, b) ((m) ? (a) : (b))
#endif

#define K_INFINITY ((double)INFINITY)
#define K_PI 3.14159265358979323846
/* distance from 1 to the next double */
#define K_EPSILON 2.220446049250313e-16

#endif
