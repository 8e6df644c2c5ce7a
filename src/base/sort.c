#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Least-significant-digit radix sort, 11 bits a pass; passes in which all digits agree (high bits
   of small keys) are skipped. Below SMALL items insertion is quicker than clearing the counts. */
enum { BITS = 11, BUCKETS = 1 << BITS, PASSES = (64 + BITS - 1) / BITS, SMALL = 96 };

static unsigned digit(uint64_t key, int pass)
{
  return (unsigned)(key >> (pass * BITS)) & (BUCKETS - 1);
}

static void insert_keyed(abut_keyed *items, int64_t n)
{
  for (int64_t i = 1; i < n; i++) {
    abut_keyed item = items[i];
    int64_t j = i;
    for (; j > 0 && items[j - 1].key > item.key; j--) items[j] = items[j - 1];
    items[j] = item;
  }
}

/* turns counts into starting places; false when one bucket holds everything */
static bool prefix(int64_t *count, int64_t n)
{
  int64_t start = 0;
  for (int b = 0; b < BUCKETS; b++) {
    int64_t c = count[b];
    if (c == n) return false;
    count[b] = start;
    start += c;
  }
  return true;
}

void abut_sort_keyed(abut_keyed *items, abut_keyed *other, int64_t n)
{
  if (n < SMALL) {
    insert_keyed(items, n);
    return;
  }
  abut_keyed *from = items, *to = other;
  int64_t count[BUCKETS];
  for (int pass = 0; pass < PASSES; pass++) {
    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < n; i++) count[digit(from[i].key, pass)]++;
    if (!prefix(count, n)) continue;
    for (int64_t i = 0; i < n; i++) to[count[digit(from[i].key, pass)]++] = from[i];
    abut_keyed *swap = from;
    from = to;
    to = swap;
  }
  if (from != items) memcpy(items, from, (size_t)n * sizeof *items);
}

void abut_sort_keys(uint64_t *keys, uint64_t *other, int64_t n)
{
  uint64_t *from = keys, *to = other;
  int64_t count[BUCKETS];
  for (int pass = 0; pass < PASSES && n > 1; pass++) {
    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < n; i++) count[digit(from[i], pass)]++;
    if (!prefix(count, n)) continue;
    for (int64_t i = 0; i < n; i++) to[count[digit(from[i], pass)]++] = from[i];
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != keys) memcpy(keys, from, (size_t)n * sizeof *keys);
}

static int compare_ints(const void *a, const void *b)
{
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

void abut_sort_ints(int32_t *values, int64_t n)
{
  if (n > 24) {
    qsort(values, (size_t)n, sizeof *values, compare_ints);
    return;
  }
  for (int64_t i = 1; i < n; i++) {
    int32_t value = values[i];
    int64_t j = i;
    for (; j > 0 && values[j - 1] > value; j--) values[j] = values[j - 1];
    values[j] = value;
  }
}
