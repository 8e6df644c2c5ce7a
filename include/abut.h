/* abut.h: penetration-free simulation of film, cloth, soft solids and spheres in frictional
   contact. SI units, double precision throughout. */
#ifndef ABUT_H
#define ABUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

/* Every call that can fail returns one of these; abut_exit_code maps them to the program's exit
   codes. After any status but ABUT_OK the simulated state is the last good one. */
typedef enum abut_status {
  ABUT_OK = 0,
  ABUT_BAD_ARGUMENT, /* a call or a command line that makes no sense (exit 2) */
  ABUT_BAD_FORMAT,   /* the content of a scene or mesh file is invalid (exit 2) */
  ABUT_UNSUPPORTED,  /* a feature or a name that this version does not have (exit 2) */
  ABUT_BAD_GEOMETRY, /* degenerate, touching or crossing geometry (exit 3) */
  ABUT_STOPPED,      /* the solver stopped with a named reason (exit 4) */
  ABUT_IO,           /* a file cannot be opened, read or written (exit 5) */
  ABUT_BUSY,         /* the run folder is in use by another run (exit 5) */
  ABUT_NO_MEMORY,    /* out of memory (exit 6) */
  ABUT_CANCELLED,    /* the progress callback asked to stop (exit 130) */
  ABUT_STATUS_COUNT
} abut_status;

/* Memory comes from here; called from several threads, never at the same time. */
typedef struct abut_allocator {
  void *(*alloc)(void *ctx, size_t size);            /* NULL when there is none; 16-byte aligned */
  void (*free)(void *ctx, void *block, size_t size); /* size as it was asked for */
  void *ctx;
} abut_allocator;

/* level 0: note, 1: warning. text is valid during the call. */
typedef void abut_log_fn(void *ctx, int level, const char *text);

#ifdef __cplusplus
}
#endif
#endif
