#pragma once
/* One operator of a result: what was seen of it, how its shapes change, and its verdict on each target. See result.h.
   */
#include "assess/model/result_agreement.h"
#include "assess/model/result_cost.h"
#include "opdb/model/status.h"

struct result_runs {
	uint32_t first, last;
};

struct result_shape {
	struct str dims; /* compact JSON, "[[2,3],[]]"; "" when the dump has none */
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

struct result_overload {
	struct str name;
	enum op_status status;
};

struct result_evidence {
	enum evidence_kind kind;
	struct str ref;  /* an address, or "" */
	struct str text; /* what is known where there is no address */
	struct str date; /* "" where nobody told */
};

/* Flags of a verdict beside those of the database (enum op_flag). */
enum { FLAG_ASSUMED = 1 << OP_FLAG_COUNT, FLAG_OTHER = FLAG_ASSUMED << 1, VERDICT_FLAG_COUNT = OP_FLAG_COUNT + 2 };

/* One operator on one target. */
struct result_verdict {
	struct str target;
	enum op_status status;
	unsigned flags;
	struct result_overload *overloads; /* those that differ from status, or that the dump names */
	size_t overload_count;
	struct str via;
	struct result_interval aicpu; /* of its time on an NPU, what runs on the AI CPU */
	struct message *conditions;
	size_t condition_count;
	struct str since, until; /* releases between which the status holds; "" where unknown */
	struct result_evidence *evidence;
	size_t evidence_count;
	struct message *advice;
	size_t advice_count;
};

extern const struct words predicted_words, flag_words, dynamic_words, guide_words;

/* Where a dump first shows an operator. */
struct result_spot {
	uint32_t input;      /* position */
	uint64_t line, byte; /* of its text: a line from 1, else (0) a byte */
};

struct result_operator {
	struct str name;
	struct result_spot *first_seen; /* NULL: not known */
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
