#!/bin/sh
# The life of the Debian packages in a clean root, for deploy/packagetest.sh: package_life.sh ROOT VERSION
#
# ROOT has packages/, dump.log and state.tar.gz, the state directory of a service of 0.1. older/ has the packages to upgrade from; without
# it they are the same ones under the number 0.1.0.
set -eu

place=$1
version=$2
settings='PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive STATE_DIRECTORY=/var/lib/opcheck'
# shellcheck disable=SC2086
inside() { chroot "$place" env -i $settings "$@"; }

inside sh -euc '
	[ -d /older ] || for deb in /packages/*.deb; do
		dpkg-deb -R "$deb" /tmp/older
		sed -i "s/$1/0.1.0/g" /tmp/older/DEBIAN/control
		mkdir -p /older
		dpkg-deb -b /tmp/older "/older/$(basename "$deb")" >/dev/null
		rm -rf /tmp/older
	done
	apt-get -qq update
	apt-get -qq -y install /older/*.deb >/dev/null' sh "$version"
[ "$(inside dpkg-query -W -f '${Version}' opcheckd)" = 0.1.0 ]

# by this machine's systemd: the root has none
mkdir "$place/unit"
sed "s#/usr/bin/opcheckd#$place&#" "$place/lib/systemd/system/opcheckd.service" >"$place/unit/opcheckd.service"
systemd-analyze verify --man=no "$place/unit/opcheckd.service"
systemd-analyze security --offline=true --threshold=10 "$place/unit/opcheckd.service" | tail -1
rm -r "$place/unit"

# The unit's own command, with the state directory that systemd would give it.
start() {
	command=$(sed -n 's/^ExecStart=//p' "$place/lib/systemd/system/opcheckd.service")
	# shellcheck disable=SC2086
	chroot "$place" env -i $settings "$command" >"$place/log" 2>&1 &
	service=$!
	for _ in $(seq 100); do
		inside opcheckd health >/dev/null 2>&1 && return 0
		kill -0 $service 2>/dev/null || break
		sleep 0.2
	done
	cat "$place/log" >&2
	return 1
}

stop() {
	kill "$service"
	wait "$service"
}
trap 'kill $service 2>/dev/null || true' EXIT

mkdir -p "$place/var/lib/opcheck" "$place/etc/opcheck"
tar -xzf "$place/state.tar.gz" -C "$place/var/lib/opcheck"
echo 'listen = 127.0.0.1:18787' >"$place/etc/opcheck/opcheckd.conf"
start
inside opcheck check /dump.log --summary
inside opcheck submit /dump.log --server http://127.0.0.1:18787 --model llama -q
inside opcheck runs --server http://127.0.0.1:18787 -f json >"$place/before.json"

inside sh -euc 'apt-get -qq -y install /packages/*.deb >/dev/null'
[ "$(inside dpkg-query -W -f '${Version}' opcheckd)" = "$version" ]
inside dpkg-query -W -f '${Depends}' opcheckd | grep -q libpq5 # a store in PostgreSQL, as the container files have it
stop
start
inside opcheck runs --server http://127.0.0.1:18787 -f json >"$place/after.json"
# the earlier service's run and ours are there as they were; another program may have judged them again
/usr/bin/python3 -c 'import json, sys
before, after = (json.load(open(path))["items"] for path in sys.argv[1:])
sys.exit("the upgrade changes runs" if len(before) < 2 or [run for run in before if run not in after] else 0)' "$place/before.json" "$place/after.json"
stop

inside apt-get -qq -y remove opcheck opcheckd opcheck-db >/dev/null
[ -f "$place/var/lib/opcheck/store.sqlite" ]
rm "$place/etc/opcheck/opcheckd.conf" # the administrator's
inside apt-get -qq -y purge opcheck opcheckd opcheck-db >/dev/null
left=$(find "$place" -xdev -name '*opcheck*' -not -path "$place/packages/*" -not -path "$place/older/*" -not -path "$place/var/cache/*" -not -path "$place/var/log/*")
[ -z "$left" ] || {
	echo "purge leaves: $left" >&2
	exit 1
}
echo "installed, served, upgraded with its state, removed, purged"
