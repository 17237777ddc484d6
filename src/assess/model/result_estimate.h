#pragma once
/* The device time of a target, estimated from shapes: an interval or the reason why there is none. See result.h. */
#include "assess/model/message.h"

struct time_range {
	int64_t lo_ns, middle_ns, hi_ns;
};

/* A class of work, or an operator: the time of its calls at p10, p50 and p90 of what such calls took. */
struct result_estimate_part {
	struct str name;
	uint64_t calls;
	struct time_range time;
	bool at_least; /* its time is a lower bound: sizes do not decide it */
};

/* Of all recorded steps and ranks. */
struct result_estimate {
	struct message refused; /* id NULL: there is an estimate, and all below is set */
	struct str chips;       /* "910B2", or several: from the fastest to the slowest */
	struct str left_out;    /* families outside of a range: without a sourced peak or a measured run */
	bool range;             /* no single chip was named */
	struct str assumed;     /* types whose peak is assumed, "fp16, bf16" */
	uint64_t steps;
	struct time_range time;
	int64_t known_ppm;        /* of the time of the dump: calls with shapes and a formula */
	int64_t bound_ns;         /* of all three times alike: lower bounds, those of the AI CPU included */
	uint64_t aicpu_calls;     /* at least 100 us each */
	uint64_t launches;        /* kernels that the host starts */
	bool host_decides;        /* they take longer than the device works */
	int64_t communication_ns; /* as recorded, not predicted */
	uint64_t fallback_bytes;  /* that operators on the host copy, both ways */
	int64_t fallback_ns;      /* that they take there; 0: unknown */
	struct result_estimate_part *classes, *operators; /* most time first; operators: the heaviest */
	size_t class_count, operator_count;
	struct str source;        /* the known GPU that the dump is of; "": there is none */
	struct time_range scaled; /* the time of the same calls, scaled from its */
};

enum { ESTIMATE_OPERATORS = 5 };
/* Time between launches on an idle device in profiles of NPUs, p10: the least and the most of four profiles. */
#define LAUNCH_LO_NS INT64_C(35000)
#define LAUNCH_HI_NS INT64_C(100000)
