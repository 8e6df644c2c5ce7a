/* symbolic.h: everything about a factorisation that does not depend on values: the fronts, where
   their numbers go, and who may work on what at the same time. A function of the pattern of the
   matrix and of the structure alone. */
#ifndef ABUT_LINEAR_SYMBOLIC_H
#define ABUT_LINEAR_SYMBOLIC_H

#include "linear/buffer.h"
#include "linear/matrix.h"
#include "linear/structure.h"
#include "linear/supernodes.h"

/* Lower trapezoids are stored without most of what is above the diagonal: in bands of ABUT_BAND
   scalar columns, column-major, each band from the row of its first column down. */
enum { ABUT_BAND = 192 };

/* A dense trapezoid of the factor, its panel of 3 rows x 3 columns, and the update matrix of the
   rows below it, a triangle. Rows and columns count blocks. */
typedef struct abut_front {
  int32_t first;          /* place of its first column */
  int32_t columns, rows;  /* eliminated here; of the front, the columns' own included */
  int32_t parent;         /* front, or -1 */
  int32_t child, sibling; /* first child, next child of the parent, -1 without */
  int32_t shared;         /* how many of the rows below are columns of the parent */
  int32_t stretches;      /* of rows below */
  int64_t below;          /* its rows below begin here in row, its stretches here in stretch */
  int64_t entry;          /* its blocks of the base matrix begin here in entry */
  int64_t panel;          /* offset in the factor */
  int64_t update;         /* offset in the memory of updates, see job */
} abut_front;

/* rows from .. from + length - 1 below a front are the rows into ... of its parent's front */
typedef struct abut_stretch {
  int32_t from, into, length;
} abut_stretch;

/* A block of the matrix and where its transpose (or itself) goes in the panel of its front */
typedef struct abut_entry {
  int64_t block, target;
  int32_t ld;
  bool transposed; /* the block itself is added, not its transpose */
} abut_entry;

/* Fronts begin .. end - 1, eliminated one after another by one thread, once the children are done.
   Updates that are used within the job lie on its stack: one per thread for jobs without
   children, in the arena for the others. Those that leave the job lie in the arena. */
typedef struct abut_job {
  int32_t begin, end;
  int32_t parent, child, sibling; /* jobs; -1 without */
  int64_t stack;                  /* offset in the arena, -1: the thread's own stack */
} abut_job;

typedef struct abut_symbolic {
  int32_t rows, fronts, jobs;
  int32_t root;          /* last job: its children are what can be done at once */
  int32_t *order;        /* row at a place                     (rows) */
  int32_t *place;        /* place of a row                     (rows) */
  int32_t *front_of;     /* front that eliminates a place      (rows) */
  abut_front *front;     /* postorder, one more as a guard     (fronts + 1) */
  int32_t *row;          /* places of rows below, ascending    (front[fronts].below) */
  abut_stretch *stretch; /*                                  (front[fronts].below) */
  abut_entry *entry;     /*                                    (front[fronts].entry) */
  abut_job *job;         /*                                    (jobs) */
  int64_t row_room, stretch_room, entry_room, front_room, job_room;
  int64_t factor_size; /* doubles in all panels */
  int64_t arena_size;  /* doubles for updates that jobs share */
  int64_t stack_size;  /* doubles for updates of one thread */
  int64_t nonzeros;    /* of the factor's lower triangle */
  double flops;        /* of a factorisation */
} abut_symbolic;

/* lower: the base blocks seen from below. On failure out must be analysed again before use. */
abut_status abut_symbolic_analyze(abut_context *ctx, const abut_matrix *a, const abut_lower *lower,
                                  const abut_structure *structure, abut_symbolic *out);
void abut_symbolic_free(abut_context *ctx, abut_symbolic *s);

/* jobs, offsets and sizes for the fronts, for ctx->threads; cost: (fronts), s */
abut_status abut_layout_make(abut_context *ctx, const double *cost, abut_symbolic *s);

/* The front that the block (i, j) of the matrix goes to, and where in it (entry, but for the
   block's index), or -1 when the factor has no room for it. */
int32_t abut_symbolic_find(const abut_symbolic *s, int32_t i, int32_t j, abut_entry *entry);

/* distance of columns in the band of a scalar column, in a trapezoid of that many rows */
static inline int32_t abut_band_ld(int32_t rows, int32_t column)
{
  return rows - column / ABUT_BAND * ABUT_BAND;
}

/* what to add to a row for the offset of that row and a column; the row is in the band or below */
static inline int64_t abut_band_column(int32_t rows, int32_t column)
{
  int64_t band = column / ABUT_BAND, first = band * ABUT_BAND;
  int64_t before = first * rows - first * (first - ABUT_BAND) / 2;
  return before + (column - first) * (rows - first) - first;
}

/* doubles in a trapezoid, rounded up so that the next one is aligned */
static inline int64_t abut_band_size(int32_t rows, int32_t columns)
{
  int64_t first = columns / ABUT_BAND * ABUT_BAND;
  return abut_buffer_pad(abut_band_column(rows, columns) + first);
}

/* doubles in the update matrix of a front */
static inline int64_t abut_front_update_size(const abut_front *f)
{
  int32_t n = 3 * (f->rows - f->columns);
  return abut_band_size(n, n);
}

/* offset of a front's vector of 3 rows, in an array for all of them */
static inline int64_t abut_front_vector(const abut_front *f)
{
  return 3 * (f->first + f->below);
}

#endif
