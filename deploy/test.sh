#!/bin/sh
# Installs the test tools (Debian 12), builds with sanitizers and for release, and runs every suite on both.
#
#	sh deploy/test.sh
#
# It takes at most 20 minutes on two cores; long forms of tests are in longtest.sh, and what else is checked in check.sh.
# The last line is "N passed, N failed, N skipped". Safe to repeat. OPCHECK_REFERENCE_DIR names reference material;
# without it the suites over it read the subset in tests/reference, and what needs more than that is skipped.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/deploy/packages.sh"
# shellcheck disable=SC2086
need_packages $test_packages
cd "$root"
begun=$(date +%s)

run() {
	dir=$1
	shift
	setup_build "$dir" "$@"
	meson compile -C "$dir"
	# two more than there are processors: a test of the service waits as often as it computes
	meson test -C "$dir" --no-rebuild --print-errorlogs --num-processes $(($(nproc) + 2)) || true
}

# shellcheck disable=SC2086
run build-asan $sanitizer_build
run build-release -Dauto_features=enabled --buildtype=release
echo "took $((($(date +%s) - begun + 59) / 60)) minutes"
exec /usr/bin/python3 tests/tally.py build-asan build-release
