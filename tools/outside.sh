#!/bin/sh
# Installs into a temporary folder and builds projects outside of it, in C and C++, against the CMake
# package (shared and static library) and against abut.pc: tools/outside.sh BUILD
set -u
build=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/abut" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cp examples/hello.c "$folder/hello.c"
cat >"$folder/hello.cpp" <<'END'
#include <abut.h>
#include <cstdio>
int main()
{
  abut_scene *s = nullptr;
  abut_status status = abut_create(nullptr, &s);
  std::printf("abut %s from C++\n", abut_version());
  abut_destroy(s);
  return abut_exit_code(status);
}
END
cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(outside LANGUAGES ${LANGUAGE})
find_package(abut 0.1 REQUIRED ${COMPONENTS})
add_executable(hello ${SOURCE})
target_link_libraries(hello PRIVATE ${TARGET})
END
bad=0
run() {
  if "$@" >"$folder/log" 2>&1; then tail -n 1 "$folder/log"; else cat "$folder/log"; bad=1; fi
}
package() { # language, source, components, target
  out=$folder/$1-$4
  cmake -S "$folder" -B "$out" -DCMAKE_PREFIX_PATH="$folder/abut" -DLANGUAGE="$1" -DSOURCE="$2" \
    -DCOMPONENTS="$3" -DTARGET="$4" >"$folder/log" 2>&1 && cmake --build "$out" >>"$folder/log" 2>&1 ||
    { cat "$folder/log"; bad=1; return; }
  printf '%s: ' "$1 $4"
  run "$out/hello"
}
package C hello.c "" abut::abut
package C hello.c "COMPONENTS;static" abut::static
package CXX hello.cpp "" abut::abut
package CXX hello.cpp "COMPONENTS;static" abut::static

pc=$(dirname "$(find "$folder/abut" -name abut.pc)")
lib=$(dirname "$pc")
export PKG_CONFIG_PATH="$pc"
# shellcheck disable=SC2046  # lists of words
cc "$folder/hello.c" -o "$folder/hello" $(pkg-config --cflags --libs abut) "-Wl,-rpath,$lib" || bad=1
printf 'pkg-config: '
run "$folder/hello"
rm -f "$lib"/libabut.so*
# shellcheck disable=SC2046
cc "$folder/hello.c" -o "$folder/static" $(pkg-config --static --cflags --libs abut) || bad=1
printf 'pkg-config --static: '
run "$folder/static"
run "$folder/abut/bin/abut" --version
exit $bad
