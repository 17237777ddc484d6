#pragma once
/* Calls of an operator that its kernels refuse by an argument (opdb/model/argument_limit.h). */
#include "opdb/model/answer.h"
#include "opdb/resolve/question.h"

/* Adds to the answer the limits of a name's overloads, or of one, that hold for the question's release and chip;
   without a chip for 910B, as units are answered. */
void arguments_apply(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret);

/* Adds those of an operator that a composite always calls. */
void arguments_join(struct resolver *resolver, const struct answer *leaf, struct answer *ret);

/* For look-ups alone: where each limit of an answer can be read. ERR_LIMIT. */
int resolve_argument_texts(struct resolver *resolver, const struct target *target, struct answer *ret, struct err *err);

/* Returns whether it is the same for two releases. */
bool argument_limit_alike(const struct argument_limit *limit, const struct release *a, const struct release *b);
