#!/bin/sh
# Every test of the arm64 build that an emulated CPU can run.
#
#   ./build.sh lib --target arm64
#   tests/arm64.sh BUILD_DIR            BUILD_DIR: build/arm64
#
# Needs Go, a C and a C++ compiler and binutils for aarch64-linux-gnu, and qemu-aarch64. On an arm64 machine: `./build.sh lib`
# and llhttp-trace, QEMU= (empty), and TRIPLE= (empty) for the tools without a prefix.
# LLHTTP_VECTORS: the folder of conformance vectors (default: ../shared/vectors beside the repository).
#
# Prints a line per test, the end of the output of each that fails, and "N passed, M failed".
set -u
[ $# -eq 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
lib=$build/lib/libllhttp.so.9.4.3
triple=${TRIPLE-aarch64-linux-gnu}
prefix=${triple:+$triple-}
cc=${prefix}gcc
cxx=${prefix}g++
sysroot=${SYSROOT:-/usr/$triple}
qemu=${QEMU-qemu-aarch64 -L $sysroot}
vectors=${LLHTTP_VECTORS:-$root/../shared/vectors}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
cd "$root" || exit 2

# Emulation makes some measurements meaningless and the rest slow.
export LLHTTP_TEST_EMULATED=1 LLHTTP_TEST_ROUNDS="${LLHTTP_TEST_ROUNDS:-2000}" LLHTTP_TEST_STORM="${LLHTTP_TEST_STORM:-50}"
export LLHTTP_REQUIRE_LEVELS=neon
unset LLHTTP_SIMD

for file in "$lib" "$build/lib/libllhttp.a" "$build/bin/llhttp-trace" "$build/include/llhttp.h"; do
  [ -e "$file" ] || { echo "arm64.sh: $file is missing: run ./build.sh lib --target arm64" >&2; exit 2; }
done
for tool in go "$cc" "$cxx" "${prefix}objdump" ${qemu%% *}; do
  command -v "$tool" >/dev/null 2>&1 || { echo "arm64.sh: $tool is missing" >&2; exit 2; }
done

# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"

# emulated COMMAND...: on the emulated CPU, with the library that was built.
emulated() { LD_LIBRARY_PATH=$build/lib $qemu "$@"; }

# at LEVEL COMMAND...: with the kernels of that level.
at() (
  export LLHTTP_SIMD="$1"
  shift
  "$@"
)

machine() { "${prefix}readelf" -hW "$lib" | grep 'Machine: *AArch64'; }

# go_test PACKAGE...: the Go tests, compiled for arm64 and emulated.
go_test() { GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go test ${qemu:+-exec "$qemu"} "$@"; }

go_vet() { GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go vet -unsafeptr=false . ./core/...; }

# compile NAME SOURCE [OPTION...]
compile() (
  case $2 in
    *.cpp) compiler="$cxx -std=c++11" ;;
    *) compiler="$cc -std=c11" ;;
  esac
  out=$work/$1
  shift
  $compiler -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$build/include" -o "$out" "$@"
)

convert() { go run ./tests/vectors/convert "$vectors" >"$work/vectors.txt"; }

check "the library is for arm64" machine
check "go vet" go_vet
check "go test core" go_test -short ./core
check "go test core, generic" at generic go_test -short -count=1 ./core
check "go test core/asm" go_test -short ./core/asm
check "go test of the package for Go programs" go_test .
check "exports" env NM="${prefix}nm" READELF="${prefix}readelf" sh tests/c/exports.sh "$lib" "$build/include"
check "freestanding" env OBJDUMP="${prefix}objdump" go run ./tests/freestanding "$lib"
check "freestanding can fail" env OBJDUMP="${prefix}objdump" go run ./tests/freestanding ${triple:+-target arm64} -self-test .

for source in tests/c/*.c tests/c/*.cpp; do
  name=$(basename "${source%.*}")
  case $name in
    linear) ;; # counts instructions with valgrind, not under emulation
    nothing | dlopen) # load the library themselves
      check "compile $name" compile "$name" "$source" -rdynamic -pthread -ldl
      check "$name" emulated "$work/$name" "$lib"
      ;;
    *)
      check "compile $name" compile "$name" "$source" -L"$build/lib" -lllhttp -pthread -ldl
      check "$name" emulated "$work/$name"
      ;;
  esac
done
check "compile static" compile static tests/c/api.c -static "$build/lib/libllhttp.a"
check "static: api" emulated "$work/static"

check "compile vectors" compile vectors tests/vectors/runner.c -L"$build/lib" -lllhttp
check "convert vectors" convert
for level in neon generic; do
  check "vectors, $level" at "$level" emulated "$work/vectors" "$work/vectors.txt"
done

for name in tape head; do
  check "compile $name" compile "$name" "tests/$name/$name.c" tests/diff/generate.c tests/diff/corpus.c -L"$build/lib" -lllhttp
  for level in neon generic; do
    check "$name, $level" at "$level" emulated "$work/$name" --count 500
  done
done

# wrapper NAME PROGRAM: $work/NAME runs the program on the emulated CPU.
wrapper() {
  printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec %s "%s" "$@"\n' "$build/lib" "$qemu" "$2" >"$work/$1"
  chmod +x "$work/$1"
}
wrapper llhttp-trace "$build/bin/llhttp-trace"
check "llhttp-trace" sh tests/trace/trace_test.sh "$work/llhttp-trace"
# shellcheck disable=SC2046 # a list of files
check "compile batch" compile batch tests/cases/batch.c $(find tools/trace -name '*.c' ! -name main.c) -L"$build/lib" -lllhttp -ldl
wrapper emulated-batch "$work/batch"
check "cases" go run ./tests/cases/runner -splits=false -batch -trace "$work/emulated-batch" tests/cases/*.md docs/lenient.md

closing
