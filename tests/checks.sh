# shellcheck shell=sh disable=SC2154 # work is the script's
# For scripts that run a list of tests, each a command: they set `work`, a folder, and read this file (`. tests/checks.sh`). POSIX
# shell. What must hold in them: all that is to count goes through check, and closing is their last command.
passed=0 failed=0 skipped=0

# check NAME COMMAND...: runs a test and counts it, or what it counts itself: its last line "N passed, M failed". Its output
# is in $work/log until the next one, and is shown if it fails, but for what has passed in it.
check() {
  check_name=$1
  check_started=$(date +%s)
  shift
  if "$@" >"$work/log" 2>&1 </dev/null; then
    check_count=$(sed -n 's/^\([0-9]*\) passed, 0 failed.*/\1/p' "$work/log" | tail -n 1)
    passed=$((passed + ${check_count:-1}))
    echo "ok   $check_name${check_count:+: $check_count passed}, $(($(date +%s) - check_started)) s"
  else
    failed=$((failed + 1))
    echo "FAIL $check_name:"
    grep -v '^ok   ' "$work/log" | tail -n 80 | sed 's/^/  | /'
  fi
}

# skip NAME REASON: what cannot be tested here. LLHTTP_TEST_STRICT=1 makes that a failure.
skip() {
  skipped=$((skipped + 1))
  echo "skip $1: $2"
}

# fails COMMAND...: holds if the command does not.
# shellcheck disable=SC2329 # for the scripts
fails() { ! "$@"; }

# refuses PATTERN COMMAND...: holds if the command fails, and says PATTERN, however it breaks its lines.
# shellcheck disable=SC2329 # for the scripts
refuses() {
  refuses_pattern=$1
  shift
  if refuses_said=$("$@" 2>&1); then
    printf 'it succeeded:\n%s\n' "$refuses_said"
    return 1
  fi
  printf '%s\n' "$refuses_said"
  printf '%s' "$refuses_said" | tr -s ' \n' '  ' | grep -q -- "$refuses_pattern"
}

# same NAME GOT WANT: checks that two texts are equal.
# shellcheck disable=SC2329 # for the scripts
same() { check "$1" equal "$2" "$3"; }
# shellcheck disable=SC2329
equal() { [ "$1" = "$2" ] || ! printf 'got\n%s\nwant\n%s\n' "$1" "$2"; }

# closing: sums up; a script in which nothing was tested has failed.
closing() {
  if [ "$skipped" -ne 0 ] && [ "${LLHTTP_TEST_STRICT:-0}" = 1 ]; then
    echo "FAIL $skipped skipped, and LLHTTP_TEST_STRICT is set"
    failed=$((failed + 1))
  fi
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
