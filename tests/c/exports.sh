#!/bin/sh
# What the dynamic linker sees of the shared library.
#
#   exports.sh LIBRARY [INCLUDE_DIR]
#
# LIBRARY must export every name of exports.txt, and nothing that does not begin with llhttp_, but for the two functions of
# http_parser.h, whose names are http_parser's, since programs call them by these. With INCLUDE_DIR, every exported name must
# be declared in one of its headers. With LLHTTP_TEST_REFERENCE set, LIBRARY is llhttp itself, which
# exports some internals. Needs nm and readelf (NM and READELF name others, for cross builds).
set -u
lib=$1
include=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
readelf=${READELF:-readelf}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$here/../checks.sh"

"${NM:-nm}" -D --defined-only "$lib" | awk '{ print $NF }' | sed 's/@.*//' | sort -u >"$work/exported"
"$readelf" -dW "$lib" >"$work/dynamic"
"$readelf" -lW "$lib" >"$work/segments"
"$readelf" -rW "$lib" >"$work/relocations"

# Each of these prints what should not be, and succeeds if there is something.
missing() { sort "$here/exports.txt" | comm -23 - "$work/exported" | grep .; }
foreign() { grep -vx -e 'llhttp_.*' -e http_parser_parse_url -e http_parser_url_init "$work/exported"; }
undeclared() { while read -r name; do grep -qw -- "$name" "$include"/*.h || echo "$name"; done <"$work/exported" | grep .; }
# libc and the dynamic linker are all it may need.
other_libraries() { grep NEEDED "$work/dynamic" | grep -v -e '\[libc\.so\.6\]' -e '\[ld-linux'; }

check 'it has names' test -s "$work/exported"
check 'every name of exports.txt is exported' fails missing
check 'every exported name is llhttp_*' fails foreign
[ -z "$include" ] || [ -n "${LLHTTP_TEST_REFERENCE:-}" ] || check 'every exported name is declared' fails undeclared
check 'the soname is libllhttp.so.9.4' grep 'SONAME.*\[libllhttp\.so\.9\.4\]' "$work/dynamic"
check 'code need not be relocated' fails grep TEXTREL "$work/dynamic"
check 'no run path is set' fails grep 'RPATH\|RUNPATH' "$work/dynamic"
# A program may have a copy of llhttp of its own, whose symbols come first.
[ -n "${LLHTTP_TEST_REFERENCE:-}" ] ||
    check 'it does not call its own functions by name' fails grep 'llhttp_\|http_parser_' "$work/relocations"
# A Go runtime cannot be unloaded, and has thread-local storage of a kind that musl's dlopen refuses.
if [ -z "${LLHTTP_TEST_GO_RUNTIME:-}" ]; then
    check 'dlclose is not disabled' fails grep NODELETE "$work/dynamic"
    check 'it has no thread-local storage' fails grep '^ *TLS ' "$work/segments"
fi
check 'there is a GNU_STACK' grep GNU_STACK "$work/segments"
check 'the stack is not executable' fails grep 'GNU_STACK.*RWE' "$work/segments"
check 'no segment is writable and executable' fails grep 'LOAD.*RWE' "$work/segments"
check 'it needs libc alone' fails other_libraries

closing
