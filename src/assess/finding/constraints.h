#pragma once
/* Findings about what a target asks of a program beside its operators. */
#include "assess/finding/finding.h"

/* Adds what targets ask of a program beside its operators, where the dump shows it: the backend of collectives, lists
   of autocast, DataParallel, TorchScript, layouts of sparse tensors. The ignored names of the result are there. A dump
   does not show deterministic mode, and world sizes only where the profiler wrote them: nothing is said of either.
   ERR_DB_DAMAGED, ERR_LIMIT. */
int findings_of_constraints(struct finding_list *findings, const struct implied_request *request,
	const struct result *result, struct err *err);
