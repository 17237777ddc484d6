#pragma once
/*
 * The verdict on one operator on one target: what the database answers, narrowed by what the dump shows.
 *
 * Functions return 0, ERR_DB_DAMAGED or ERR_LIMIT.
 */
#include "assess/judge/call_facts.h"

/* Judge operators->items[index]. */
int judge_operator(
	const struct judge *judge, const struct target *target, size_t index, struct judgement *ret, struct err *err);

/* A name that comes from no dump, or one overload of it. */
struct name_question {
	struct arena *arena; /* of the judgement's texts; those of the answer live in the resolver */
	struct resolver *resolver;
	const struct target *target;
	struct str name, overload; /* overload "": the name as a whole */
	enum reading reading;
};

/* Judge it; what a composite always calls counts. */
int judge_name(const struct name_question *question, struct judgement *ret, struct answer *ret_answer, struct err *err);
