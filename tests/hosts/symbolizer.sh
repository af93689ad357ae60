#!/usr/bin/env bash
# `./build.sh lib --symbolizer`: Go's report of a crash in the parser names the functions of the host, too. And what
# is said where the module that this takes cannot be fetched, and that no other build knows of the module.
#
#   tests/hosts/symbolizer.sh BUILD_DIR
#
# BUILD_DIR is where the library is built. Not every module proxy has the module: without it, the last part is left out.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
read -ra cc <<<"${CC:-gcc}"
work=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
module=github.com/ianlancetaylor/cgosymbolizer
cd "$root" || exit 2

module_files() { sha256sum go.mod go.sum; }
before=$(module_files)

# With an empty cache and no proxy.
cannot_be_fetched() {
  local out
  if out=$(LLHTTP_BUILD_DIR="$work/build" GOMODCACHE="$work/cache" GOPROXY=off ./build.sh lib --symbolizer 2>&1); then
    echo "it was built"
    return 1
  fi
  echo "$out"
  grep -q "needs the Go module $module v[0-9].*, and it cannot be fetched" <<<"$out" &&
    grep -q 'GOPROXY=off' <<<"$out" && [ ! -e "$work/build/symbolizer" ]
}
check "without the module: a message" cannot_be_fetched
check "go.mod and go.sum are as they were" test "$before" = "$(module_files)"
not_in_the_graph() { go list -m all && ! go list -m all | grep -q "$module" && ! grep -q "$module" go.mod go.sum; }
check "the module is not in the default graph" not_in_the_graph

if ! ./build.sh lib --symbolizer >"$work/build.log" 2>&1 && grep -q 'cannot be fetched' "$work/build.log"; then
  echo "note: $module cannot be fetched here; what is built with it is not tested"
else
  check "build" ./build.sh lib --symbolizer
  export LD_LIBRARY_PATH=$build/symbolizer/lib
  compile() {
    check "compile $1" "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$build/include" \
      -o "$work/$1" "$2" -L"$build/symbolizer/lib" -lllhttp -pthread
  }
  compile crash tests/hosts/crash.c
  # The parser's Go functions, the library's C functions, the host's; innermost first.
  names() {
    "$work/crash" >"$work/report" 2>&1
    cat "$work/report"
    grep -q 'unexpected fault address' "$work/report" || return 1
    awk -v order='llhttpgo/core/asm\\. llhttpgo/core\\.Step ^llhttp_core_step_cgo$ ^serve_connection$ ^main$' '
      BEGIN { n = split(order, name, " "); i = 1 }
      i <= n && $0 ~ name[i] { i++ }
      END { exit i <= n }' "$work/report" && grep -q 'crash\.c:[0-9]' "$work/report"
  }
  check "a crash in the parser names all functions" names
  for name in fields hosts; do
    compile $name tests/c/$name.c
    check "$name" env LLHTTP_TEST_GO_RUNTIME=1 "$work/$name"
  done
fi

closing
