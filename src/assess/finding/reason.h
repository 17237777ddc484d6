#pragma once
/*
 * Why a verdict is what it is, in one sentence: how many operators decide it, their share of the basis, and the one
 * cause behind most of it. Causes are words of the family "cause" in web/i18n.
 */
#include "assess/judge/readiness.h"
#include "assess/model/result.h"

struct reason_request {
	const struct weights *weights;
	const size_t *order;                /* of the operators, by share */
	const struct judgement *judgements; /* on the target, in the order of the operators */
	size_t target;                      /* its place among the result's */
	bool implied;                       /* an operator that was not recorded does not run there */
};

/* Sets the reason of the target, whose verdict is there. */
void reason_put(const struct reason_request *request, struct result *result);
