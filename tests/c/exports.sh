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
nm=${NM:-nm}
readelf=${READELF:-readelf}
passed=0
failed=0

check() { # check DESCRIPTION COMMAND...
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "exports.sh: $what" >&2
    fi
}

exported=$("$nm" -D --defined-only "$lib" | awk '{ print $NF }' | sed 's/@.*//' | sort -u)
dynamic=$("$readelf" -dW "$lib")
segments=$("$readelf" -lW "$lib")

has() { printf '%s\n' "$1" | grep -qx -- "$2"; }
matches() { printf '%s\n' "$1" | grep -q -- "$2"; }
lacks() { ! matches "$1" "$2"; }
starts() { case $1 in llhttp_* | http_parser_parse_url | http_parser_url_init) return 0 ;; esac; return 1; }
declared() { cat "$include"/*.h | grep -qw -- "$1"; }

while read -r name; do
    check "$name is not exported" has "$exported" "$name"
done < "$here/exports.txt"

for name in $exported; do
    check "$name is exported" starts "$name"
    if [ -n "$include" ] && [ -z "${LLHTTP_TEST_REFERENCE:-}" ]; then
        check "$name is exported and not declared" declared "$name"
    fi
done

check 'the soname is not libllhttp.so.9.4' matches "$dynamic" 'SONAME.*\[libllhttp\.so\.9\.4\]'
check 'code must be relocated' lacks "$dynamic" 'TEXTREL'
check 'a run path is set' lacks "$dynamic" 'RPATH\|RUNPATH'
# A program may have a copy of llhttp of its own, whose symbols come first.
[ -n "${LLHTTP_TEST_REFERENCE:-}" ] || check 'it calls its own functions by name' lacks "$("$readelf" -rW "$lib")" 'llhttp_\|http_parser_'
# A Go runtime cannot be unloaded.
[ -n "${LLHTTP_TEST_GO_RUNTIME:-}" ] || check 'dlclose is disabled' lacks "$dynamic" 'NODELETE'
# musl's dlopen refuses thread-local storage of the kind that Go's runtime has.
[ -n "${LLHTTP_TEST_GO_RUNTIME:-}" ] || check 'it has thread-local storage' lacks "$segments" '^ *TLS '
check 'no GNU_STACK' matches "$segments" 'GNU_STACK'
check 'the stack is executable' lacks "$segments" 'GNU_STACK.*RWE'
check 'a segment is writable and executable' lacks "$segments" 'LOAD.*RWE'

# libc and the dynamic linker are all it may need.
for needed in $(printf '%s\n' "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    case $needed in
        libc.so.6 | ld-linux*) check '' true ;;
        *) check "it needs $needed" false ;;
    esac
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
