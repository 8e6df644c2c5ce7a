#!/bin/sh
# Tries what README.md shows: its scene, its C program and its build line. A block counts when the
# line before it is a comment like <!-- file: NAME -->, or <!-- run --> for commands.
# tools/readme.sh BUILD
set -u
build=$(cd "$1" && pwd) || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '
  /^<!-- file: .* -->$/ { target = folder "/" $3; next }
  /^<!-- run -->$/ { target = folder "/commands"; next }
  /^```/ { if (open) { open = 0; target = "" } else open = 1; next }
  open && target != "" { print > target }
' README.md
cmake --install "$build" --prefix "$folder/abut" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
pc=$(find "$folder/abut" -name abut.pc)
[ -s "$folder/commands" ] || { echo "README.md shows no command"; exit 1; }
cd "$folder" || exit 1
PATH=$folder/abut/bin:$PATH PKG_CONFIG_PATH=$(dirname "$pc") LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")")
export PATH PKG_CONFIG_PATH LD_LIBRARY_PATH
if sh -eu "$folder/commands" >"$folder/log" 2>&1; then
  echo "readme: $(grep -c . "$folder/commands") commands work"
else
  cat "$folder/log"
  exit 1
fi
