#pragma once
/*
 * Log lines of a run on a device about operators without a kernel.
 *
 *	[W VariableFallbackKernel.cpp:250] Warning: CAUTION: The operator 'aten::fmax.out' is not currently supported
 *	on the NPU backend and will fall back to run on the CPU. This may have performance implications.
 *	(function npu_cpu_fallback)
 *	NotImplementedError: Could not run 'aten::_cummax_helper' with arguments from the 'PrivateUse1' backend.
 *
 * The first is torch_npu's (and in other words every backend's with a CPU fallback), the second PyTorch's own.
 */
#include "dump/common/tally.h"

struct fallback {
	struct str name;         /* of the operator, perhaps with its overload */
	enum device_kind device; /* DEVICE_UNKNOWN where the backend is PrivateUse1 */
	bool raised;             /* the call ended in an exception */
};

/* Returns whether a line reports one on an NPU, a MUSA device or a PrivateUse1 backend. */
bool fallback_find(struct str line, struct fallback *ret);

/* Counts what a line reports, if it does. */
void fallback_observe(struct str line, struct device_facts *facts, struct tally *tally);
