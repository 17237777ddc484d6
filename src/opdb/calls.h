#pragma once
/* What an operator leads to on a release: the operators that its composite body calls, and those of its gradient. */
#include "opdb/resolve.h"
#include "opdb/tables.h"

/* Base names joined by blanks that every composite overload of an operator always calls there; "" when the operator is no
   composite on the release, or nothing was measured. overload: the one that is meant, or "" for those that a program calls.
   Measured on one version of PyTorch (opdb/README.md, torch/leaves.tsv). */
int resolve_calls(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct str overload, struct str *ret, struct err *err);

struct gradient_answer {
	bool known; /* PyTorch has a formula of its own: others are differentiated through what they call, or not at all */
	struct str
		calls; /* base names of the backward operators in it, joined by blanks; "": only ordinary operators */
};

/* The gradient of an operator in the release's version of PyTorch, or in the nearest one whose formulas were read. */
int resolve_gradient(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct gradient_answer *ret, struct err *err);

/* Operators that a program calls on the device though the profile of another device does not show them. */
const struct implied_rule *opdb_implied(const struct opdb *db, size_t *ret_count);
