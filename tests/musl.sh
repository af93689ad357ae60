#!/usr/bin/env bash
# Programs of musl, another C library than the one this library is built with: linked with it, with libllhttp.a
# statically, and loading it with dlopen; and the library built by musl's compiler.
#
#   tests/musl.sh BUILD_DIR
#
# BUILD_DIR/lib must have the library. Needs musl-gcc (Debian: musl-tools); MUSL_CC names another. The conventional
# build is left out: docs/compat.md says what it does there. The last line is "N passed, M failed".
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
cc=${MUSL_CC:-musl-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"

compile() { $cc -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$build/include" -pthread "$@"; }

check "build by $cc" env LLHTTP_BUILD_DIR="$work/build" CC="$cc" "$root/build.sh" lib
for name in results rewind fields lifetimes api hostile abi simd; do
  check "compile $name" compile -o "$work/$name" "$root/tests/c/$name.c" -L"$build/lib" -lllhttp
  check "$name" env LD_LIBRARY_PATH="$build/lib" "$work/$name"
done
check "the programs are musl's" sh -c 'readelf -lW "$1" | grep "interpreter: .*ld-musl"' - "$work/api"

for name in api hostile; do
  check "$name, library built by $cc" env LD_LIBRARY_PATH="$work/build/lib" "$work/$name"
  check "compile $name, static" compile -static -o "$work/$name-static" "$root/tests/c/$name.c" "$build/lib/libllhttp.a"
  check "$name, static" "$work/$name-static"
done
check "that library needs no glibc" sh -c '! readelf -dW "$1" | grep "NEEDED.*libc.so.6"' - "$work/build/lib/libllhttp.so"

check "compile dlopen" compile -o "$work/dlopen" "$root/tests/c/dlopen.c"
for library in "$build/lib/libllhttp.so.9.4" "$work/build/lib/libllhttp.so.9.4"; do
  check "dlopen $library" "$work/dlopen" "$library"
done

closing
