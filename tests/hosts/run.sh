#!/usr/bin/env bash
# The library in hosts of every kind, at every level: guard pages, forks, threads, signals, callbacks that do not
# return, a Go program. The programs are in tests/c; what runs only the best level is in tests/run.sh.
#
#   tests/hosts/run.sh BUILD_DIR
#
# BUILD_DIR holds both builds of the library. Which levels a machine must have is checked by tests/simd.sh.
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

compile() {
  local name=$1 compiler=("${cc[@]}" -std=c11)
  case $2 in *.cpp) compiler=("${cxx[@]}" -std=c++11) ;; esac
  check "compile $name" "${compiler[@]}" -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$build/include" \
    -o "$build/tests/$name" "$2" -L"$build/lib" -lllhttp -Wl,--enable-new-dtags -pthread
}

mkdir -p "$build/tests"
compile bounds tests/c/bounds.c
compile unwind tests/c/unwind.c
compile leave tests/c/leave.cpp
for name in abi hostile hosts lifetimes results rewind simd; do compile "$name" "tests/c/$name.c"; done

direct=(env "LD_LIBRARY_PATH=$build/lib")
conventional=(env "LD_LIBRARY_PATH=$build/conventional/lib" LLHTTP_TEST_GO_RUNTIME=1)

# These go through the levels by themselves.
for name in bounds leave; do
  check "direct: $name" "${direct[@]}" "$build/tests/$name"
  check "conventional: $name" "${conventional[@]}" "$build/tests/$name"
done
check "direct: unwind" "${direct[@]}" "$build/tests/unwind"
if command -v valgrind >/dev/null; then
  for name in bounds leave unwind; do
    check "valgrind: $name" "${direct[@]}" LLHTTP_TEST_STORM=20 LLHTTP_TEST_EMULATED=1 \
      valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all "$build/tests/$name"
  done
fi

# All but the best level, which is what tests/run.sh tests.
levels=$("${direct[@]}" "$build/tests/simd" --state | sed -n 's/^available: //p' | tr -d , | sed 's/ *[^ ]*$//')
for level in $levels; do
  for name in abi hostile hosts lifetimes results rewind; do
    check "$level: $name" "${direct[@]}" LLHTTP_SIMD="$level" LLHTTP_TEST_STORM=200 "$build/tests/$name"
  done
done

# A module of its own, so that the library's module does not need the library to be vetted. Linked both ways.
go_program() {
  (cd tests/hosts/goprogram && CGO_ENABLED=1 CC="${cc[*]}" CGO_CFLAGS="-O2 '-I$build/include'" CGO_LDFLAGS="$2" \
    go build -o "$work/$1" .)
}
check "Go program, shared library: build" go_program shared "'-L$build/lib' -lllhttp '-Wl,-rpath,$build/lib'"
check "Go program, static library: build" go_program static "'$build/lib/libllhttp.a'"
for kind in shared static; do
  for level in $levels ''; do
    check "Go program, $kind library${level:+, $level}" env ${level:+LLHTTP_SIMD=$level} timeout 120 "$work/$kind"
  done
done

closing
