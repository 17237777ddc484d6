#pragma once
/* Findings about data types. */
#include "assess/finding/finding.h"

/* Adds one finding for each kind of data type that devices take badly and calls show: hot spots of every port, whatever
   the target. order: places of the result's operators among the call facts. */
void findings_of_types(struct finding_list *findings, const struct result *result, const struct call_facts *call_facts,
	const size_t *order);
