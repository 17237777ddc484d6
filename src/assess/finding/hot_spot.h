#pragma once
/* Data types that devices take badly, where the dump shows them: the hot spots of every port, whatever the target. */
#include "assess/finding/finding.h"
#include "opdb/db/opdb.h"

/* Adds one finding for each kind that is there. operators are those of the result, largest share first; order tells their places
   among the call facts. db may be NULL: then without recipes. */
void findings_of_types(struct arena *arena, const struct opdb *db, const struct result *result,
	const struct call_facts *call_facts, const size_t *order, struct finding_list *findings);
