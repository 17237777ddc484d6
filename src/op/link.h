#pragma once
/*
 * Facts of a dump beyond rows: links between operators and other things, the order of operators, and the devices on
 * which they ran.
 *
 * Names and texts are as in the rows. A link counts the calls of `name` that it holds for and the time of `name`
 * itself.
 */
#include "base/view/str.h"
#include "op/name.h"

enum relation {
	RELATION_PARENT,  /* an operator ran inside of another operator or of an autograd node, the innermost one */
	RELATION_FORWARD, /* an autograd node belongs to a forward operator */
	RELATION_MODULE,  /* an operator ran in a module: "ResNet_0/Sequential_1/Conv2d_3" */
	RELATION_SOURCE,  /* an operator was called from a line of source: "train.py(12): main" */
	RELATION_COUNT,
};

/* The parent of what ran directly in code that torch.compile made: the compiler chose its operators for that device. */
#define LINK_COMPILED_REGION "Torch-Compiled Region"

/* The parent of what ran directly in a DataLoader's __next__: the host prepares batches there. */
#define LINK_DATA_LOADER "enumerate(DataLoader)#__next__"

struct op_link {
	struct str name, other;
	uint64_t calls;
	int64_t self_cpu_ns, self_device_ns;
};

/* One call of an operator. The texts are those of its row. */
struct op_turn {
	struct str name, overload, shapes, dtypes;
	enum name_class known;
	bool has_overload;
	uint32_t depth; /* number of operators around it */
};

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
