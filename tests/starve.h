/* starve.h: an allocator that counts what it has given and fails when told to. */
#ifndef ABUT_TESTS_STARVE_H
#define ABUT_TESTS_STARVE_H

#include "cmocka_all.h"

#include <abut.h>

typedef struct larder {
  int64_t taken; /* blocks given so far */
  int64_t live;  /* not given back yet */
  int64_t bytes; /* in them */
  int64_t fails; /* this one is refused, counted from 0; -1: none */
  bool for_good; /* and all after it */
} larder;

static inline void *larder_take(void *ctx, size_t size)
{
  larder *l = ctx;
  int64_t number = l->taken++;
  if (l->fails >= 0 && (l->for_good ? number >= l->fails : number == l->fails)) return NULL;
  l->live++;
  l->bytes += (int64_t)size;
  return malloc(size);
}

static inline void larder_give(void *ctx, void *block, size_t size)
{
  larder *l = ctx;
  l->live--;
  l->bytes -= (int64_t)size;
  free(block);
}

static inline abut_allocator larder_of(larder *l)
{
  return (abut_allocator){larder_take, larder_give, l};
}

/* Runs work with each of its allocations failed in turn, alone and then with all that follow, until
   none is left to fail. Each time it must end in ABUT_OK (when it can do without that block) or
   ABUT_NO_MEMORY and give everything back. Every step-th one when there are many. Returns how many
   were tried. */
static inline int64_t starve(abut_status (*work)(const abut_allocator *allocator), int64_t step)
{
  larder full = {.fails = -1};
  abut_allocator allocator = larder_of(&full);
  assert_int_equal(work(&allocator), ABUT_OK);
  assert_int_equal(full.live, 0);
  int64_t tried = 0;
  for (int64_t k = 0; k < full.taken; k += k < 200 ? 1 : step)
    for (int for_good = 0; for_good < 2; for_good++, tried++) {
      larder l = {.fails = k, .for_good = for_good};
      allocator = larder_of(&l);
      abut_status status = work(&allocator);
      if ((status != ABUT_NO_MEMORY && status != ABUT_OK) || l.live != 0 || l.bytes != 0)
        fail_msg("allocation %lld of %lld refused%s: status %d, %lld blocks not given back",
                 (long long)k, (long long)full.taken, for_good ? " with all that follow" : "",
                 (int)status, (long long)l.live);
    }
  return tried;
}

#endif
