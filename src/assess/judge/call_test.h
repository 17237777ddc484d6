#pragma once
/*
 * Returns whether a kernel of CANN runs a recorded call on the AI CPU, by tests of the fact text (opdb/README.md,
 * npu/unit_conditions.tsv). A test that the dump does not decide may hold.
 */
#include "op/call.h"

enum holds { HOLDS_NOT, HOLDS_MAYBE, HOLDS };

/* A call beside the signature that it most likely has. */
struct tested_call {
	struct str base; /* of its operator: "index" */
	const struct call *call;
	const struct schema_param *params; /* as many as the call has arguments; NULL: no signature fits */
	const struct shape *sizes;
	const struct shape *strides; /* of the same tensors; NULL: not recorded */
	enum holds has_masks;        /* whether boolean indices were turned into numbers inside of it */
	bool captured;               /* the program captured a graph */
};

enum holds call_test(const struct tested_call *call, struct str test);

/* Returns whether a call that copies src into self casts on the AI CPU. slow_casts: the types that each type is cast
   to there. At most HOLDS_MAYBE: where one of the tensors is on the host, the cast may be made there. */
enum holds call_converts_slowly(const struct tested_call *call, const unsigned *slow_casts);

/* Returns whether an output of the call has strides that ViewCopy leaves to the AI CPU (view_copy.h). Not where no
   strides were recorded. */
enum holds call_writes_strided(const struct tested_call *call);
