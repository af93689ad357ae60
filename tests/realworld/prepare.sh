#!/bin/sh
# Makes a small Debian root with the programs of this test, in a cache folder, and prints its path. The packages and
# what they depend on are unpacked, not installed: no maintainer script runs, nothing is configured, no essential
# package is there that no program needs. It needs no privileges; tests/realworld/enter.sh, which runs programs in it,
# does. tests/debian.sh says where the packages come from.
#
# usage: prepare.sh [CACHE_DIR]        default: build/realworld under the repository's root
#
# About 90 MB are fetched and 400 MB stored, in a quarter of a minute with a near mirror. CACHE_DIR/packages has the
# versions, CACHE_DIR/suite the name of the suite that they are from.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cache=${1:-$root/build/realworld}
suites='forky sid'
packages='nodejs python3-pygit2 git tang jose ruby-llhttp wrk libllhttp9.4 dash coreutils'
llhttp=9.4.3

fail() {
  printf 'prepare: %s\n' "$*" >&2
  exit 1
}

if [ -e "$cache/complete" ] && [ "$(cat "$cache/complete")" = "$packages" ]; then
  printf '%s\n' "$cache/root"
  exit 0
fi

command -v xargs >/dev/null 2>&1 || fail "xargs is missing"
. "$root/tests/debian.sh"
debian_open
mkdir -p "$cache"
cache=$(CDPATH='' cd -- "$cache" && pwd)
rm -rf "$cache/root" "$cache/complete" "$cache/packages"

fetch() {  # suite
  debian_suite "$1" deb || return 1
  # shellcheck disable=SC2086 # a list of words
  apt-get -q -y --download-only install $packages >"$debian_work/install.log" 2>&1 || {
    debian_problem="apt-get install failed: $(tail -n 5 "$debian_work/install.log")"
    return 1
  }
  set -- "$debian_work"/archives/libllhttp9.4_"$llhttp"*.deb
  [ -e "$1" ] || {
    debian_problem="no libllhttp9.4 $llhttp there"
    return 1
  }
}

problems=
found=
for suite in $suites; do
  if fetch "$suite"; then
    found=$suite
    break
  fi
  problems="$problems
$suite: $debian_problem"
  rm -f "$debian_work"/archives/*.deb
done
[ -n "$found" ] || fail "cannot get the packages for $debian_arch from $debian_mirror$problems"

# A merged /usr, as Debian has it.
new=$cache/root
mkdir -p "$new/usr/bin" "$new/usr/sbin" "$new/usr/lib" "$new/usr/lib64"
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$new/$folder"; done
printf '%s\0' "$debian_work"/archives/*.deb |
  xargs -0 -P 2 -n 8 sh -c 'new=$1; shift; for deb; do dpkg -x "$deb" "$new" || exit 255; done' unpack "$new" ||
  fail "cannot unpack the packages"
for deb in "$debian_work"/archives/*.deb; do
  dpkg-deb -W --showformat='${Package} ${Version} ${Architecture}\n' "$deb"
done >"$cache/packages"

# What maintainer scripts would have made, so far as the programs ask for it.
for folder in dev proc tmp root run llhttp/library llhttp/tests llhttp/work; do mkdir -p "$new/$folder"; done
chmod 1777 "$new/tmp"
echo 'root:x:0:0:root:/root:/bin/sh' >"$new/etc/passwd"
echo 'root:x:0:' >"$new/etc/group"
printf '127.0.0.1 localhost\n::1 localhost\n' >"$new/etc/hosts"
echo "$found" >"$cache/suite"
echo "$packages" >"$cache/complete"
printf '%s\n' "$new"
