#pragma once
/* The status of one overload on one release: the dispatcher's rules (SEMANTICS 5.1) in their order. Fails with
   ERR_DB_DAMAGED or ERR_LIMIT, as every step to an answer. */
#include "opdb/resolve/evidence.h"

/* The status of an overload that exists on the release, or of one that does not (OP_UNKNOWN). */
int prove(const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret,
	struct err *err);

/* The rule's equivalents that the release has, joined by ';'. *ret_any: at least one, or none is needed. */
int prove_equivalents(const struct question *question, const struct backend_rule *rule, struct str *ret, bool *ret_any,
	struct err *err);

/* Returns whether composites choose names of this rule by device, so that another name may run instead. */
bool rule_switches(const struct backend_rule *rule);
