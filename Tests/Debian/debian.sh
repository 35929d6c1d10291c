#!/bin/sh
# Runs targets of the Makefile on a machine with nothing: Debian 13 by debootstrap, with git and make and no more, in a folder,
# and in it a clone of this checkout's last commit. What the targets need they install themselves.
#
#     debian.sh [--optional] FOLDER TARGET…
#
# Needs root. With --optional, a machine on which no such folder can be made or entered is reported and is no failure.
# Everything is mounted and runs in namespaces of its own, so that nothing stays mounted or runs on however this ends. DEBIAN_MIRROR is where
# packages come from; with DEBIAN_KEEP set, the folder stays.
set -u

optional=
if [ "$1" = --optional ]; then
    optional=1
    shift
fi

skip() {
    echo
    echo "********************************************************************************"
    echo "NOT RUN ON A FRESH DEBIAN 13: $1"
    echo "Nothing shows here that Debian's own Swift builds this. Run it where it can: make debian"
    echo "********************************************************************************"
    echo
    if [ -n "$optional" ]; then exit 0; else exit 1; fi
}

folder=$1
if [ "${DEBIAN_NAMESPACE:-}" != own ]; then
    [ "$(id -u)" -eq 0 ] || skip "only root can enter such a folder."
    command -v debootstrap > /dev/null || skip "there is no debootstrap."
    unshare --mount --pid --fork --kill-child true 2> /dev/null || skip "mounts are not allowed here."
    if [ -e "$folder" ] && [ ! -e "$folder/debootstrap.log" ]; then
        echo "error: $folder is there already, and was not made by this script"
        exit 1
    fi
    trap '[ -n "${DEBIAN_KEEP:-}" ] || rm -rf --one-file-system "$folder"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    rm -rf --one-file-system "$folder" && mkdir -p "$folder/root" && : > "$folder/debootstrap.log" || exit 1
    DEBIAN_NAMESPACE=own unshare --mount --pid --fork --kill-child sh "$0" ${optional:+--optional} "$@"
    exit
fi
root=$(cd "$folder" && pwd)/root
shift

# Prints how long a command took.
timed() {
    what=$1 began=$(date +%s)
    shift
    echo "== $what"
    "$@"
    status=$?
    echo "== $what: $(($(date +%s) - began)) s, status $status"
    return $status
}

timed "debootstrap" debootstrap --variant=minbase --include=ca-certificates,git,make trixie "$root" \
    "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" > "$folder/debootstrap.log" 2>&1 || {
    tail -n 5 "$folder/debootstrap.log"
    skip "debootstrap failed (its last words are above)."
}
tail -n 1 "$folder/debootstrap.log"
{
    mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev/shm" &&
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
} || skip "mounts are not allowed here."
cp /etc/resolv.conf "$root/etc/resolv.conf"

inside() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${CI:+CI="$CI"} ${http_proxy:+http_proxy="$http_proxy"} \
        chroot "$root" sh -c "$1"
}
inside true || skip "its programs do not run here."

git clone --quiet --no-local . "$root/root/checkout" || exit 1
echo "== $(git -C "$root/root/checkout" log -1 --format='%h %s') on Debian $(cat "$root/etc/debian_version")"
for target; do timed "make $target" inside "cd /root/checkout && make $target" || exit 1; done
inside 'swift --version 2> /dev/null'
