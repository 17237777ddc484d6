#pragma once
/*
 * Results of a policy: waived and known findings, the checks of the gate and their figures. See result.h. All of it
 * is empty for a result without a policy.
 */
#include "assess/model/message.h"
#include "base/value/words.h"

enum waiver_state { WAIVER_APPLIED, WAIVER_FACT_CHANGED, WAIVER_EXPIRED, WAIVER_STATES };

/* The waiver that speaks of a finding. */
struct result_waiver {
	struct str id;
	enum waiver_state state;
	struct str reason, owner, ref, justification, until; /* "" where not given */
};

/* One thing that the gate looked at on a target. */
struct result_check {
	struct str name; /* a word of --fail-on, the name of a budget, or "expired-waiver" */
	bool failed;
	bool is_budget;
	uint64_t counted, waived,
		known;     /* not of a budget: how many fail, and would without a waiver or the baseline */
	int64_t limit_ppm; /* of a budget, and what was measured, from what is certain to what is possible */
	int64_t lo_ppm, hi_ppm;
};

/* A file that a policy was read from. */
struct result_source {
	struct str name, sha256;
	uint64_t count; /* waivers or findings in it */
};

struct result_policy {
	struct str date; /* the day that expiry was counted against; "": there are no waivers */
	struct result_source *waivers;
	size_t waiver_count;
	struct result_source baseline; /* name "": there is none */
	struct message *changes;       /* since the baseline */
	size_t change_count;
	struct message *warnings; /* of waivers that have expired, will soon, or match nothing */
	size_t warning_count;
};
