#pragma once
/*
 * What a target asks of a program beside its operators, held against what the dump shows: the backend of collectives, lists of
 * autocast, DataParallel, TorchScript, layouts of sparse tensors. Each kind is one line in the table of constraints.c.
 *
 * A dump does not show deterministic mode, and world sizes only where the profiler wrote them: nothing is said of either.
 */
#include "assess/finding/finding.h"
#include "assess/judge/implied.h"

/* Adds what the targets ask for. The ignored names of the result are there. ERR_DB_DAMAGED, ERR_LIMIT. */
int constraints_check(const struct implied_request *request, const struct result *result, struct finding_list *findings,
	struct err *err);
