# shellcheck shell=sh disable=SC2034 # debian_problem is for the scripts that source this
# Debian's archive for the scripts that need packages newer than this machine's: to be sourced by sh, after
#
#   fail() { ...; exit 1; }        says what went wrong
#
# Nothing is installed and the system's package sources stay as they are: apt runs with lists, cache, sources and
# status of its own, in a folder under TMPDIR that goes when the script ends. The mirror is the one that this machine's
# apt already uses for Debian, or REFERENCE_MIRROR=uri (with REFERENCE_KEYRING=file if apt does not trust it by
# itself).
#
#   debian_open            finds the mirror, makes the folder; sets $debian_work, $debian_arch
#   debian_suite SUITE TYPES   fetches the lists of a suite; TYPES is deb, deb-src or both. From then on apt-get and
#                          apt-cache are about that suite, as seen by a machine on which nothing is installed. On
#                          failure it returns 1 and $debian_problem says why.
#   debian_unpack SUITE FOLDER PACKAGE=VERSION...   both, and what is in the packages in FOLDER
# $debian_mirror is for messages.

debian_open() {
  for debian_tool in apt-get apt-cache apt-config dpkg dpkg-deb awk mktemp; do
    command -v "$debian_tool" >/dev/null 2>&1 ||
      fail "$debian_tool is missing; this works on Debian and its derivatives only"
  done
  debian_work=$(mktemp -d "${TMPDIR:-/tmp}/llhttp-debian.XXXXXX") || fail "no folder for temporary files"
  trap 'rm -rf "$debian_work"' EXIT
  trap 'exit 1' HUP INT TERM
  case $debian_work in
    *[\"\ ]*) fail "apt cannot work in a folder with blanks or quotes in its name: $debian_work; set TMPDIR" ;;
  esac
  mkdir -p "$debian_work/lists/partial" "$debian_work/archives/partial" "$debian_work/sources" "$debian_work/nothing"
  : >"$debian_work/status"
  debian_arch=$(dpkg --print-architecture)
  debian_find_mirror
  debian_configure
}

# The mirror: the first source of this machine with Debian's component main; its Signed-By, if it names one.
debian_find_mirror() {
  debian_mirror=${REFERENCE_MIRROR:-}
  debian_keyring=${REFERENCE_KEYRING:-}
  if [ -z "$debian_mirror" ]; then
    # What apt itself makes of its sources, whatever their format: address, and the file and entry it comes from.
    apt-get indextargets --format '$(ORIGIN)|$(RELEASE)|$(COMPONENT)|$(CREATED_BY)|$(REPO_URI)|$(SOURCESENTRY)' \
      >"$debian_work/targets" 2>"$debian_work/targets.log" || fail "apt-get indextargets failed:
$(cat "$debian_work/targets.log")"
    # A security or backports archive has no suite of the names wanted here.
    entry=$(awk -F '|' '
      $3 == "main" && $4 == "Packages" && $5 !~ /security|backports|ubuntu/ && ($1 == "Debian" || $5 ~ /debian/) {
        print $5 "|" $6
        exit
      }' "$debian_work/targets")
    [ -n "$entry" ] ||
      fail "no Debian mirror among this machine's apt sources; set REFERENCE_MIRROR (and REFERENCE_KEYRING)"
    debian_mirror=${entry%%|*}
    source=${entry#*|}
    file=${source%:*}
    number=${source##*:}
    if [ -z "$debian_keyring" ] && [ -r "$file" ]; then
      case $file in
        *.sources)  # the first stanza with this address
          debian_keyring=$(awk -v uri="${debian_mirror%/}" '
            function done() { if (found && key != "" && answer == "") answer = key; found = 0; key = "" }
            /^[ \t]*$/ { done(); next }
            tolower($1) == "uris:" { for (i = 2; i <= NF; i++) { u = $i; sub(/\/$/, "", u); if (u == uri) found = 1 } }
            tolower($1) == "signed-by:" { key = $2 }
            END { done(); print answer }' "$file") ;;
        *)
          debian_keyring=$(awk -v line="$number" '
            NR == line && match($0, /signed-by=[^] ]*/) { print substr($0, RSTART + 10, RLENGTH - 10) }' "$file") ;;
      esac
      case $debian_keyring in /*) ;; *) debian_keyring= ;; esac  # a fingerprint or an embedded key
    fi
  fi
  debian_mirror=${debian_mirror%/}
  if [ -z "$debian_keyring" ] && [ -r /usr/share/keyrings/debian-archive-keyring.gpg ]; then
    debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  fi
  if [ -n "$debian_keyring" ] && [ ! -r "$debian_keyring" ]; then fail "the keyring $debian_keyring is missing"; fi
}

# apt's own little world: the system's transport settings (proxies, certificates), nothing else of it.
debian_configure() {
  {
    apt-config dump | awk '/^Acquire::/ && !/^Acquire::(IndexTargets|Languages|Check-|GzipIndexes)/'
    cat <<CONF
Dir::State::lists "$debian_work/lists";
Dir::State::status "$debian_work/status";
Dir::Cache "$debian_work";
Dir::Cache::archives "$debian_work/archives";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "$debian_work/nothing";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "$debian_work/nothing";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$debian_work/sources";
Acquire::Check-Valid-Until "false";
Acquire::Check-Date "false";
Acquire::Languages "none";
APT::Architecture "$debian_arch";
APT::Architectures { "$debian_arch"; };
APT::Sandbox::User "root";
APT::Install-Recommends "false";
APT::Get::List-Cleanup "false";
APT::Update::Error-Mode "any";
CONF
  } >"$debian_work/apt.conf"
  APT_CONFIG=$debian_work/apt.conf
  export APT_CONFIG
}

debian_suite() {
  {
    printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main\nArchitectures: %s\n' \
      "$2" "$debian_mirror" "$1" "$debian_arch"
    if [ -n "$debian_keyring" ]; then printf 'Signed-By: %s\n' "$debian_keyring"; fi
  } >"$debian_work/sources/reference.sources"
  apt-get -q update >"$debian_work/update-$1.log" 2>&1 || {
    debian_problem="apt-get update for $1 failed: $(tail -n 3 "$debian_work/update-$1.log")"
    return 1
  }
}

debian_unpack() {
  debian_open
  debian_suite "$1" deb || fail "no packages of $1 from $debian_mirror: $debian_problem"
  debian_folder=$2
  shift 2
  mkdir "$debian_work/deb"
  (cd "$debian_work/deb" && apt-get -q download "$@") >"$debian_work/download.log" 2>&1 ||
    fail "apt-get download failed: $(tail -n 3 "$debian_work/download.log")"
  mkdir -p "$debian_folder"
  for debian_package in "$debian_work"/deb/*.deb; do
    dpkg -x "$debian_package" "$debian_folder" || fail "cannot unpack $debian_package"
  done
}
