#pragma once
/*
 * The verdict on one operator on one target: what the database answers, narrowed by what the dump shows.
 *
 * Functions return 0, ERR_DB_DAMAGED or ERR_LIMIT.
 */
#include "assess/judge/call_facts.h"

/*
 * An operator on a target, in the order in which it follows; each lives as long as what needs it:
 * - answer (opdb): facts of the database on the name and the release, whatever the program does; many, and so kept
 *   for a single name alone;
 * - judgement: bounds that follow for the calls of a dump; readiness, causes and plans add them up for a target;
 * - verdict: that in words, the part that a report has and that is read back from one.
 */
struct judged {
	struct result_verdict verdict; /* with judge.brief it is not filled in; its texts live in the judge's arena */
	struct judgement judgement;    /* its texts live in the resolver, as those of the answer */
	struct answer answer;          /* of the database; empty for a name that the dump cut */
};

/* Judges operators->items[index]. */
int judge_operator(
	const struct judge *judge, const struct target *target, size_t index, struct judged *ret, struct err *err);

/* A name that comes from no dump, or one overload of it. */
struct name_question {
	const struct target *target;
	struct str name, overload; /* overload "": the name as a whole */
	enum reading reading;
};

/* Judges it; what a composite always calls counts. The verdict lives in arena. */
int judge_name(struct arena *arena, struct resolver *resolver, const struct name_question *question, struct judged *ret,
	struct err *err);
