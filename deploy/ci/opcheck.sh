#!/bin/sh
# Checks dumps in CI and leaves the report in every form that a CI system shows.
#
#	sh opcheck.sh DUMP... [OPTION of `opcheck check`]...
#
# The files report.* are in $OPCHECK_OUT (opcheck-report). The exit status is that of `opcheck check`. $OPCHECK_BRANCH_REPORT is the report.json
# of the target branch: where that file exists, report.md says what changed, and only new findings fail. With $OPCHECK_SERVER a service
# does the work (`opcheck submit`) and keeps the run as one of $OPCHECK_MODEL in $OPCHECK_PROJECT; $OPCHECK_TOKEN is who asks.
#
# Where the image has no opcheck, $OPCHECK_PACKAGE is installed: an archive opcheck-*.tar.gz, a wheel or what pip finds
# (opcheck==1.0.0), or the Debian packages opcheck and opcheck-db. Files and addresses, separated by blanks.
set -eu

# install_packages FOLDER PACKAGE...
install_packages() {
	folder=$1
	debs=
	shift
	for package in "$@"; do
		case $package in
		https://* | http://*)
			curl --fail --silent --show-error --location --output "$folder/${package##*/}" "$package" || return 1
			package=$folder/${package##*/}
			;;
		esac
		case $package in
		*.deb) debs="$debs $(realpath "$package")" || return 1 ;;
		*.tar.gz) tar -xzf "$package" -C "$folder" && PATH=$(echo "$folder"/opcheck-*/bin):$PATH || return 1 ;;
		*) python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet "$package" && PATH=$folder/venv/bin:$PATH || return 1 ;;
		esac
	done
	# shellcheck disable=SC2086
	[ -z "$debs" ] || { apt-get -qq update && apt-get -qq -y install $debs >/dev/null; }
}
if [ -n "${OPCHECK_PACKAGE:-}" ] && ! command -v opcheck >/dev/null; then
	installed=$(mktemp -d)
	trap 'rm -rf "$installed"' EXIT
	# shellcheck disable=SC2086
	install_packages "$installed" $OPCHECK_PACKAGE || exit 2
fi

out=${OPCHECK_OUT:-opcheck-report}
command=check
if [ -n "${OPCHECK_SERVER:-}" ]; then
	command=submit
	branch=${GITHUB_HEAD_REF:-${GITHUB_REF_NAME:-${CI_COMMIT_REF_NAME:-${BRANCH_NAME:-}}}}
	commit=${GITHUB_SHA:-${CI_COMMIT_SHA:-${GIT_COMMIT:-}}}
	set -- "$@" ${OPCHECK_MODEL:+--model "$OPCHECK_MODEL"} ${OPCHECK_PROJECT:+--project "$OPCHECK_PROJECT"} \
		${branch:+--branch "$branch"} ${commit:+--commit "$commit"}
fi
mkdir -p "$out"
baseline=$out/baseline.json
rm -f "$baseline"
if [ -f "${OPCHECK_BRANCH_REPORT:-}" ]; then
	mv "$OPCHECK_BRANCH_REPORT" "$baseline"
	set -- "$@" --baseline "$baseline"
fi
rm -f "$out"/report.*

status=0
opcheck "$command" "$@" -o "$out/report.json" -o "$out/report.html" -o "$out/report.md" -o "$out/report.sarif" \
	-o "$out/report.junit.xml" -o "$out/report.codequality.json" -o "$out/report.annotations.txt" \
	-o "$out/report.metrics.txt" -o "$out/report.badge.json" -o "$out/report.svg" || status=$?

if [ "${GITHUB_ACTIONS:-}" = true ] && [ -f "$out/report.md" ]; then
	cat "$out/report.annotations.txt"
	cat "$out/report.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
exit "$status"
