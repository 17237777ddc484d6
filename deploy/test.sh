#!/bin/sh
# Installs the test tools (Debian 12), builds with sanitizers and for release, and runs every suite on both.
#
#	sh deploy/test.sh
#
# The last line is "N passed, N failed, N skipped". Safe to repeat. Suites over reference material run when
# OPCHECK_REFERENCE_DIR names its folder, and are skipped otherwise.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/deploy/packages.sh"
# shellcheck disable=SC2086
need_packages $test_packages
cd "$root"

run() {
	dir=$1
	shift
	setup_build "$dir" "$@"
	meson compile -C "$dir"
	meson test -C "$dir" --no-rebuild --print-errorlogs --num-processes 2 || true
}

run build-asan -Dauto_features=enabled --buildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false
run build-release -Dauto_features=enabled --buildtype=release
exec /usr/bin/python3 tests/tally.py build-asan build-release
