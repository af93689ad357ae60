# shellcheck shell=sh disable=SC2154 # work is the script's
# For scripts that run a list of tests, each a command: they set `work`, a folder, and read this file (`. tests/checks.sh`). POSIX
# shell. What must hold in them: all that is to count goes through check, and closing is their last command.
passed=0 failed=0

# check NAME COMMAND...: runs a test and counts it, or what it counts itself: its last line "N passed, M failed". Its output
# is in $work/log until the next one, and is shown if it fails.
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
    tail -n 60 "$work/log" | sed 's/^/  | /'
  fi
}

# fails COMMAND...: holds if the command does not.
# shellcheck disable=SC2329 # for the scripts
fails() { ! "$@"; }

# closing: sums up; a script in which nothing was tested has failed.
closing() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
