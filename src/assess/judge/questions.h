#pragma once
/*
 * Questions that a dump leaves open: which data types the program computes in.
 *
 * Where the dump shows no types and the user states none, it may be any of fp32, fp16 and bf16. fp32 is taken for
 * granted; each other type that some operator may refuse makes one question, with the verdict on every target for each
 * answer. A verdict is the one that all answers lead to, else it is inconclusive.
 */
#include "assess/judge/readiness.h"
#include "assess/model/result.h"

struct question_request {
	const struct judge *judge;           /* brief */
	const size_t *order;                 /* of the operators, by share */
	const struct target *targets;        /* those of the result */
	struct judgement *const *judgements; /* per target, then in the order of the operators */
	const struct weights *weights;
	const bool *hidden; /* per target: operators may be missing */
};

/* Fills in result->questions, and the verdict of each target. ERR_DB_DAMAGED, ERR_LIMIT. */
int questions_ask(const struct question_request *request, struct result *result, struct err *err);
