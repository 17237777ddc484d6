#pragma once
/* The status of an operator over the releases of a target. */
#include "opdb/resolve/resolve.h"

struct transition {
	const struct release *release; /* the first one with this status */
	const struct release *last;    /* of the run */
	enum op_status status;
};

/* In the order of the releases; development heads count only as the target. */
struct history {
	const struct release *since; /* the first release of the run of this class that the target's release is in */
	const struct release *until; /* the last one; NULL when the class holds to the end */
	const struct transition *transitions; /* every change of status, the first release included */
	size_t count;
	const struct release *earliest;   /* by date: the first that runs it on the device; NULL when none does */
	const struct release **backports; /* the first one of each older line of PyTorch that got it later */
	size_t backport_count;
};

int resolve_history(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct history *ret, struct err *err);
