#pragma once
/*
 * A user's policy for a result: the gate with its budgets, waivers, and a baseline of known findings.
 *
 * A policy changes nothing of a result but the gate of each target, which list a finding stands in, and what
 * result_policy.h describes.
 */
#include "assess/gate/baseline.h"
#include "assess/gate/budget.h"
#include "assess/gate/gate.h"
#include "assess/gate/waiver.h"
#include "base/value/date.h"

struct policy {
	struct gate gate;
	struct budgets budgets;
	struct waiver_list waivers;
	struct result_source *waiver_files; /* on the heap */
	size_t waiver_file_count;
	struct baseline baseline;
	struct result_source baseline_file; /* name "": no baseline */
	bool fail_on_expired_waiver;
	char date[DATE_BYTES]; /* that expiry is counted against; needed with waivers alone */
	struct arena arena;    /* of the texts */
};

/* An empty policy: no gate. */
void policy_init(struct policy *policy);
void policy_clear(struct policy *policy);

/* Adds the waivers of a file, text and digest of which are given. ERR_WAIVER. */
int policy_add_waivers(struct policy *policy, struct str text, struct str file, struct str sha256, struct err *err);

/* Takes the findings of an earlier result as known. */
void policy_set_baseline(struct policy *policy, const struct result *earlier, struct str file, struct str sha256);

/* Applies it to a result that has none yet. The result keeps nothing of the policy. */
void policy_apply(const struct policy *policy, struct result *result);
