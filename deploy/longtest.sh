#!/bin/sh
# The long forms of what deploy/test.sh runs in short (Debian 12): fuzzing, kills, soaks and faults of the service, dumps
# without end, clients that never read, jobs that hold their slots, installs in a chroot.
#
#	sh deploy/longtest.sh [MINUTES] [fuzz|kills|soak|faults|races|readers|replicas|growth|turns|endless|mutants|chroot]...	60 minutes, all of them
#
# Fuzzing has half of the minutes, all targets together; what reads most of them has six times as much as another: of 1060
# minutes an hour each, and the others ten minutes. Kills (of the service, of requests with keys, of acknowledged jobs) and
# soaks have a number of rounds that takes about a quarter each. Faults refuse memory to each reader and answer at five
# points a minute. Races are what ThreadSanitizer finds in all tests of the service, which takes some fifteen minutes.
# Mutants are faults put into the sources, one at a time, as many as the minutes allow and at most 200; tests must notice
# 85 in 100 (tests/mutants). The chroot needs root and a mirror of Debian. What fuzzing finds stays in build-fuzz/found.
# Exit status 1 when something failed.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/deploy/packages.sh"
minutes=60
case ${1:-} in
[1-9]*)
	minutes=$1
	shift
	;;
esac
[ $# -gt 0 ] || set -- fuzz kills soak faults races readers replicas growth turns endless mutants chroot
# shellcheck disable=SC2086
need_packages $long_packages
cd "$root"
failed=

# Of the time for fuzzing.
share_of() {
	case $1 in
	table | trace | members | http) echo 6 ;;
	*) echo 1 ;;
	esac
}

long_fuzz() {
	targets=$(ls tests/fuzz/corpus)
	# mold 1.10 leaves tables of coverage that libFuzzer refuses
	# shellcheck disable=SC2086
	(CC=clang CC_LD=bfd && export CC CC_LD && setup_build build-fuzz $clang_sanitizer_build) || return 1
	# shellcheck disable=SC2046,SC2086
	meson compile -C build-fuzz opdb.sqlite $(printf 'fuzz_%s ' $targets) || return 1
	mkdir -p build-fuzz/found
	shares=0
	for target in $targets; do
		shares=$((shares + $(share_of "$target")))
	done
	status=0
	for target in $targets; do
		seconds=$((minutes * 30 * $(share_of "$target") / shares + 1))
		words=
		[ ! -f "tests/fuzz/$target.dict" ] || words=-dict=tests/fuzz/$target.dict
		new=$(mktemp -d)
		OPCHECK_DB=build-fuzz/opdb/opdb.sqlite "build-fuzz/tests/fuzz/fuzz_$target" -max_total_time=$seconds -timeout=60 \
			-rss_limit_mb=4096 -artifact_prefix="build-fuzz/found/$target-" ${words:+"$words"} \
			"$new" "tests/fuzz/corpus/$target" >"build-fuzz/found/$target.log" 2>&1 || {
			echo "fuzz_$target found something: build-fuzz/found/$target.log"
			status=1
		}
		rm -rf "$new"
	done
	return $status
}

# One file of the tests, with more rounds, on the sanitizer build.
on_sanitizers() {
	# shellcheck disable=SC2086
	setup_build build-asan $sanitizer_build &&
		meson compile -C build-asan opcheck opcheckd opdb.sqlite under_filter && meson test -C build-asan --no-rebuild -t 0 --print-errorlogs "$@"
}

long_kills() {
	OPCHECK_KILLS=$((minutes * 17)) OPCHECK_KEY_KILLS=$((minutes * 2)) OPCHECK_TICKET_KILLS=$((minutes * 5)) \
		OPCHECK_REPLICA_KILLS=$((minutes * 4)) OPCHECK_FAILURE_ROUNDS=$((minutes / 3 + 2)) \
		on_sanitizers e2e/durability e2e/keys e2e/tickets e2e/replicas e2e/failures
}

long_soak() {
	OPCHECK_SOAK_ROUNDS=$((minutes * 4)) on_sanitizers e2e/soak
}

# Sanitizers bring allocators of their own, so this is another build.
long_faults() {
	setup_build build-faults -Dauto_features=enabled --buildtype=debugoptimized -Doptimization=1 &&
		meson compile -C build-faults opcheck opcheckd opdb.sqlite faults test_store_faults &&
		OPCHECK_FAULT_POINTS=$((minutes * 5)) meson test -C build-faults --no-rebuild -t 0 --print-errorlogs e2e/faults store_faults
}

