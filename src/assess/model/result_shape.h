#pragma once
/* The shapes of an operator, and how they change. See result.h. */
#include "assess/model/message.h"
#include "base/value/words.h"

struct result_runs {
	uint32_t first, last;
};

struct result_shape {
	struct str dims;   /* compact JSON, "[[2,3],[]]"; "" when the dump has none */
	struct str dtypes; /* of each argument, "fp32, int64, -"; "" when the dump has none */
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

/* From what matters least to what matters most. assess/shape/dynamic.h says what each means. */
enum dynamic_kind {
	DYNAMIC_STATIC,
	DYNAMIC_LATE,
	DYNAMIC_WARM_UP,
	DYNAMIC_UNKNOWN,
	DYNAMIC_LAST_BATCH,
	DYNAMIC_BOUNDED,
	DYNAMIC_UNBOUNDED,
	DYNAMIC_DATA_DEPENDENT,
	DYNAMIC_KINDS
};
enum guide_rule { GUIDE_STATIC, GUIDE_DYNAMIC };

struct result_dynamic {
	enum dynamic_kind kind;
	struct result_dim *dims;
	size_t dim_count;
	uint64_t distinct;          /* shapes of the operator in all steps */
	enum guide_rule guide_rule; /* what the porting guide's rule says */
	struct message evidence;
	struct str follows; /* the operator whose values decide the sizes that change; "" for none, or not known */
};
