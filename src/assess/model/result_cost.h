#pragma once
/* What it costs, and what would help: parts of a result that follow from the verdicts, the shapes and the order of
   operators. */
#include "assess/model/message.h"
#include "base/words.h"
#include "opdb/model/status.h"

struct result_interval {
	int64_t lo_ppm, hi_ppm;
};

/* What the fastest path to ready is made of; FIX_SETTLE: find out what a condition or an unknown comes to. */
enum fix_kind { FIX_RELEASE, FIX_PACKAGE, FIX_SETTLE, FIX_REPLACE };

/* The work of a way out of a finding, from the least to the most. */
enum effort { EFFORT_FLAG, EFFORT_CONFIG, EFFORT_RECIPE, EFFORT_PACKAGE, EFFORT_UPGRADE, EFFORT_PORT, EFFORT_COUNT };

/* One step of the greedy way to ready: what to do, and how ready the target is after it and those before. */
struct result_fix {
	enum fix_kind kind;
	struct str what; /* the release, the package, the operator */
	enum effort effort;
	struct str *operators; /* that it lifts, largest share first; some of them */
	size_t operator_count;
	uint64_t operator_total;                    /* all of them */
	struct result_interval readiness, coverage; /* by time */
	struct result_interval aicpu;               /* by time: what is left on the AI CPU of an NPU */
	uint64_t blockers;                          /* operators left that are unsupported or need a package */
};

/* COMPILES_BY_CHIP: it compiles by default; COMPILES_BY_OPERATOR: kernels that have no other way. */
enum compile_mode { COMPILES_BY_CHIP, COMPILES_BY_OPERATOR };

/* What is compiled for each shape, and how long a first run stands still for it. */
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

/* What operators on the CPU cost. Figures of all steps and ranks; divide by steps. */
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
};

/* A place in the program: a module path or a line of source, with all that is below it. */
struct result_place {
	struct str path;
	uint32_t depth; /* of a module: 0 for the outermost; its parent stands before it */
	uint64_t calls, operators;
	int64_t share_ppm; /* of the basis, of all operators */
	struct result_place_target {
		int64_t device_lo_ppm, device_hi_ppm; /* shares of the basis, as share_ppm */
		int64_t fallback_ppm, blocked_ppm, unknown_ppm;
		uint64_t blockers; /* different operators below it that certainly do not run */
		struct str target;
	} * targets; /* in the order of the targets */
	size_t target_count;
};

enum place_kind { PLACES_NONE, PLACES_MODULES, PLACES_LINES };

struct result_places {
	enum place_kind kind;
	struct result_place *items; /* modules as a tree, lines by share */
	size_t count;
	uint64_t left_out; /* calls past the most places that are kept apart */
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

/* What the user supposed of an operator, in the place of what is known. */
struct result_assumption {
	struct str name;
	enum op_status status;
};

extern const struct words fix_words, effort_words, compile_words, place_words;
