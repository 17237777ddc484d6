#pragma once
/* All operators of a profile on one target: each judged by itself, then by what was assumed, then by what it called. */
#include "assess/judge/assume.h"
#include "assess/judge/composite.h"

struct panel {
	const struct judge *judge;
	const struct assumption_list *assumptions; /* may be NULL */
	struct composites *composites;
};

/* Fills judgements[i] for operators->items[i], and *verdicts[i]; verdicts may be NULL. Memory as for judge_operator.
   ERR_DB_DAMAGED, ERR_LIMIT. */
int panel_judge(const struct panel *panel, const struct target *target, struct result_verdict **verdicts,
	struct judgement *judgements, struct err *err);
