#!/bin/sh
# What the shared library can call: every symbol that it takes from elsewhere is one of those below. So it cannot print,
# end the process, start a thread, touch a signal, open a file or block: it has nothing to do that with.
# tests/freestanding looks for system calls of its own in the parser's code.
#
#   imports.sh LIBRARY
#
# Needs nm (NM names another, for cross builds).
set -u
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/../checks.sh"

harmless() {
    case $1 in
        memcmp | memcpy | memmove | memset | strcmp | strlen | strncat) ;; # bytes in memory
        malloc | free) ;;                # llhttp_alloc and llhttp_free; nothing.c counts the calls
        secure_getenv | getauxval) ;;    # at load: LLHTTP_SIMD, and the CPU on arm64
        _ITM_*TMCloneTable | __cxa_finalize | __gmon_start__) ;; # the compiler's start and end
        *) return 1 ;;
    esac
}

# A library without a list of symbols has failed: nothing is tested.
for name in $("${NM:-nm}" -D --undefined-only "$1" | awk '{ print $NF }' | sed 's/@.*//' | sort -u); do
    check "it may call $name" harmless "$name"
done
closing
