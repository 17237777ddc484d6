#pragma once
/*
 * Facts of a dump beyond rows: links between operators and other things, and the order of operators.
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
