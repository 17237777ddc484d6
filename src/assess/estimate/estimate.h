#pragma once
/* Device time of a dump's steps on each target that names a chip, or whose common chips have known peaks. */
#include "assess/estimate/calls.h"
#include "assess/model/result.h"
#include "assess/plan/cost_parts.h"

/* Fills in device_time of each target of the result, whose costs are known, and shares of it in verdicts of a dump of a
   CPU. calls: of the profile. ERR_DB_DAMAGED, ERR_LIMIT. */
int estimate_add(const struct opdb *db, const struct cost_request *request, const struct calls *calls,
	struct result *result, struct err *err);
