#!/bin/sh
# The long tests: long_*.c, the scenes marked as long, and comparisons with other programs in
# Python. tools/test_long.sh BUILD
set -u
build=$1
passed=0 failed=0
check() {
  name=$1
  shift
  echo "--- $name"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$name FAILED"; fi
}

ABUT_LONG=1 ABUT_TEST_SECONDS=${ABUT_TEST_SECONDS:-7200} tools/test.sh "$build" 'long_*' test_scenes
sum=$(tail -n 1 "$build/logs/sum")
passed=${sum%% passed*}
failed=${sum#*passed, }
failed=${failed%% failed*}

if tools/venv.sh test; then
  python=.venv-test/bin/python
  check "pairs against ipctk" $python tests/python/check_ipctk.py "$build/pair_dump"
  exports=$build/exports
  rm -rf "$exports" && mkdir -p "$exports"
  ABUT_EXPORT_FOLDER=$exports "$build/test_export" >"$build/logs/exports.log" 2>&1
  check "exports against VTK and h5py" $python tests/python/check_exports.py "$exports"
  for script in tests/python/check_*.py; do
    case $script in
    *check_ipctk.py | *check_exports.py) ;;
    *) check "$script" $python "$script" "$build" ;;
    esac
  done
else
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
