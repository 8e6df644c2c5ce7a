/* hash.h: 64-bit hash of bytes, the same on every machine of one byte order. Not for secrets. */
#ifndef ABUT_BASE_HASH_H
#define ABUT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define ABUT_HASH_START UINT64_C(0x9e3779b97f4a7c15)

/* continues hash over size bytes */
uint64_t abut_hash_bytes(uint64_t hash, const void *data, size_t size);

#endif
