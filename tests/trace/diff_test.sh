#!/usr/bin/env bash
# llhttp-trace --diff: with the library itself, with llhttp as Debian ships it, and with libraries that have a fault.
#
#   tests/trace/diff_test.sh BUILD_DIR
#
# BUILD_DIR/reference has Debian's llhttp if it could be fetched; what needs it is skipped otherwise.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd) || exit 2
trace=$build/bin/llhttp-trace
work=$build/tests/trace
passed=0 failed=0
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 2

check() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL %s\n  exit status %s, output and complaint:\n' "$name" "$status"
    sed 's/^/  | /' out err
  fi
}

# diff LIBRARY [ARGUMENT...]: sets status, out, err.
diff() {
  status=0
  "$trace" --diff "$@" >out 2>err || status=$?
}
status_is() { [ "$status" -eq "$1" ]; }
out_has() { grep -qF -e "$1" out; }
err_has() { grep -qF -e "$1" err; }

fault() { # fault NUMBER NAME: makes NAME.so
  local renamed=()
  for name in should_keep_alive execute get_error_reason get_error_pos settings_init; do
    renamed+=(--redefine-sym "llhttp_$name=real_$name")
  done
  "${OBJCOPY:-objcopy}" "${renamed[@]}" "$build/obj/lib/all.o" renamed.o &&
    "${CC:-gcc}" -shared -fPIC -O1 -Wall -Wextra -Werror -DFAULT="$1" -I"$build/include" \
      "$root/tests/trace/other.c" renamed.o -Wl,-soname,libllhttp.so.9.4 -Wl,-Bsymbolic-functions -o "$2.so"
}
number=0 status=0
touch out err
for name in none keep_alive stops reason position layout; do
  check "make $name.so" fault $number $name
  number=$((number + 1))
done

printf 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' >good
printf 'GET / HTTP/1.1\r\nHost : a\r\n\r\n' >bad

diff ./none.so good bad
check "no fault: status, though an input has an error" status_is 0
check "no fault: said for each input" [ "$(grep -c '^no difference in [0-9]* events$' out)" -eq 2 ]
diff ./none.so --json --split each bad
check "no fault, every cut" [ "$(grep -c '^{"event":"same","events":[0-9]*}$' out)" -eq 27 ]

diff ./none.so --rule strict_all --limit fields=1 good bad
check "no fault: with a rule and a limit" status_is 0
diff ./keep_alive.so good
check "a field: status" status_is 3
check "a field: the callback" out_has '-     27          on_headers_complete'
check "a field: this library" grep -q '^-.*keep_alive=yes$' out
check "a field: the other" grep -q '^+.*keep_alive=no$' out
check "a field: what comes before" out_has '      25          on_header_value_complete'
diff ./keep_alive.so --json good
check "a field: JSON" out_has '{"event":"difference","index":13,"this":{"event":"on_headers_complete","offset":27,'

diff ./stops.so good
check "events are missing: status" status_is 3
check "events are missing" out_has '+ (no further event)'
diff ./stops.so --json good
check "events are missing: JSON" out_has '"other":null}'

diff ./reason.so bad
check "a reason: status" status_is 3
check "a reason: both" grep -q '^+.*HPE_INVALID_HEADER_TOKEN: Another' out
diff ./reason.so --json bad
check "a reason: JSON" out_has '"reason":"Another\u0001 reason"'
diff ./position.so bad good
check "a position: status" status_is 3
check "a position: where" out_has '-     20          error'
check "a position: caret" out_has '                    ^'
check "a position: the other input is the same" [ "$(grep -c '^no difference' out)" -eq 1 ]

diff ./layout.so good
check "another layout: refused" status_is 2
check "another layout: why" err_has "its structs are laid out in another way"
check "another layout: no output" [ ! -s out ]
diff "$build/lib/libllhttp.so" good
check "the same file: refused" err_has "is the library that is in use already"
diff ./good good
check "no library: refused" status_is 2
diff ./missing.so good
check "a missing library: refused" err_has "missing.so"
libc=$(ldd "$trace" | sed -n 's/.*libc\.so[^ ]* => \([^ ]*\) .*/\1/p')
diff "$libc" good
check "another library: refused" err_has "it has no llhttp_"

reference=$(echo "$build"/reference/tree/usr/lib/*/libllhttp.so.9.4.3)
if [ -e "$reference" ]; then
  for file in "$root"/examples/*.http; do
    diff "$reference" --split each "$file"
    check "Debian's llhttp, $(basename "$file"), every cut" status_is 0
  done
  diff "$reference" --pieces 1 --lenient all --no-pause good bad
  check "Debian's llhttp, byte by byte" [ "$(grep -c '^no difference' out)" -eq 2 ]
  diff "$reference" --rule strict_all good
  check "Debian's llhttp has no rules" err_has "has no llhttp_ext_init"
  check "Debian's llhttp has no rules: status" status_is 2
else
  echo "skip: no reference"
fi

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
