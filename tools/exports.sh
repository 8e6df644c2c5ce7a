#!/bin/sh
# Fails when libabut.so exports anything but the functions of abut.h: tools/exports.sh BUILD
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
grep ABUT_API include/abut.h | grep -o 'abut_[a-z_]*(' | tr -d '(' | sort >"$folder/declared"
nm -D --defined-only "$1/libabut.so" | awk '{ print $3 }' | sort >"$folder/exported"
diff "$folder/declared" "$folder/exported" && echo "exports: $(wc -l <"$folder/exported") functions"
