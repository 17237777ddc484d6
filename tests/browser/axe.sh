#!/bin/sh
# Fetches axe-core, with which test_axe.py looks for what keeps people out of the pages: the npm package, of which nothing belongs
# into git.
#
#	sh tests/browser/axe.sh DIR
#
# Then run the suite `browser` with OPCHECK_AXE=DIR/axe.min.js. Safe to repeat.
set -eu

version=4.10.3
sha512=5e6edba515e70d25f6604d9815f064d859c5d1ea7ab661bbc4f87c88779ef0c21cae0abbeb636471ef39e9d62d2582e4b88a1866f19f4ecfcf6d986275e4dc12

if [ $# -ne 1 ]; then
	echo "usage: sh tests/browser/axe.sh DIR" >&2
	exit 2
fi
[ ! -f "$1/axe.min.js" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

(cd "$work" && npm pack --silent "axe-core@$version" >/dev/null)
if ! echo "$sha512  $work/axe-core-$version.tgz" | sha512sum --check --status; then
	echo "axe-core-$version.tgz is not the package that the tests were made with" >&2
	exit 1
fi
mkdir -p "$1"
tar -xzf "$work/axe-core-$version.tgz" -C "$1" --strip-components=1 package/LICENSE package/axe.min.js
