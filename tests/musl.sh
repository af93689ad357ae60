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
passed=0 failed=0

# run NAME COMMAND...: a program of tests/c, whose last line counts its checks.
run() {
  local name=$1 log=$work/log line
  shift
  if "$@" >"$log" 2>&1; then
    line=$(grep -E '^[0-9]+ passed, 0 failed' "$log" | tail -n 1)
    passed=$((passed + ${line%% *}))
  else
    failed=$((failed + 1))
    printf 'musl.sh: %s: exit status %d\n' "$name" $?
    tail -n 30 "$log"
  fi
}

check() {
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'musl.sh: %s\n' "$what"
  fi
}

compile() { $cc -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$build/include" -pthread "$@"; }

LLHTTP_BUILD_DIR="$work/build" CC="$cc" "$root/build.sh" lib >"$work/build.log" 2>&1 || {
  cat "$work/build.log"
  exit 1
}
for name in results rewind fields lifetimes api hostile abi simd; do
  compile -o "$work/$name" "$root/tests/c/$name.c" -L"$build/lib" -lllhttp || exit 1
  run "$name" env LD_LIBRARY_PATH="$build/lib" "$work/$name"
done
check "the programs are not musl's" sh -c "readelf -lW '$work/api' | grep -q 'interpreter: .*ld-musl'"

for name in api hostile; do
  run "$name, library built by $cc" env LD_LIBRARY_PATH="$work/build/lib" "$work/$name"
  compile -static -o "$work/$name-static" "$root/tests/c/$name.c" "$build/lib/libllhttp.a" || exit 1
  run "$name, static" "$work/$name-static"
done
check "that library needs glibc" sh -c "! readelf -dW '$work/build/lib/libllhttp.so' | grep -q 'NEEDED.*libc.so.6'"

compile -o "$work/dlopen" "$root/tests/c/dlopen.c" || exit 1
for library in "$build/lib/libllhttp.so.9.4" "$work/build/lib/libllhttp.so.9.4"; do
  run "dlopen $library" "$work/dlopen" "$library"
done

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
