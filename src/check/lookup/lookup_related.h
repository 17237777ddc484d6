#pragma once
/* Facts beside an answer about one operator: operators to use instead, kernels that sparse tensors lack. */
#include "opdb/resolve/resolve.h"

struct lookup;
struct lookup_answer;

/* Fill in answer->instead and answer->sparse. ERR_DB_DAMAGED, ERR_LIMIT. */
int lookup_find_related(
	struct lookup *lookup, struct lookup_answer *answer, const struct op_query *query, struct err *err);

/* The status alone, of a full name ("aten::add") on one target. ERR_DB_DAMAGED, ERR_LIMIT. */
int lookup_status(
	struct resolver *resolver, const struct target *target, struct str name, enum op_status *ret, struct err *err);
