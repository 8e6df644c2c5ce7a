/* clones.h: a function compiled several times for wider vector units; the processor picks at load
   time. Same operations, same order, no fused ones: the same bits from each. */
#ifndef ABUT_BASE_CLONES_H
#define ABUT_BASE_CLONES_H

#include <limits.h> /* says which C library this is */

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define ABUT_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ABUT_CLONES
#endif

#endif
