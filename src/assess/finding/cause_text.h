#pragma once
/* The statement of a cause about its findings of one rule. */
#include "assess/model/result.h"

enum { CAUSE_NAMES = 4 }; /* listed before "..." */

/* Findings of one rule and one cause, with their distinct operators, largest share first. */
struct cause_part {
	const struct result_finding *const *findings;
	size_t finding_count;
	const struct str *operators;
	size_t operator_count;
	const struct result_on_target *on_targets; /* all targets, in the order of the findings */
	size_t target_count;
};

/* Returns the finding's own statement, on all targets where nothing else differs, or that of its rule about several
   operators: by target ("op-unsupported-each") where targets have different ones, else "op-unsupported-many". */
struct message cause_text_of(struct arena *arena, const struct cause_part *part);
