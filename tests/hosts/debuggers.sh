#!/usr/bin/env bash
# What gdb and valgrind show of the library: its Go and assembly functions by name, and behind them every frame up to
# main. tests/c/unwind.c asks the C++ runtime's unwinder the same, at each instruction.
#
#   tests/hosts/debuggers.sh BUILD_DIR
#
# Needs gdb with Python in it, and valgrind.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
read -ra cc <<<"${CC:-gcc}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
unset LLHTTP_SIMD
cd "$root" || exit 2

# compile NAME SOURCE LIBRARY...
compile() {
  local name=$1 source=$2
  shift 2
  check "compile $name" "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$build/include" \
    -o "$work/$name" "$source" "$@" -pthread
}

compile unwind tests/c/unwind.c -L"$build/lib" -lllhttp
compile unwind_static tests/c/unwind.c "$build/lib/libllhttp.a"
compile uninitialised tests/hosts/uninitialised.c -L"$build/lib" -lllhttp

export LD_LIBRARY_PATH=$build/lib
# gdb PROGRAM FILE: FILE has the library's functions.
in_gdb() { SYMBOLS_OF=$2 timeout 120 gdb -nx -batch -x tests/hosts/gdb_frames.py --args "$1" --parse; }
check "gdb" in_gdb "$work/unwind" "$build/lib/libllhttp.so.9.4.3"
check "gdb, static library" in_gdb "$work/unwind_static" "$work/unwind_static"

# The first fault that valgrind finds is in a kernel of the level: its name comes first, main last.
valgrind_names() {
  LLHTTP_SIMD=$1 valgrind --error-exitcode=9 "$work/uninitialised" >"$work/valgrind" 2>&1
  [ $? -eq 9 ] || { cat "$work/valgrind"; return 1; }
  awk '/^==[0-9]+== (Conditional|Use of)/ { on = 1; next } on && !/ (at|by) 0x/ { exit } on { print }' \
    "$work/valgrind" >"$work/frames"
  cat "$work/frames"
  head -n 1 "$work/frames" | grep -q "llhttpgo/core/asm\.$2" && grep -q 'llhttpgo/core\.Step' "$work/frames" &&
    grep -q llhttp_core_step "$work/frames" && tail -n 1 "$work/frames" | grep -q ': main (uninitialised.c' &&
    ! grep -q '???' "$work/frames"
}
case $(uname -m) in
  x86_64) levels='generic: sse4.2:fieldLinesSSE42 avx2:fieldLinesAVX2' ;;
  aarch64) levels='generic: neon:fieldLinesNEON' ;;
esac
for level in $levels; do check "valgrind, ${level%:*}" valgrind_names "${level%:*}" "${level#*:}"; done

closing
