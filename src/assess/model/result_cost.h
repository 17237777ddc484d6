#pragma once
/* Costs: parts of a result that follow from the verdicts, the shapes and the order of operators. */
#include "base/value/words.h"
#include "opdb/model/status.h"

/* COMPILES_BY_CHIP: it compiles by default; COMPILES_BY_OPERATOR: kernels that have no other way. */
enum compile_mode { COMPILES_BY_CHIP, COMPILES_BY_OPERATOR };

/* Compilations for each shape, and the delay of a first run. */
struct result_compiling {
	enum compile_mode mode;
	uint64_t operators;
	uint64_t compiles; /* distinct operators x shapes x types of the rank that has most of them */
	uint64_t first;    /* of these in its first step */
	bool at_least;     /* shapes are missing or cut: there are more */
	int64_t stall_lo_ms, stall_hi_ms;
};

/* One operator that runs on the CPU; figures of all steps and ranks. */
struct result_host_transfer {
	struct str operator_name;
	uint64_t calls, bytes_to_host, bytes_to_device;
	int64_t copy_ns, host_ns;
};

/* The visits of a step to the host, in turns: operators that are no part of another one, from 1. */
struct result_timeline {
	uint64_t turns; /* of the step */
	struct result_visit {
		struct str operator_name; /* the first on the host */
		uint64_t first, last;
	} * visits; /* the first of them */
	size_t visit_count;
	uint64_t left_out;
	struct result_turns {
		uint64_t first, last;
	} longest; /* ping-pong */
};

/* Costs of operators on the CPU. Figures of all steps and ranks; divide by steps. */
struct result_fallback {
	uint64_t calls, bytes_to_host, bytes_to_device;
	uint64_t assumed_bytes; /* to the host, of tensors whose type the dump does not tell */
	uint64_t unsized_calls; /* whose shapes it does not tell: their bytes are missing */
	int64_t copy_ns, host_ns;
	int64_t step_ns;           /* both, of one step */
	bool host_known;           /* the dump tells how long the operators take on a CPU */
	bool ordered;              /* the dump tells the order of a step */
	uint64_t runs_lo, runs_hi; /* of one step: how often the program goes to the host and back */
	struct result_chain {
		struct str first, last;     /* operators */
		uint64_t runs;              /* on the host, so close together that the device hardly starts */
		uint64_t turns;             /* operators from first to last */
	} longest;                          /* runs is 0 where the order is not known */
	struct result_host_transfer *items; /* most time first */
	size_t item_count;
	struct result_timeline *timeline; /* NULL where the order is not known */
};

/* About the dump and the machine. */
struct result_cost {
	uint64_t steps;          /* of all ranks */
	int64_t step_ns;         /* self time of operators in one of them, in the basis; 0: no times */
	uint64_t host_bandwidth; /* bytes per second */
	uint64_t host_slowdown_milli;
	uint64_t graphs; /* sets of shapes that steps have: what a graph compiler meets with static shapes */
	bool graphs_known;
};

/* A user's assumption on an operator, in place of the facts. */
struct result_assumption {
	struct str name;
	enum op_status status;
};
