#include "base/hash.h"

#include <string.h>

/* one round of multiply and xor-shift; every bit of word reaches every bit of the result */
static uint64_t mix(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
  hash ^= hash >> 29;
  hash *= UINT64_C(0x94d049bb133111eb);
  return hash ^ hash >> 32;
}

uint64_t abut_hash_bytes(uint64_t hash, const void *data, size_t size)
{
  const unsigned char *p = data;
  size_t left = size;
  for (; left >= 8; left -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    hash = mix(hash, word);
  }
  uint64_t tail = 0;
  if (left) memcpy(&tail, p, left);
  return mix(mix(hash, tail), size);
}
