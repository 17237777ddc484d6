#pragma once
/* One operator of a result: what was seen of it, and its verdict on each target. See result.h. */
#include "assess/model/result_fix.h"
#include "assess/model/result_observed.h"
#include "assess/model/result_shape.h"
#include "opdb/model/status.h"

struct result_overload {
	struct str name;
	enum op_status status;
};

/* Data types as sets of enum dtype: those that run, that are refused, that the vendor's own tests run, that run on
   the AI CPU of an NPU, and that do so in some calls. */
struct result_types {
	unsigned takes, refuses, tested, aicpu, aicpu_if;
};

struct result_evidence {
	enum evidence_kind kind;
	struct str ref;  /* an address, or "" */
	struct str text; /* what is known where there is no address */
	struct str date; /* "" where not known */
};

/* Flags of a verdict beside those of the database (enum op_flag). */
enum { FLAG_ASSUMED = 1 << OP_FLAG_COUNT, FLAG_HOST_WORK = FLAG_ASSUMED << 1, FLAG_OTHER = FLAG_ASSUMED << 2 };

/* One operator on one target. */
struct result_verdict {
	struct str target;
	enum op_status status;
	unsigned flags;
	struct result_overload *overloads; /* those that differ from status, or that the dump names */
	size_t overload_count;
	struct str via;
	uint32_t types;               /* which of the result's sets of data types, from 1; 0: nothing is known */
	struct str dtypes;            /* "complex64": those that decide the status; "": it does not depend on types */
	struct result_interval aicpu; /* of its time on an NPU, what runs on the AI CPU */
	int64_t device_ppm;           /* of the estimated device time of the target, of a dump of a CPU; 0: none */
	struct message *conditions;
	size_t condition_count;
	struct str since, until; /* releases between which the status holds; "" where unknown */
	struct result_evidence *evidence;
	size_t evidence_count;
	struct message *advice;
	size_t advice_count;
};

/* Where a dump first shows an operator. */
struct result_spot {
	uint32_t input;      /* position */
	uint64_t line, byte; /* of its text: a line from 1, else (0) a byte */
};

/* Where in the program an operator is called from, as far as dumps record it: some of each, most calls first. */
struct result_callers {
	struct str *modules; /* "ResNet_0/Sequential_1/Conv2d_3" */
	size_t module_count;
	struct str *lines; /* of the user's own source: "train.py(12): main" */
	size_t line_count;
};

struct result_operator {
	struct str name;
	struct result_callers *callers; /* NULL: not recorded */
	int64_t *places;                /* positions of those that it is called in directly, in their order */
	size_t place_count;
	struct result_spot *first_seen; /* NULL: not known */
	uint64_t calls;
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns, share_ppm; /* the share is that of the basis */
	struct result_shape *shapes;
	struct str *arguments; /* of the first shapes: values of what is no tensor, as the dump has them, "" for none */
	size_t shape_count, argument_count; /* listed */
	uint64_t shape_total;               /* seen */
	struct result_dynamic dynamic;
	struct result_observed observed;
	struct result_verdict *verdicts; /* in the order of the targets */
	size_t verdict_count;
};
