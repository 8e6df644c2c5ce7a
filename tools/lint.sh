#!/bin/sh
# clang-tidy (checks in .clang-tidy) and cppcheck over the sources: tools/lint.sh BUILD
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
jobs=$(nproc 2>/dev/null || echo 2)
bad=0
git ls-files 'src/*.c' 'cli/*.c' 'examples/*.c' | while read -r file; do
  grep -q "\"file\": .*/$file\"" "$build/compile_commands.json" && echo "$file"
done | xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*' 2>&1 |
  grep -v -E 'warnings? generated|Suppressed|Use -header-filter' >"$build/tidy.log"
if [ -s "$build/tidy.log" ]; then
  cat "$build/tidy.log"
  bad=1
fi
cppcheck --quiet --std=c11 -j "$jobs" --enable=warning,portability --inline-suppr --error-exitcode=1 \
  --suppressions-list=tools/cppcheck.txt --suppress=missingIncludeSystem -Iinclude -Isrc src cli examples || bad=1
[ $bad = 0 ] && echo "lint: clean"
exit $bad
