#pragma once
/* The advice of a cause without recipes. */
#include "assess/model/result.h"

/* Puts the first advice of the findings: what holds for one of the cause's operators or targets alone names it. */
void cause_put_advice(
	struct arena *arena, const struct result_finding *const *findings, size_t count, struct result_cause *cause);
