#pragma once
/*
 * Findings for the machines that show them beside code: SARIF, JUnit and the formats of GitHub, GitLab and shields.io.
 * They need no whole assessment: whatever has findings about targets fills a struct ci_report.
 *
 * Texts are printable UTF-8 in the language of the report: control characters are visible (utf8_printable), lines end
 * in '\n'.
 */
#include "assess/model/result.h"
#include "base/memory/mem.h"
#include "json/jsonw.h"
#include "report/doc/doc.h"

struct ci_target {
	struct str id, reason; /* why the verdict, "" where not known */
	struct str headline;   /* "STOPS: no kernel: segment_reduce"; "" where not known */
	enum headline_word word;
	enum verdict verdict;
	enum gate_state gate;
	struct result_interval readiness; /* by time, else by calls */
	int64_t blocked_ppm;              /* of operators that do not run there */
};

struct ci_finding {
	struct str rule, operator_name, target; /* the last two "" where it is about no single one */
	struct str text, details;               /* one line; advice and evidence, a line each */
	struct str fingerprint;                 /* the same finding in every run */
	enum severity severity;
	bool known; /* from a baseline */
	bool is_waived;
	struct str waived_for; /* the reason */
	int64_t share_ppm;
	struct str file;     /* the source that calls the operator, where a dump has stacks; else that dump */
	uint64_t line, byte; /* of its text; in a dump where the operator is first seen; 0: not known */
	const struct result_callers *callers; /* NULL: not recorded */
	const struct result_site *site;       /* in a script; NULL: elsewhere */
	size_t rule_at;
};

/* Views of the result it was made from, and copies in its arena. */
struct ci_report {
	struct arena arena;
	enum lang lang;
	struct str tool_version;
	bool has_sites; /* some findings are in scripts */
	MEM_LIST(struct ci_target) targets;
	MEM_LIST(struct ci_finding) findings; /* the most severe first, waived ones last */
	MEM_LIST(struct str) rules;           /* each once */
};

/* Gather the findings of a result and the warnings about its dumps. ci_clear frees it. */
void ci_gather(const struct result *result, const struct render_options *options, struct ci_report *ret);
void ci_clear(struct ci_report *report);

/* The formats, each in a file of its own. */
void ci_sarif(const struct ci_report *report, struct buf *out);       /* SARIF 2.1.0 */
void ci_junit(const struct ci_report *report, struct buf *out);       /* a test case for each operator of a target */
void ci_codequality(const struct ci_report *report, struct buf *out); /* of GitLab */
void ci_annotations(const struct ci_report *report, struct buf *out); /* workflow commands of GitHub */
void ci_badge(const struct ci_report *report, struct buf *out);       /* JSON of shields.io */
void ci_badge_svg(const struct ci_report *report, struct buf *out);
void ci_metrics(const struct ci_report *report, struct buf *out); /* the text format of Prometheus */

static inline bool ci_concerns(const struct ci_finding *finding, const struct ci_target *target)
{
	return !finding->target.len || str_eq(finding->target, target->id);
}
