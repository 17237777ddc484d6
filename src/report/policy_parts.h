#pragma once
/* What text and HTML show alike of a policy: statements, and a result without the findings that are known. */
#include "assess/model/result.h"

/* Of a file of waivers, with the day that counts; of the baseline. number is where its figure is written. */
enum { FIGURE_BYTES = 24 };
struct message policy_waivers_line(const struct result_source *source, struct str date, char number[FIGURE_BYTES]);
struct message policy_baseline_line(const struct result_source *source, char number[FIGURE_BYTES]);

/* What a waiver says of a finding; which id depends on its state and whether it ends. */
struct message policy_waiver_line(const struct result_waiver *waiver);

/* What a check counted or measured. */
struct policy_figures {
	char counted[FIGURE_BYTES], waived[FIGURE_BYTES], known[FIGURE_BYTES], limit[FIGURE_BYTES],
		measured[FIGURE_BYTES];
};
struct message policy_check_line(const struct result_check *check, struct policy_figures *figures);

/* A result that lists no finding known from a baseline; its other parts are those of the one it was made of. */
struct new_findings {
	struct result result;
	struct result_finding *heap;
	size_t left_out;
};

/* The same result unless it is wanted. */
struct new_findings new_findings_of(const struct result *result, bool wanted);
void new_findings_clear(struct new_findings *findings);
