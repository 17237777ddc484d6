#pragma once
/*
 * Whether a recorded call is one that a kernel of CANN runs on the AI CPU, as tests in the fact text say
 * (opdb/README.md, npu/unit_conditions.tsv). What the dump does not tell may hold.
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

/* Whether a call that copies src into self casts on the AI CPU. slow_casts: the types that each type is cast to there.
   At most HOLDS_MAYBE: where one of the tensors is on the host, the cast may be made there. */
enum holds call_converts_slowly(const struct tested_call *call, const unsigned *slow_casts);

/* Whether a tensor that the call writes into has strides that ViewCopy leaves to the AI CPU (view_copy.h). Not where no
   strides were recorded. */
enum holds call_writes_strided(const struct tested_call *call);
