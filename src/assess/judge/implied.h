#pragma once
/*
 * Operators that a program calls on a target though its profile, made on another device, does not show them.
 *
 * Two sources: rules about device paths (opdb/rules/implied.tsv), and composites that always call an operator which was
 * not recorded. They are shown apart and count in no share; one that does not run leaves its target inconclusive.
 */
#include "assess/judge/judge.h"
#include "assess/model/result.h"

struct weights;

struct implied_request {
	struct arena *arena;
	struct resolver *resolver;
	const struct profile *profile;
	const struct operators *operators;
	const struct target *targets;
	size_t target_count;
	struct judgement *const *judgements; /* per target, then operator */
	unsigned types_seen;                 /* enum dtype: of any argument in the profile */
	const struct weights *weights;       /* of the operators */
};

/* The place of an operator of aten by the name behind its namespace, or STR_NONE. */
size_t recorded_aten(const struct operators *operators, struct str base);

/* Fills result->implied. ERR_DB_DAMAGED, ERR_LIMIT. */
int implied_find(const struct implied_request *request, struct result *result, struct err *err);

/* Returns whether an operator implied on the target does not run there, or may not. */
bool implied_blocks(const struct result *result, struct str target);
