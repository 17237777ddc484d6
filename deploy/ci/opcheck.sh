#!/bin/sh
# Checks dumps in CI and leaves the report in every form that a CI system shows.
#
#	sh opcheck.sh DUMP... [OPTION of `opcheck check`]...
#
# The files report.* are in $OPCHECK_OUT (opcheck-report). The exit status is that of `opcheck check`. $OPCHECK_BRANCH_REPORT is the report.json
# of the target branch: where that file exists, report.md says what changed, and only new findings fail. With $OPCHECK_SERVER a service
# does the work (`opcheck submit`) and keeps the run as one of $OPCHECK_MODEL in $OPCHECK_PROJECT; $OPCHECK_TOKEN is who asks.
set -eu

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
