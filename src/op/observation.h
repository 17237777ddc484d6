#pragma once
/* Devices on which operators ran, as shown by a dump apart from the device time of rows. */
#include "base/view/str.h"

enum observed_where {
	OBSERVED_ON_DEVICE, /* its kernels ran on some unit of the device */
	OBSERVED_ON_AICORE, /* on the AI cores of an NPU, or on another unit made for the work */
	OBSERVED_ON_AICPU,  /* on the AI CPU of an NPU */
	OBSERVED_ON_HOST,   /* a warning of the plugin says that it falls back to the CPU */
	OBSERVED_RAISED,    /* an exception says that the device has no kernel for it */
	OBSERVED_WHERE_COUNT,
};

struct op_observation {
	struct str name;   /* of an operator as recorded or as a message spells it, or of a kernel type: "NonZero" */
	struct str launch; /* of a kernel: its launching call in the runtime ("aclnnNonzero"), or "" */
	bool kernel;
	enum observed_where where;
	uint64_t calls; /* or tasks, or lines of a log */
	int64_t device_ns;
};
