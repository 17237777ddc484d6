#pragma once
/* One finding of a result. See result.h. */
#include "assess/model/result_operator.h"
#include "assess/model/result_policy.h"

struct result_finding {
	struct message what;              /* id is the rule */
	struct str severity;              /* "error", "warning", "note" */
	struct str operator_name, target; /* "" where it is about no single one */
	int64_t share_ppm;
	struct result_evidence *evidence;
	size_t evidence_count;
	struct message *advice;
	size_t advice_count;
	struct str fingerprint; /* 16 hexadecimal digits: the same finding in every run */
	struct str fact; /* so many: the same as long as the facts say the same; "": it rests on the dump alone */
	struct str age;  /* "new" or "known" beside a baseline; "": there was none */
	const struct result_waiver *waiver; /* the one that speaks of it, or NULL */
};
