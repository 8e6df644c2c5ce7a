#!/bin/sh
# Builds and runs every program of examples/: tools/examples.sh BUILD
set -u
build=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cmake --build "$build" -j "$(nproc)" --target abut_examples >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
bad=0
for source in examples/*.c; do
  name=$(basename "$source" .c)
  case $name in
  run_file) set -- scenes/demo.json "$folder/run" ;;
  check_mesh) set -- scenes/demo.json ;;
  *) set -- ;;
  esac
  if "$build/example_$name" "$@" >"$folder/log" 2>&1; then
    echo "$name: $(tail -n 1 "$folder/log")"
  else
    echo "$name FAILED:"
    cat "$folder/log"
    bad=1
  fi
done
exit $bad
