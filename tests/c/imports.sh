#!/bin/sh
# What the shared library can call: every symbol that it takes from elsewhere is one of those below. So it cannot print,
# end the process, start a thread, touch a signal, open a file or block: it has nothing to do that with.
# tests/freestanding looks for system calls of its own in the parser's code.
#
#   imports.sh LIBRARY
#
# Needs nm (NM names another, for cross builds).
set -u
lib=$1
nm=${NM:-nm}
passed=0
failed=0

imported=$("$nm" -D --undefined-only "$lib" | awk '{ print $NF }' | sed 's/@.*//' | sort -u)
[ -n "$imported" ] || {
    echo "imports.sh: $lib has no list of symbols" >&2
    exit 1
}
for name in $imported; do
    case $name in
        memcmp | memcpy | memmove | memset | strcmp | strlen | strncat) ;; # bytes in memory
        malloc | free) ;;                # llhttp_alloc and llhttp_free; nothing.c counts the calls
        secure_getenv | getauxval) ;;    # at load: LLHTTP_SIMD, and the CPU on arm64
        _ITM_*TMCloneTable | __cxa_finalize | __gmon_start__) ;; # the compiler's start and end
        *)
            failed=$((failed + 1))
            echo "imports.sh: it can call $name" >&2
            continue
            ;;
    esac
    passed=$((passed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
