#!/bin/sh
# Fetches Debian's build of llhttp 9.4.3 (library, header, source), the oracle of the differential test, into a cache
# folder and prints the path of the library. Nothing is installed and the system's package sources stay as they are:
# apt runs with lists, cache, sources and status of its own. The mirror is the one this machine's apt already uses for
# Debian, or REFERENCE_MIRROR=uri (with REFERENCE_KEYRING=file if apt does not trust it by itself).
#
# usage: fetch-reference.sh [CACHE_DIR]        default: build/reference under the repository's root
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
cache=${1:-$root/build/reference}
version=9.4.3
suites='forky sid'
packages='libllhttp9.4 libllhttp-dev libllhttp-source'

fail() {
  printf 'fetch-reference: %s\n' "$*" >&2
  exit 1
}

library() {
  for f in "$cache"/tree/usr/lib/*/libllhttp.so.$version; do
    [ -f "$f" ] && [ -f "$cache/tree/usr/include/llhttp.h" ] && [ -f "$cache/complete" ] || return 1
    printf '%s\n' "$f"
    return 0
  done
}

library && exit 0

for tool in apt-get apt-cache apt-config dpkg awk; do
  command -v $tool >/dev/null 2>&1 || fail "$tool is missing; this works on Debian and its derivatives only.
Elsewhere, unpack the packages $packages ($version) into $cache/tree by hand and create $cache/complete."
done

mkdir -p "$cache"
cache=$(CDPATH= cd -- "$cache" && pwd)
case $cache in *[\"\ ]*) fail "apt cannot work in a folder with blanks or quotes in its name: $cache" ;; esac
work=$cache/apt
rm -rf "$work" "$cache/tree" "$cache/complete"
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/sources" "$work/nothing" "$work/deb"
: >"$work/status"

# ---- the mirror: the first source of this machine with Debian's component main; its Signed-By, if it names one

mirror=${REFERENCE_MIRROR:-}
keyring=${REFERENCE_KEYRING:-}
if [ -z "$mirror" ]; then
  # What apt itself makes of its sources, whatever their format: address, and the file and entry it comes from.
  apt-get indextargets --format '$(ORIGIN)|$(RELEASE)|$(COMPONENT)|$(CREATED_BY)|$(REPO_URI)|$(SOURCESENTRY)' \
    >"$work/targets" 2>"$work/targets.log" || fail "apt-get indextargets failed:
$(cat "$work/targets.log")"
  # A security or backports archive has no suite of the names wanted here.
  entry=$(awk -F '|' '
    $3 == "main" && $4 == "Packages" && $5 !~ /security|backports|ubuntu/ && ($1 == "Debian" || $5 ~ /debian/) {
      print $5 "|" $6
      exit
    }' "$work/targets")
  [ -n "$entry" ] || fail "no Debian mirror among this machine's apt sources; set REFERENCE_MIRROR (and REFERENCE_KEYRING)"
  mirror=${entry%%|*}
  source=${entry#*|}
  file=${source%:*}
  number=${source##*:}
  if [ -z "$keyring" ] && [ -r "$file" ]; then
    case $file in
      *.sources)  # the first stanza with this address
        keyring=$(awk -v uri="${mirror%/}" '
          function done() { if (found && key != "" && answer == "") answer = key; found = 0; key = "" }
          /^[ \t]*$/ { done(); next }
          tolower($1) == "uris:" { for (i = 2; i <= NF; i++) { u = $i; sub(/\/$/, "", u); if (u == uri) found = 1 } }
          tolower($1) == "signed-by:" { key = $2 }
          END { done(); print answer }' "$file") ;;
      *)
        keyring=$(awk -v line="$number" '
          NR == line && match($0, /signed-by=[^] ]*/) { print substr($0, RSTART + 10, RLENGTH - 10) }' "$file") ;;
    esac
    case $keyring in /*) ;; *) keyring= ;; esac  # a fingerprint or an embedded key
  fi
fi
mirror=${mirror%/}
if [ -z "$keyring" ] && [ -r /usr/share/keyrings/debian-archive-keyring.gpg ]; then
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
fi
if [ -n "$keyring" ] && [ ! -r "$keyring" ]; then fail "the keyring $keyring is missing"; fi

# ---- apt's own little world: the system's transport settings (proxies, certificates), nothing else of it

arch=$(dpkg --print-architecture)
{
  apt-config dump | awk '/^Acquire::/ && !/^Acquire::(IndexTargets|Languages|Check-|GzipIndexes)/'
  cat <<CONF
Dir::State::lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work";
Dir::Cache::archives "$work/archives";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "$work/nothing";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "$work/nothing";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/sources";
Acquire::Check-Valid-Until "false";
Acquire::Check-Date "false";
Acquire::Languages "none";
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "root";
APT::Get::List-Cleanup "false";
APT::Update::Error-Mode "any";
CONF
} >"$work/apt.conf"
APT_CONFIG=$work/apt.conf
export APT_CONFIG

fetch() {  # suite
  {
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nArchitectures: %s\n' "$mirror" "$1" "$arch"
    if [ -n "$keyring" ]; then printf 'Signed-By: %s\n' "$keyring"; fi
  } >"$work/sources/reference.sources"
  rm -f "$work"/deb/*.deb
  apt-get -q update >"$work/update-$1.log" 2>&1 || {
    problem="apt-get update for $1 failed: $(tail -n 3 "$work/update-$1.log")"
    return 1
  }
  set --
  for p in $packages; do
    all=$(apt-cache madison "$p" | awk -F '|' '{ gsub(/ /, "", $2); print $2 }')
    v=$(printf '%s\n' "$all" | awk -v want="$version" 'index($0, want) == 1 { print; exit }')
    [ -n "$v" ] || {
      problem="no $p $version* there, but: $all"
      return 1
    }
    set -- "$@" "$p=$v"
  done
  (cd "$work/deb" && apt-get -q download "$@") >"$work/download.log" 2>&1 || {
    problem="apt-get download failed: $(tail -n 3 "$work/download.log")"
    return 1
  }
}

problems=
for suite in $suites; do
  problem=
  if fetch "$suite"; then
    problems=
    break
  fi
  problems="$problems
$suite: $problem"
done
[ -z "$problems" ] || fail "cannot get llhttp $version for $arch from $mirror$problems"

for deb in "$work"/deb/*.deb; do
  v=$(dpkg-deb -f "$deb" Version)
  a=$(dpkg-deb -f "$deb" Architecture)
  case $v in $version*) ;; *) fail "$deb has version $v, not $version" ;; esac
  case $a in "$arch" | all) ;; *) fail "$deb is for $a, this machine is $arch" ;; esac
  dpkg -x "$deb" "$cache/tree" || fail "cannot unpack $deb"
done
mv "$work"/deb/*.deb "$cache/"
rm -rf "$work"
: >"$cache/complete"
library || fail "the packages hold no libllhttp.so.$version"
