#!/bin/sh
# The last stage of deploy/containers/Containerfile on a clean root, for deploy/packagetest.sh: container_life.sh ROOT
#
# ROOT has packages/ and /proc. The service runs as the image's user on a read-only root in a network of its own.
set -eu

place=$1
source=$(cd "$(dirname "$0")/../../deploy/containers" && pwd)
packages=$(sed -n 's/.*--no-install-recommends \(ca-certificates .*\) && \\$/\1/p' "$source/Containerfile")
user=$(sed -n 's/^USER //p' "$source/Containerfile")
settings='PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive'
# shellcheck disable=SC2086
chroot "$place" env -i $settings sh -euc "apt-get -qq update; apt-get -qq -y install --no-install-recommends $packages >/dev/null"
[ -x "$place/usr/bin/opcheckd" ] && [ ! -e "$place/usr/bin/opcheck" ] && [ -s "$place/etc/ssl/certs/ca-certificates.crt" ]
install -d -o "${user%:*}" -g "${user#*:}" -m 0700 "$place/var/lib/opcheck"
install -D -m 0644 "$source/opcheckd.conf" "$place/etc/opcheck/opcheckd.conf"
state=$(mktemp -d)
chown "$user" "$state"
# shellcheck disable=SC2016 # for the inner shell
unshare --mount --net sh -euc '
	place=$1 user=$2 state=$3
	mount --bind "$place" "$place"
	mount -o remount,bind,ro "$place"
	mount --bind "$state" "$place/var/lib/opcheck"
	mount -t tmpfs none "$place/tmp"
	ip link set lo up
	chroot --userspec="$user" "$place" env -i PATH=/usr/bin:/bin STATE_DIRECTORY=/var/lib/opcheck opcheckd >"$state/log" 2>&1 &
	service=$!
	tries=0
	until chroot --userspec="$user" "$place" opcheckd health 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] && kill -0 $service || { cat "$state/log" >&2; exit 1; }
		sleep 0.2
	done
	[ "$(stat -c %u:%g "/proc/$service")" = "$user" ]
	! chroot "$place" touch /usr/bin/changed 2>/dev/null
	kill $service
	wait $service' life "$place" "$user" "$state"
[ -f "$state/store.sqlite" ]
rm -rf "$state"
echo "served as $user on a read-only root, healthy"
