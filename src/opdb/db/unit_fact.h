#pragma once
/*
 * The unit of an NPU that runs an operator, by the type of its first tensor, read from the kernels of CANN.
 *
 * Facts hold over versions of CANN. A release of torch_npu uses its own version, or the nearest.
 */
#include "opdb/model/unit.h"

struct row;

struct unit_fact {
	struct unit_fact *next;
	struct str op; /* "sort.stable" */
	enum unit unit;
	unsigned dtypes; /* enum dtype */
	unsigned chips;  /* bit i: chip_at(TARGET_NPU, i) */
	struct str kernels, note;
	unsigned first, last; /* places of CANN */
};

/* A call of CANN's API that op-plugin makes for an operator, and where both can be read. */
struct cann_call {
	struct cann_call *next;
	struct str op, call;
	struct str path, plugin; /* of the call, in that version of op-plugin */
	struct str code, ref;    /* of its code, "" where it was not found */
	unsigned source, code_source;
};

/* When a kernel runs on the AI CPU though the AI Core has one for the type. */
struct unit_condition {
	struct str kernel;
	struct str decided; /* words of shape, stride, value, attribute, dtype */
	struct str test;    /* condition on recorded calls (assess/judge/call_test.h); "": none */
	struct str en, zh;
	uint64_t usual_ppm; /* of undecided calls, the part seen there; 0: not counted */
};

/* Casts that run on the AI CPU: from each type to each of the others. */
struct slow_cast {
	unsigned from, to;    /* enum dtype */
	unsigned chips;       /* as in struct unit_fact */
	unsigned first, last; /* places of CANN */
};

/* A version of CANN. */
struct cann_version {
	struct str name, plugin;
	unsigned source;
};
