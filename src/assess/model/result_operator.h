#pragma once
/* One operator of a result: what was seen of it, how its shapes change, and its verdict on each target. See result.h.
   */
#include "assess/model/result_agreement.h"

struct result_runs {
	uint32_t first, last;
};

struct result_shape {
	struct str dims; /* compact JSON, "[[2,3],[]]"; "" when the dump has none */
	struct str overload;
	uint64_t calls;
	bool cut;
	struct result_runs *steps;
	size_t step_count;
};

struct result_dim {
	uint32_t argument, tensor, dim;
	int64_t min, max;
	uint64_t distinct;
	uint64_t steps, calls; /* in which, and with which, shapes that differ there occur */
};

struct result_dynamic {
	struct str kind; /* "static", "warm-up", ... */
	struct result_dim *dims;
	size_t dim_count;
	uint64_t distinct;  /* shapes of the operator in all steps */
	bool guide_dynamic; /* what the porting guide's rule says */
	struct message evidence;
	struct str follows; /* the operator whose values decide the sizes that change; "" for none, or not known */
};

struct result_overload {
	struct str name, status;
};

struct result_evidence {
	struct str kind;
	struct str ref;  /* an address, or "" */
	struct str text; /* what is known where there is no address */
	struct str date; /* "" where nobody told */
};

/* One operator on one target. Lists of words are NULL-free arrays of static text. */
struct result_verdict {
	struct str target;
	struct str status;
	struct result_overload *overloads; /* those that differ from status, or that the dump names */
	size_t overload_count;
	struct str via;
	struct str *flags;
	size_t flag_count;
	struct message *conditions;
	size_t condition_count;
	struct str since, until; /* releases between which the status holds; "" where unknown */
	struct result_evidence *evidence;
	size_t evidence_count;
	struct message *advice;
	size_t advice_count;
};

/* Whether a word is among the verdict's flags. */
static inline bool verdict_has_flag(const struct result_verdict *verdict, struct str flag)
{
	for (size_t i = 0; i < verdict->flag_count; i++) {
		if (str_eq(verdict->flags[i], flag))
			return true;
	}
	return false;
}

struct result_operator {
	struct str name;
	uint64_t calls;
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns;
	int64_t share_ppm; /* of the basis */
	struct result_shape *shapes;
	size_t shape_count;   /* listed */
	uint64_t shape_total; /* seen */
	struct result_dynamic dynamic;
	struct result_observed observed;
	struct result_verdict *verdicts; /* in the order of the targets */
	size_t verdict_count;
};
