#pragma once
/* Predictions for operators compared with a device. result_agreement.h has the words. */
#include "assess/model/result.h"

/* One operator to compare. */
struct agree_item {
	struct str name;
	enum agreement_outcome outcome;         /* OUTCOME_COUNT: to be found */
	const struct result_verdict *verdict;   /* NULL: nothing was predicted */
	const struct result_observed *observed; /* NULL: it was not seen */
	bool implied;
	uint64_t calls;
	int64_t self_device_ns;
};

/* An operator's verdict on a target, or NULL. */
const struct result_verdict *verdict_on(const struct result_operator *op, struct str target);

/* Of a verdict and where the operator was seen. */
enum agreement_outcome agree_outcome(const struct result_verdict *verdict, enum where where);

/* Compares all for *ret, whose target is set. Texts and lists of the items must live as long as the answer; the rest of
   it lives in arena. */
void agree(struct arena *arena, const struct agree_item *items, size_t count, struct agreement *ret);

/* The sum of an outcome, or NULL when none has it. */
const struct agreement_sum *agreement_sum_of(const struct agreement *agreement, enum agreement_outcome outcome);
