#pragma once
/* Words about units that a look-up shows. */
#include "opdb/resolve/units.h"

/* For look-ups alone: adds to the report of units of an answer when kernels run on the AI CPU, in words, and where the
   calls into CANN can be read. ERR_DB_DAMAGED, ERR_LIMIT. */
int resolve_unit_texts(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct answer *ret, struct err *err);
