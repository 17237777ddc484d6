#pragma once
/*
 * Which unit of an NPU runs an operator, by the type of its first tensor: what was read in the kernels of CANN.
 *
 * Facts hold over versions of CANN. A release of torch_npu is made for one of these, or is answered from the nearest.
 */
#include "opdb/model/fact.h"
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
	struct str test;    /* what a recorded call tells of it (assess/judge/call_test.h); "": nothing */
	struct str en, zh;
	uint64_t usual_ppm; /* of calls that do not tell, the part that was seen there; 0: nobody counted */
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
