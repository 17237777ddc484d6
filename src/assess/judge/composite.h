#pragma once
/*
 * All operators of a profile on one target, composites judged by what they called.
 *
 * A composite has no kernel of its own on the target; it runs as well as what it calls. Where the dump shows what ran
 * inside of what (traces), those are its children; otherwise the operators that its body always calls, if they were
 * recorded.
 */
#include "assess/judge/judge.h"

/* The children of each operator that the dump tells. It lives in arena and keeps pointers to the others. */
struct composites *composites_new(
	struct arena *arena, const struct profile *profile, const struct operators *operators);

void composites_clear(struct composites *composites);

/* Fill judgements[i] for the judge's operators->items[i]. An operator is judged by itself, then by what was assumed of
   it, then by what it called: `via` names the calls, and a judgement is as wide as those of the children, with the
   condition op-calls. Memory as for judge_operator. ERR_DB_DAMAGED, ERR_LIMIT. */
int judge_all(const struct judge *judge, const struct target *target, struct judgement *judgements, struct err *err);
