#pragma once
/*
 * The calls that are kernels on a target. A composite is no kernel: its parts are. Inside of an operator with a kernel
 * the parts that another device ran do not run; one on the CPU takes them along.
 *
 * A trace shows what ran inside of what. In a table, an operator that spends most of its time in others is left out
 * where another operator of its class has time of its own.
 */
#include "assess/estimate/calls.h"
#include "assess/judge/judgement.h"

struct owner {
	double own;     /* the part of the calls of a use that are kernels of the target */
	uint32_t owner; /* the kernel that its work belongs to: itself, one around it; NO_USE: none there */
};

/* Of each use; they live in arena. judgements: in the order of the judge's operators. */
const struct owner *owners_find(
	struct arena *arena, const struct calls *calls, const struct judge *judge, const struct judgement *judgements);
