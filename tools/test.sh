#!/bin/sh
# Runs test programs and counts their cases: tools/test.sh [-j JOBS] [-x SKIP]... BUILD PATTERN...
# A program that crashes, hangs or reports nothing counts as one failed case more. Logs are in
# BUILD/logs. The last line is the sum; it goes into BUILD/logs/sum too.
set -u
# one program: its log, and a line "NAME PASSED FAILED SKIPPED SECONDS"
run_one() {
  log=$2/logs/$1.log
  begin=$(date +%s)
  timeout "${ABUT_TEST_SECONDS:-600}" "$2/$1" >"$log" 2>&1
  status=$?
  seconds=$(($(date +%s) - begin))
  begun=$(grep -c -F '[ RUN      ]' "$log")
  passed=$(grep -c -F '[       OK ]' "$log")
  skipped=$(grep -c '\[  SKIPPED \] [a-z]' "$log")
  [ "$skipped" -le $((begun - passed)) ] || skipped=$((begun - passed))
  failed=$((begun - passed - skipped))
  if [ "$failed" = 0 ] && { [ $status != 0 ] || [ "$begun" = 0 ]; }; then failed=1; fi
  echo "$1 $passed $failed $skipped $seconds" >"$2/logs/$1.count"
  if [ "$failed" = 0 ]; then
    printf '%-28s %4d passed %6d s\n' "$1" "$passed" "$seconds"
    return
  fi
  printf '%-28s %4d passed %6d s  %d FAILED (exit status %d)\n' "$1" "$passed" "$seconds" "$failed" $status
  grep -v -F -e '[ RUN ' -e '[       OK ]' -e '[==========]' "$log" | head -n 60 | sed 's/^/    /'
}

if [ "${1:-}" = --one ]; then
  run_one "$3" "$2"
  exit 0
fi

jobs=1 skip=" "
while getopts j:x: option; do
  case $option in
  j) jobs=$OPTARG ;;
  x) skip="$skip$OPTARG " ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))

build=$1
shift
rm -rf "$build/logs"
mkdir -p "$build/logs"
for pattern in "$@"; do
  for source in tests/$pattern.c; do
    name=$(basename "$source" .c)
    case $skip in *" $name "*) continue ;; esac
    [ -f "$source" ] && echo "$name"
  done
done >"$build/logs/list"
xargs -P "$jobs" -n 1 "$0" --one "$build" <"$build/logs/list"
# what did not pass, by name, where it is seen: at the end
grep -H -e '\[  FAILED  \] [a-z_0-9]*$' -e '\[  SKIPPED \] [a-z_0-9]*$' "$build"/logs/*.log 2>/dev/null |
  sed 's|^.*/\(.*\)\.log:\[ *\([A-Z]*\) *\] |\2 \1: |' | sort -u
cat "$build"/logs/*.count 2>/dev/null | awk '
  { passed += $2; failed += $3; skipped += $4 }
  END {
    if (skipped) printf "%d skipped\n", skipped
    if (NR == 0) failed = 1
    printf "%d passed, %d failed\n", passed, failed
  }' >"$build/logs/sum"
cat "$build/logs/sum"
tail -n 1 "$build/logs/sum" | grep -q ', 0 failed$'
