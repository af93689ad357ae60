#!/usr/bin/env bash
# The C programs and the library under AddressSanitizer with UndefinedBehaviorSanitizer, and under ThreadSanitizer.
# The sanitizers see the library's C; for its Go code there are guard pages. And a host under AddressSanitizer with
# the library as it is.
#
#   tests/hosts/sanitizers.sh BUILD_DIR
#
# BUILD_DIR holds the library; the sanitized ones are built below it.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
read -ra cc <<<"${CC:-gcc}"
read -ra cxx <<<"${CXX:-g++}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
unset LLHTTP_SIMD
cd "$root" || exit 2

# flags SANITIZERS: what is sanitized stops at the first fault.
flags() { echo "-g -fno-omit-frame-pointer -fsanitize=$1 -fno-sanitize-recover=all"; }

# sanitize NAME SANITIZERS PROGRAM...: the library and programs.
sanitize() {
  local name=$1 flags
  flags=$(flags "$2")
  shift 2
  check "$name: build" env LLHTTP_BUILD_DIR="$build/sanitized/$name" CFLAGS="$flags" ./build.sh lib
  check "$name: the library calls the sanitizer" sh -c 'nm -D "$1" | grep "U __[a-z]*san_"' - \
    "$build/sanitized/$name/lib/libllhttp.so"
  programs "$name" "$build/sanitized/$name/lib" "$flags" "$@"
}

# program LIBDIR FLAGS SOURCE PROGRAM: compiles and runs one.
program() {
  local compiler=("${cc[@]}" -std=c11) options
  read -ra options <<<"$2"
  case $3 in *.cpp) compiler=("${cxx[@]}" -std=c++11) ;; esac
  "${compiler[@]}" -D_GNU_SOURCE -O1 "${options[@]}" -I"$build/include" -o "$4" "tests/c/$3" -L"$1" -lllhttp -pthread &&
    LD_LIBRARY_PATH=$1 "$4" </dev/null
}

# programs NAME LIBDIR FLAGS SOURCE...: two at a time; then what they said, in order.
programs() {
  local name=$1 lib=$2 flags=$3 source at
  shift 3
  for source; do
    at=$work/$name-${source%.*}
    { program "$lib" "$flags" "$source" "$at" >"$at.log" 2>&1; echo $? >"$at.status"; } &
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
  done
  wait
  for source; do
    at=$work/$name-${source%.*}
    check "$name: ${source%.*}" sh -c 'cat "$1.log"; exit "$(cat "$1.status")"' - "$at"
  done
}

sanitize address address,undefined abi.c api.c bounds.c cxx_include.cpp hostile.c hosts.c leave.cpp lifetimes.c \
  results.c rewind.c simd.c
sanitize thread thread hosts.c leave.cpp simd.c
programs host "$build/lib" "$(flags address,undefined)" bounds.c hosts.c leave.cpp

closing
