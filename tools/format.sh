#!/bin/sh
# Fails when clang-format would change a tracked C file; with -i it changes them.
cd "$(dirname "$0")/.." || exit 1
mode="--dry-run -Werror"
[ "${1:-}" = -i ] && mode=-i
files=$(git ls-files '*.c' '*.h')
# shellcheck disable=SC2086  # lists of words
clang-format $mode $files && echo "format: clean"
