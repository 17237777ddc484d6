#pragma once
/*
 * Composites by what they called: the operators that the dump shows inside of them, and those that their body always calls.
 *
 * A composite has no kernel of its own on the target; it runs as well as what it calls. Where the dump tells what ran inside of
 * what (traces), those are its children; otherwise the ones that it always calls, as far as they were recorded.
 */
#include "assess/judge/judge.h"

struct composites;

/* The children of each operator that the dump tells. It lives in arena and keeps pointers to the others. */
struct composites *composites_new(
	struct arena *arena, const struct profile *profile, const struct operators *operators);

void composites_clear(struct composites *composites);

/* Follows all composites on a target whose operators are judged: says in `via` what they call, and makes a judgement as wide as
   those of the children, with the condition op-calls. verdicts[i] and judgements[i] are those of operators->items[i]; without
   verdicts (NULL) nothing is said. Texts live in the judge's arena. ERR_DB_DAMAGED, ERR_LIMIT. */
int composites_follow(const struct composites *composites, const struct judge *judge, const struct target *target,
	struct result_verdict **verdicts, struct judgement *judgements, struct err *err);
