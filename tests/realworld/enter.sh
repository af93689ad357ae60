#!/bin/sh
# Runs a command in the root that prepare.sh made, with no environment but what the command line gives.
#
# usage: enter.sh ROOT LIBRARY_DIR WORK_DIR [NAME=VALUE]... COMMAND [ARGUMENT]...
#        enter.sh --probe ROOT           does this machine allow it? says why not
#
# In the root, LIBRARY_DIR is /llhttp/library (nothing is there if LIBRARY_DIR is empty), this folder is /llhttp/tests,
# and WORK_DIR, which may be written to, is /llhttp/work. The command has a mount and a PID namespace of its own:
# mounts are gone when it ends, and so is every process that it left. It needs util-linux and either root or user
# namespaces for all.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
for tool in unshare mount chroot; do
  command -v $tool >/dev/null 2>&1 || {
    echo "enter.sh: $tool is missing" >&2
    exit 1
  }
done
if [ "$(id -u)" -eq 0 ]; then user=''; else user='--user --map-root-user'; fi

if [ "$1" = --probe ]; then
  exec "$0" "$2" '' /tmp /usr/bin/true
fi

# shellcheck disable=SC2086 # none, or two words
exec unshare $user --mount --pid --fork --kill-child sh -eu -c '
  here=$1 new=$2 library=$3 work=$4
  shift 4
  mount --rbind /dev "$new/dev"
  mount -t proc proc "$new/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$new/tmp"
  mount --bind "$here" "$new/llhttp/tests"
  mount --bind "$work" "$new/llhttp/work"
  [ -z "$library" ] || mount --bind "$library" "$new/llhttp/library"
  exec chroot "$new" /usr/bin/env -i PATH=/usr/bin:/usr/sbin:/usr/libexec HOME=/tmp LC_ALL=C.UTF-8 "$@"
' enter "$here" "$@"
