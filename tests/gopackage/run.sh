#!/usr/bin/env bash
# The package for Go programs, at the root of the repository: its tests in every kind of build that a Go program may be, the
# conformance vectors and the documents of tests/cases, and a program of another module.
#
#   tests/gopackage/run.sh
#
# Needs Go alone; a C compiler for the race detector's build. The fuzz targets belong to `./build.sh fuzz go`.
# LLHTTP_TEST_SPLITS: what `splits --tell` has written (tests/splits), to be held against the C library's limits and rules.
# LLHTTP_VECTORS: the folder of conformance vectors (default: ../shared/vectors beside the repository).
# Prints a line per test, the end of the output of each that fails, and "N passed, M failed".
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/llhttp go.XXXXXX") || exit 2
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
cd "$root" || exit 2

vectors=${LLHTTP_VECTORS:-$root/../shared/vectors}
if [ -d "$vectors" ]; then
  check "convert vectors" sh -c 'go run ./tests/vectors/convert "$1" >"$2/vectors.txt"' - "$vectors" "$work"
  export LLHTTP_TEST_VECTORS=$work/vectors.txt
fi

# The levels are chosen by the tests themselves.
check "tests" go test -count=1 .
check "checkptr" go test -count=1 -gcflags='llhttpgo/...=-d=checkptr' -short .
# What doc.go says to who has a debugger.
without_optimisation() {
  go build -o "$work/unoptimised" -gcflags='all=-N -l' -gcflags='llhttpgo/core/...=' -gcflags='encoding/binary=' ./examples/go &&
    "$work/unoptimised" | diff - examples/go/output.txt
}
check "without optimisation, but for core" without_optimisation
check "purego" go test -count=1 -tags purego -short .
check "coverage" go test -count=1 -cover -coverpkg=./core/...,. -run 'TestHead|TestParse' .
check "race" env CGO_ENABLED=1 go test -count=1 -race -short .

# What a program may set before it starts.
levels=${LLHTTP_REQUIRE_LEVELS:-generic}
by_environment() {
  go test -c -o "$work/package.test" . || return
  for level in ${levels//,/ }; do
    LLHTTP_SIMD=$level "$work/package.test" -test.run 'TestParse$' || return
  done
}
check "LLHTTP_SIMD" by_environment

check "the cases' runner" go build -o "$work/runner" ./tests/cases/runner
check "the cases' tool" go build -o "$work/trace" ./tests/gopackage/trace
check "cases" "$work/runner" --batch --trace "$work/trace" tests/cases/*.md docs/lenient.md
check "cases, generic" env LLHTTP_SIMD=generic "$work/runner" --batch --splits=false --trace "$work/trace" tests/cases/*.md

# The README's example, by its own and as another module's.
check "example" sh -c 'go run ./examples/go | diff - examples/go/output.txt'
quoted() {
  for file in examples/go/main.go examples/go/output.txt; do
    case $(cat README.md) in *"$(cat "$file")"*) ;; *) echo "README.md does not show $file" && return 1 ;; esac
  done
}
check "example in README.md" quoted
another_module() (
  mkdir -p "$work/program" && cp examples/go/main.go "$work/program" && cd "$work/program" && go mod init program &&
    go mod edit -require=llhttpgo@v0.0.0 "-replace=llhttpgo=$root" && go mod tidy && go vet . && go build -o program . &&
    ./program | diff - "$root/examples/go/output.txt" &&
    # No cgo: the program is linked statically.
    CGO_ENABLED=0 go build -o static . && ./static | diff - "$root/examples/go/output.txt"
)
check "a program of another module" another_module

# The benchmark's parsers find the same; its figures are not for a test.
check "benchmark" sh -c 'cd bench/gopackage && go vet . && go test -count=1 .'

if command -v qemu-aarch64 >/dev/null && [ "$(go env GOARCH)" = amd64 ]; then
  check "arm64" env LLHTTP_TEST_EMULATED=1 GOARCH=arm64 CGO_ENABLED=0 go test -count=1 -short -exec qemu-aarch64 .
fi

closing
