#pragma once
/* Findings as causes: one thing that a person does, over rules, operators and targets (cause_key.h). */
#include "assess/model/result.h"

struct cause_source {
	const struct result_finding *const *findings; /* sorted */
	size_t count;
	const struct result *result; /* has their operators and shares */
};

/*
 * Returns the causes of findings, the gravest and largest first, in arena.
 *
 * A finding that follows from another one, such as that of a caller, is nested under the cause of that one, if both
 * are about the same target.
 */
struct result_cause *causes_of(struct arena *arena, const struct cause_source *source, size_t *ret_count);

/* Sets result->causes from its findings, which are sorted. */
void causes_put(struct result *result);
