#!/usr/bin/env bash
# Builds for newer x86-64 CPUs: what they have for certain is not chosen at run time, and what is below it is not there.
#
#   tests/baseline.sh BUILD_DIR
#
# BUILD_DIR holds the library for every CPU, which shows that the checks can fail; those for GOAMD64=v2 and v3 are built
# below it. Needs objdump and nm, and qemu-x86_64 (Debian: qemu-user) to run a build on a CPU that it is not for.
set -uo pipefail
unset LLHTTP_REQUIRE_LEVELS # a build for newer CPUs has fewer

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
cc=${CC:-gcc}
objdump=${OBJDUMP:-objdump}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
unset LLHTTP_SIMD
cd "$root" || exit 1

# readers LIBRARY: the functions that mention the address of asm.level.
readers() {
  local address
  address=$(nm "$1" | sed -n 's/^0*\([0-9a-f]*\) . llhttpgo\/core\/asm\.level$/\1/p')
  [ -n "$address" ] || { echo "no asm.level"; return; }
  $objdump -d -w --no-show-raw-insn "$1" | awk -v mark="# $address " '
    /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); sub(/^llhttpgo\/core\//, "", name) }
    index($0, mark) { print name }' | LC_ALL=C sort -u | xargs
}

# kernels LIBRARY: those that the library has. skipGeneric is small, and has no place of its own where it is inlined.
kernels() {
  nm "$1" | sed -n 's/^.* llhttpgo\/core\/asm\.\(fieldLinesGeneric\|\(fieldLines\|skip\)\(SSE42\|AVX2\)\)\(\.abi0\)\{0,1\}$/\1/p' |
    LC_ALL=C sort -u | xargs
}

# tried LIBDIR COMMAND...: the whole of tests/c/simd.c on that build.
tried() { LD_LIBRARY_PATH=$1 "${@:2}" "$work/simd" 2>&1 | grep -c ' passed, 0 failed$'; }
state() { LD_LIBRARY_PATH=$1 "${@:2}" "$work/simd" --state 2>"$work/stderr" || cat "$work/stderr"; }

$cc -std=c11 -D_GNU_SOURCE -O1 -I"$build/include" -o "$work/simd" tests/c/simd.c -L"$build/lib" -lllhttp -pthread || exit 1

lib=$build/lib/libllhttp.so.9.4.3
same "v1: who reads the level" "$(readers "$lib")" \
  "asm.FieldLines asm.Skip llhttp_core_get_level llhttp_core_set_level llhttpgo/core.(*Head).know"
same "v1: kernels" "$(kernels "$lib")" "fieldLinesAVX2 fieldLinesGeneric fieldLinesSSE42 skipAVX2 skipSSE42"

for version in v2 v3; do
  out=$build/goamd64-$version
  check "$version: build" env LLHTTP_BUILD_DIR="$out" ./build.sh lib --goamd64 $version
  lib=$out/lib/libllhttp.so.9.4.3
  check "$version: freestanding" go run ./tests/freestanding "$lib"
  if [ $version = v2 ]; then
    same "v2: who reads the level" "$(readers "$lib")" \
      "asm.FieldLines asm.Skip llhttp_core_get_level llhttp_core_set_level"
    same "v2: kernels" "$(kernels "$lib")" "fieldLinesAVX2 fieldLinesSSE42 skipAVX2 skipSSE42"
    levels="sse4.2, avx2" old=qemu64 needs=sse4.2
  else
    same "v3: who reads the level" "$(readers "$lib")" "llhttp_core_get_level llhttp_core_set_level"
    same "v3: kernels" "$(kernels "$lib")" "fieldLinesAVX2 skipAVX2"
    levels=avx2 old=Westmere needs=avx2
  fi
  if grep -qw avx2 /proc/cpuinfo; then
    same "$version: parsing" "$(tried "$out/lib" env)" 1
    same "$version: LLHTTP_SIMD=generic" "$(LLHTTP_SIMD=generic state "$out/lib")" "available: $levels
level: avx2
error: LLHTTP_SIMD=generic is ignored: not in this build; available: $levels"
  fi
  same "$version: on $old" "$(state "$out/lib" qemu-x86_64 -cpu $old)" "available: 
level: generic
error: the library is built for CPUs with $needs, which this one lacks"
  # Go's tests of the kernels, in a build that has fewer of them.
  check "$version: go test" env GOAMD64=$version go test -short ./core/asm
done

closing
