#!/usr/bin/env bash
# Which levels the library finds, on this CPU and on emulated ones; what llhttp_ext.h promises of LLHTTP_SIMD.
#
#   tests/simd.sh BUILD_DIR
#
# Both builds of the library must be there: one asks the compiler's runtime what the CPU has, the other Go's x/sys/cpu, and
# their answers must agree. On x86-64 this needs qemu-x86_64 (Debian: qemu-user). What levels do is tested by tests/c/simd.c.
# LLHTTP_REQUIRE_LEVELS: levels that this machine must have, with commas between.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
required=${LLHTTP_REQUIRE_LEVELS:-}
read -ra cc <<<"${CC:-gcc}"
direct=$build/lib
conventional=$build/conventional/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. "$root/tests/checks.sh"
unset LLHTTP_SIMD
compile() {
  "${cc[@]}" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$build/include" -o "$1" "$root/tests/c/simd.c" \
    -L"$direct" -lllhttp -pthread "${@:2}"
}
compile "$work/simd" || exit 1

# state LIBDIR [COMMAND...]: what the program says on that build, run by the command.
state() { LD_LIBRARY_PATH=$1 "${@:2}" "$work/simd" --state 2>"$work/stderr" || cat "$work/stderr"; }
levels() { state "$@" | sed -n 's/^available: //p'; }

same "the two detections" "$(state "$direct")" "$(state "$conventional")"
for level in ${required//,/ }; do
  for lib in "$direct" "$conventional"; do
    same "$level is required" "$(levels "$lib" | tr -d ' ' | tr , '\n' | grep -cx "$level")" 1
  done
done
for value in '' generic sse4.2 avx2 neon avx9 $'a\nb'; do
  same "LLHTTP_SIMD=$value" "$(LLHTTP_SIMD=$value state "$direct")" "$(LLHTTP_SIMD=$value state "$conventional")"
done

# The variable is read when the library is loaded, not when the process starts.
for lib in "$direct" "$conventional"; do
  for value in generic avx9; do
    want=$(LLHTTP_SIMD=$value state "$lib")
    got=$(LLHTTP_SIMD=neon python3 - "$lib/libllhttp.so" "$value" <<'PYTHON'
import ctypes, os, sys
os.environ["LLHTTP_SIMD"] = sys.argv[2]
lib = ctypes.CDLL(sys.argv[1])
lib.llhttp_ext_simd_name.restype = lib.llhttp_ext_simd_error.restype = ctypes.c_char_p
levels = [i for i in range(32) if lib.llhttp_ext_simd_available() >> i & 1]
print("available:", ", ".join(lib.llhttp_ext_simd_name(i).decode() for i in levels))
print("level:", lib.llhttp_ext_simd_name(lib.llhttp_ext_simd_get()).decode())
print("error:", (lib.llhttp_ext_simd_error() or b"none").decode())
PYTHON
)
    same "set to $value before $lib is loaded" "$got" "$want"
  done
done

# can_raise DIR: whether the system looks at the setuid bit of programs there.
can_raise() {
  case ,$(findmnt -n -o OPTIONS -T "$1" 2>/dev/null), in
    *,nosuid,*) return 1 ;;
  esac
  # Nor is it looked at in a process that has given up new privileges.
  [ "$(sed -n 's/^NoNewPrivs:[[:space:]]*//p' /proc/self/status)" != 1 ]
}

# A program with another user's privileges does not look at the variable: neither root with those of a user, nor a
# user with root's. Only root can make such programs.
if [ "$(id -u)" -ne 0 ]; then
  echo "note: not root; that a setuid program does not look at LLHTTP_SIMD is not tested"
elif setuid=$(for dir in "$work" "$build"; do can_raise "$dir" && echo "$dir" && break; done); [ -z "$setuid" ]; then
  echo "note: $work and $build are mounted nosuid; that a setuid program does not look at LLHTTP_SIMD is not tested"
else
  user=65534
  setuid=$(mktemp -d "$setuid/setuid.XXXXXX")
  trap 'rm -rf "$work" "$setuid"' EXIT
  chmod 755 "$work" "$setuid"
  as_user() { setpriv --reuid=$user --regid=$user --clear-groups env LLHTTP_SIMD=generic "$@"; }
  for lib in "$direct" "$conventional"; do
    cp "$lib/libllhttp.so.9.4" "$setuid/"
    compile "$setuid/simd" -Wl,-rpath,"$setuid" || exit 1
    chown $user "$setuid/simd"
    same "not setuid, $lib" "$(LLHTTP_SIMD=generic "$setuid/simd" --state | sed -n 2p)" "level: generic"
    chmod 4755 "$setuid/simd"
    same "root with a user's rights, $lib" "$(LLHTTP_SIMD=generic "$setuid/simd" --state)" "$(state "$lib")"
    # The user may not be able to get there.
    if as_user test -x "$setuid/simd"; then
      same "a user, $lib" "$(as_user "$setuid/simd" --state | sed -n 2p)" "level: generic" # the user's own program
      chown root "$setuid/simd"
      chmod 4755 "$setuid/simd"
      same "a user with root's rights, $lib" "$(as_user "$setuid/simd" --state)" "$(state "$lib")"
    else
      echo "note: user $user does not get to $setuid"
    fi
  done
fi

if [ "$(uname -m)" = x86_64 ]; then
  # A CPU, and what it has. The first lacks SSSE3, the next two AVX2.
  while read -r cpu want; do
    for lib in "$direct" "$conventional"; do
      same "$cpu, $lib" "$(levels "$lib" qemu-x86_64 -cpu "$cpu")" "$want"
    done
    same "parsing on $cpu" "$(LLHTTP_TEST_EMULATED=1 LD_LIBRARY_PATH=$direct qemu-x86_64 -cpu "$cpu" "$work/simd" 2>&1 |
      grep -c ' passed, 0 failed$')" 1
  done <<'CPUS'
qemu64 generic
Nehalem generic, sse4.2
Westmere generic, sse4.2
Haswell generic, sse4.2, avx2
CPUS
  same "avx2 on Westmere" "$(LLHTTP_SIMD=avx2 state "$direct" qemu-x86_64 -cpu Westmere | tail -n 2)" \
    "level: sse4.2
error: LLHTTP_SIMD=avx2 is ignored: not available on this CPU; available: generic, sse4.2"
fi

# The header alone, in C and in C++, before llhttp.h and after.
for order in 'llhttp_ext.h' 'llhttp_ext.h llhttp.h' 'llhttp.h llhttp_ext.h'; do
  for standard in c99 c11 c++11 c++20; do
    language=${standard%%[0-9]*}
    for header in $order; do echo "#include \"$header\""; done |
      "${cc[@]}" -x "$language" -std="$standard" -pedantic -Wall -Wextra -Werror -I"$build/include" -fsyntax-only - >"$work/out" 2>&1
    same "$order as $standard" "$?$(cat "$work/out")" 0
  done
done

closing