# A service that has raced ends with another status, which every test of it looks at.
long_races() {
	setup_build build-tsan -Dauto_features=enabled --buildtype=debugoptimized -Doptimization=1 -Db_sanitize=thread -Db_lundef=false &&
		meson compile -C build-tsan opcheck opcheckd opdb.sqlite under_filter &&
		OPCHECK_TOGETHER_ROUNDS=$minutes meson test -C build-tsan --no-rebuild -t 0 --print-errorlogs --suite e2e
}

# Dumps of four gigabytes that never end; the program stays as small as with small ones.
long_endless() {
	setup_build build-release -Dauto_features=enabled --buildtype=release &&
		meson compile -C build-release opcheck opdb.sqlite &&
		OPCHECK_ENDLESS=$((4 << 30)) meson test -C build-release --no-rebuild -t 0 --print-errorlogs cli/endless
}

# A thousand clients that never read, of every form of a report, and 1,100 slow heads of each of two addresses.
long_readers() {
	setup_build build-release -Dauto_features=enabled --buildtype=release &&
		meson compile -C build-release opcheck opcheckd opdb.sqlite &&
		OPCHECK_READERS=1000 OPCHECK_SLOW_HEADS=1100 meson test -C build-release --no-rebuild -t 0 --print-errorlogs e2e/readers e2e/http
}

# The tests of the service over one and over four services on one PostgreSQL behind nginx: one for each file, which grows to 1 GB.
long_replicas() {
	setup_build build-release -Dauto_features=enabled --buildtype=release &&
		meson compile -C build-release opcheck opcheckd opdb.sqlite under_filter faults || return 1
	status=0
	for count in 1 4; do
		for file in "$root"/tests/e2e/test_*.py; do
			echo "$count: ${file##*/}"
			OPCHECK_REPLICAS=$count meson devenv -C build-release /usr/bin/python3 -m pytest -q -rs "$file" || status=1
		done
	done
	return $status
}

# Times of lists, search, trend, fleet and demand with as many runs as the minutes fill, and of dropping a month.
long_growth() {
	setup_build build-release -Dauto_features=enabled --buildtype=release &&
		meson compile -C build-release opcheck opcheckd opdb.sqlite &&
		/usr/bin/python3 tests/bench/growth.py build-release --runs $((minutes < 25 ? minutes * 400000 : 10000000))
}

# Two uploads of one project that hold 10 GiB of rows each, and small ones of another project beside them.
long_turns() {
	setup_build build-release -Dauto_features=enabled --buildtype=release &&
		meson compile -C build-release opcheck opcheckd opdb.sqlite &&
		OPCHECK_LARGE_MIB=10240 meson test -C build-release --no-rebuild -t 0 --verbose e2e/jobs
}

# Another sample each day. What it builds and measures first takes some five minutes of its own.
long_mutants() {
	nice tests/mutants/mutants.py --seed "$(date +%Y%m%d)" --minutes "$minutes" --least 85
}

# A bare Debian, the sources, the README's commands: what is installed there must run there.
long_chroot() {
	place=$(mktemp -d)
	debootstrap --variant=minbase --include=ca-certificates bookworm "$place" >"$place.log" 2>&1 || {
		tail -3 "$place.log"
		rm -rf "$place"
		return 1
	}
	mkdir "$place/opcheck"
	git archive HEAD | tar -x -C "$place/opcheck"
	mount -t proc none "$place/proc"
	status=0
	chroot "$place" sh -euc '
		cd /opcheck
		sh deploy/quickstart.sh --no-serve
		meson install -C build --no-rebuild >/dev/null
		cd /
		opcheck check /opcheck/tests/fixtures/torch-2.13/resnet50.a.log >/dev/null
		opcheckd --version' || status=1
	umount "$place/proc"
	rm -rf "$place" "$place.log"
	return $status
}

for part in "$@"; do
	case $part in
	fuzz | kills | soak | faults | races | readers | replicas | growth | turns | endless | mutants | chroot) ;;
	*)
		echo "usage: sh deploy/longtest.sh [MINUTES] [fuzz|kills|soak|faults|races|readers|replicas|growth|turns|endless|mutants|chroot]..." >&2
		exit 2
		;;
	esac
	echo "== $part"
	"long_$part" || failed="$failed $part"
done
[ -z "$failed" ] || {
	echo "failed:$failed"
	exit 1
}
echo "every long test passed"
