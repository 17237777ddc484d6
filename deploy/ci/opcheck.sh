#!/bin/sh
# Checks dumps in CI and leaves the report in every form that a CI system shows.
#
#	sh opcheck.sh DUMP... [OPTION of `opcheck check`]...
#
# The files report.* are in $OPCHECK_OUT (opcheck-report). The exit status is that of `opcheck check`.
set -eu

out=${OPCHECK_OUT:-opcheck-report}
mkdir -p "$out"
rm -f "$out"/report.*

status=0
opcheck check "$@" -o "$out/report.json" -o "$out/report.html" -o "$out/report.md" -o "$out/report.sarif" \
	-o "$out/report.junit.xml" -o "$out/report.codequality.json" -o "$out/report.annotations.txt" \
	-o "$out/report.metrics.txt" -o "$out/report.badge.json" -o "$out/report.svg" || status=$?

if [ "${GITHUB_ACTIONS:-}" = true ] && [ -f "$out/report.md" ]; then
	cat "$out/report.annotations.txt"
	cat "$out/report.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
exit "$status"
