#!/bin/sh
# What is checked beside the tests (Debian 12): layout, two analysers, both compilers in every kind of build, coverage.
#
#	sh deploy/check.sh [--all] [subjects|format|cppcheck|tidy|builds|coverage]...	all of them when none is named
#
# clang-tidy takes an hour for everything: it reads the sources that changed since it last passed them, --all every one.
# Rules: .clang-format, .clang-tidy, deploy/cppcheck.txt (each exception with its reason). Coverage: the tests run at
# least FLOOR % of the lines of every layer of src. Exit status 1 when a check failed; the last line says which. Safe to
# repeat.
set -eu

FLOOR=92
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/deploy/packages.sh"
# shellcheck disable=SC2086
need_packages $check_packages
cd "$root"
failed=

# setup_with COMPILER DIR OPTION...
setup_with() (
	CC=$1
	export CC
	shift
	setup_build "$@" -Dauto_features=enabled
)

# Subjects of commits have at most 72 characters, from the first commit under this rule on.
check_subjects() {
	first=b42b8ba3
	if ! git cat-file -e "$first^{commit}" 2>/dev/null; then
		echo "subjects: skipped, not a clone with the history"
		return 0
	fi
	git log --no-merges --format='%h %s' "$first..HEAD" | awk 'length($0) > 72 + length($1) + 1 { print; bad = 1 } END { exit bad }'
}

check_format() {
	find src tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run --Werror
}

check_cppcheck() {
	mkdir -p build-check/cppcheck
	cppcheck --quiet -j 2 --cppcheck-build-dir=build-check/cppcheck --error-exitcode=1 --std=c17 \
		--library=posix,sqlite3,deploy/cppcheck.cfg --enable=warning,portability,performance --inline-suppr --suppressions-list=deploy/cppcheck.txt -D_GNU_SOURCE \
		'-DOPCHECK_VERSION=""' '-DOPCHECK_DATADIR=""' -I src src
}

# A source that passed has a file in build-check/tidy, not older than itself.
check_tidy() {
	setup_with clang build-check/clang-debug --buildtype=debug || return 1
	mkdir -p build-check/tidy
	[ -z "$all" ] || rm -f build-check/tidy/*
	find src -name '*.c' ! -name embed.c | while read -r source; do
		passed=build-check/tidy/$(echo "$source" | tr / _)
		[ -f "$passed" ] && [ -z "$(find "$source" -newer "$passed")" ] || echo "$source $passed"
	done >build-check/tidy.todo
	# shellcheck disable=SC2016 # for the inner shell
	xargs -P "$(nproc)" -L 1 sh -c 'clang-tidy --quiet -p build-check/clang-debug "$1" && touch "$2"' tidy <build-check/tidy.todo 2>build-check/tidy.log
}

# build_and_test COMPILER KIND OPTION...
build_and_test() {
	dir=build-check/$1-$2
	compiler=$1
	shift 2
	setup_with "$compiler" "$dir" "$@" && meson compile -C "$dir" &&
		meson test -C "$dir" --no-rebuild --quiet --print-errorlogs --suite unit --suite fuzz --suite oracle
}

# Every kind of build is without a warning (werror) and passes the tests in C, with either compiler.
check_builds() {
	for compiler in gcc clang; do
		build_and_test "$compiler" debug --buildtype=debug || return 1
		build_and_test "$compiler" release --buildtype=release || return 1
	done
	# shellcheck disable=SC2086
	build_and_test gcc asan $sanitizer_build && build_and_test clang asan $clang_sanitizer_build
}

# The lines of each layer, of a table that gcovr writes of all files; what is under the floor is named.
check_coverage() {
	setup_build build-coverage -Dauto_features=enabled -Db_coverage=true --buildtype=debug || return 1
	meson compile -C build-coverage || return 1
	find build-coverage -name '*.gcda' -delete
	meson test -C build-coverage --no-rebuild --num-processes 2 -t 3 --quiet || echo "coverage: some tests failed" >&2
	gcovr --root . --object-directory build-coverage --filter src/ --exclude src/embed.c --exclude-unreachable-branches \
		--gcov-ignore-parse-errors -j 2 --json-summary build-coverage/coverage.json || return 1
	/usr/bin/python3 tests/coverage.py build-coverage/coverage.json $FLOOR
}

all=
[ "${1:-}" != --all ] || {
	all=yes
	shift
}
[ $# -gt 0 ] || set -- subjects format cppcheck tidy builds coverage
for check in "$@"; do
	case $check in
	subjects | format | cppcheck | tidy | builds | coverage) ;;
	*)
		echo "usage: sh deploy/check.sh [--all] [subjects|format|cppcheck|tidy|builds|coverage]..." >&2
		exit 2
		;;
	esac
	echo "== $check"
	"check_$check" || failed="$failed $check"
done
[ -z "$failed" ] || {
	echo "failed:$failed"
	exit 1
}
echo "every check passed"
