#pragma once
/* Where operators and kernels of a dump that was made on a device ran; part of op/event.h. */
#include "base/str.h"

/* What a dump shows of where something ran, beside the device time of rows. */
enum seen_where {
	SEEN_DEVICE, /* its kernels ran on the device; on which unit is not told */
	SEEN_AICORE, /* its kernels ran on the AI cores of an NPU, or on another unit made for the work */
	SEEN_AICPU,  /* its kernels ran on the AI CPU of an NPU */
	SEEN_HOST,   /* a warning of the plugin says that it falls back to the CPU */
	SEEN_RAISED, /* an exception says that the device has no kernel for it */
	SEEN_WHERE_COUNT,
};

struct op_seen {
	struct str name;   /* of an operator as recorded or as a message spells it, or of a kernel type: "NonZero" */
	struct str launch; /* of a kernel: what launched it, as the runtime calls it ("aclnnNonzero"), or "" */
	bool kernel;
	enum seen_where where;
	uint64_t calls; /* or tasks, or lines of a log */
	int64_t device_ns;
};
