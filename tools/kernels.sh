#!/bin/sh
# Compiles every kernel header as OpenCL C and, where nvcc is present, as CUDA C.
cd "$(dirname "$0")/.." || exit 1
bad=0 count=0
for header in src/kernel/*.h; do
  count=$((count + 1))
  clang -x cl -cl-std=CL3.0 -fsyntax-only -Isrc "$header" || { echo "$header: not OpenCL C"; bad=1; }
  command -v nvcc >/dev/null 2>&1 || continue
  nvcc -x cu -diag-suppress 177 -Isrc -c -o /dev/null "$header" || { echo "$header: not CUDA C"; bad=1; }
done
[ $bad = 0 ] && echo "kernels: $count headers are OpenCL C$(command -v nvcc >/dev/null 2>&1 && echo ' and CUDA C')"
exit $bad
