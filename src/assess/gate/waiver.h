#pragma once
/*
 * Waivers: reviewed and accepted findings, in a text file of the user's repository.
 *
 *	[waiver isin-in-eval]
 *	op = aten::isin
 *	target = npu@*
 *	until = 2027-03-31
 *	reason = runs once an epoch
 *
 * A waiver speaks of a finding when every pattern that it gives fits. It excuses the finding before the gate and
 * changes nothing else.
 */
#include "assess/model/result.h"
#include "base/setup/err.h"

enum { WAIVERS_MAX = 10000 };

/* Patterns of a waiver; each has a row in the table of keys. */
enum waiver_pattern {
	WAIVER_OP,
	WAIVER_RULE,
	WAIVER_TARGET,
	WAIVER_MODULE,
	WAIVER_PATH,
	WAIVER_DTYPE,
	WAIVER_FINGERPRINT,
	WAIVER_PATTERNS,
};

struct waiver {
	struct str id;
	struct str patterns[WAIVER_PATTERNS]; /* "": any */
	struct str until, reason, owner, ref, justification, fact;
	bool until_fact_changes;
	int64_t until_day; /* the last on which it holds; meaningless without until */
	struct str file;   /* and the line where it begins, for messages */
	unsigned line;
};

struct waiver_list {
	struct waiver *items; /* on the heap; texts in the arena */
	size_t count, capacity;
};

/* Adds the waivers of one file; ids differ in all of the list. ERR_WAIVER with file and line. */
int waivers_read(struct str text, struct str file, struct arena *arena, struct waiver_list *list, struct err *err);

void waivers_clear(struct waiver_list *list);

/* Returns whether all patterns match the finding. */
bool waiver_fits(const struct waiver *waiver, const struct result_finding *finding);

/* Returns whether it covers an operator on a target as a whole, without a rule, type or call site. */
bool waiver_fits_operator(const struct waiver *waiver, struct str operator_name, struct str target);
