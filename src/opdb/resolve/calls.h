#pragma once
/*
 * Operators that follow from one on a release: the calls of its composite body, and those of its gradient.
 *
 * Calls of composite bodies were measured on one version of PyTorch (opdb/README.md, torch/leaves.tsv).
 */
#include "opdb/resolve/resolve.h"

/* Base names joined by blanks that every composite overload of an operator always calls there; "" if the operator is
   not a composite on the release, or was not measured. query->overload: the one that is meant, or "" for those that
   a program calls. */
int resolve_calls(struct resolver *resolver, const struct target *target, const struct op_query *query, struct str *ret,
	struct err *err);

/* Adds to the answer about a composite what holds for the operators that its body always calls: their flags, the types
   that they refuse, and which of them do not run. A profile shows the calls themselves: this is for a name alone. */
int resolve_leaves(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct answer *ret, struct err *err);

struct gradient_answer {
	bool known; /* PyTorch has a formula of its own: others are differentiated through what they call, or not */
	struct str calls; /* base names of its backward operators, joined by blanks; "": only ordinary operators */
};

/* The gradient of an operator in the release's version of PyTorch, or in the nearest one whose formulas were read. */
int resolve_gradient(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct gradient_answer *ret, struct err *err);
