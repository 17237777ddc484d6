#pragma once
/*
 * The class of a recorded name. Only dispatcher operators are judged; other names keep their class.
 *
 * A profiler records operators, autograd nodes, labels of the user, runtime calls and device kernels in one column;
 * only their spelling separates them. The order of the rules matters and is the order of the table in name.c.
 */
#include "base/memory/buf.h"
#include "base/value/words.h"

enum name_class {
	NAME_OPERATOR, /* a dispatcher operator: judged */
	NAME_LABEL,    /* text of the user or of a framework */
	NAME_AUTOGRAD, /* a backward node; its operators are recorded as well */
	NAME_ENGINE,   /* an event of the autograd engine */
	NAME_STEP,     /* ProfilerStep */
	NAME_OPTIMIZER,
	NAME_RUNTIME, /* a call of the CUDA, MUSA, ACL ... runtime */
	NAME_MEMORY,  /* allocations and copies */
	NAME_KERNEL,  /* code on the device */
	NAME_COLLECTIVE,
	NAME_COMPILE, /* marks of torch.compile and generated kernels */
	NAME_PYTHON_FRAME,
	NAME_BOOKKEEPING, /* operators of the profiler and of tensors' metadata */
	NAME_TORCHSCRIPT,
	NAME_REMOTE,  /* executed by another process (RPC) */
	NAME_UNKNOWN, /* the profiler lost the name */
	NAME_CLASS_COUNT,
};

/* The word of a class in a report: "operator", "label", "python-frame" ... */
extern const struct words name_class_words;
const char *name_class_text(enum name_class name_class);

struct name {
	enum name_class name_class;
	/* For operators, views into the text given or static text. Their full name is ns::base. */
	struct str ns, base;
	struct str overload; /* written behind a dot, or "" */
	bool cut;            /* base is only the beginning of the name */
	bool guessed;        /* a bare word of an old table: an operator if PyTorch ever had one of that name */
	bool compiling;      /* the step that recorded it was being compiled by torch.compile */
	bool compiled;       /* operators may be hidden inside compiled code */
	bool region;         /* it is compiled code, around what it calls */
	bool loader;         /* a DataLoader's __next__, around what it calls */
};

/* Spelling of the names in a dump. */
struct name_style {
	bool bare;             /* tables of PyTorch up to 1.6: operators stand without "aten::" */
	bool cut;              /* this name was cut by its column */
	enum name_class known; /* the dump says what it is; NAME_OPERATOR: it does not */
	bool device_task;      /* of a table of what ran on the device */
	bool host_call;        /* of a table of calls of the device's runtime */
};

/* Classifies a recorded name (trimmed, valid UTF-8). Sources: FORMATS 7, which names the producers of each spelling. */
struct name name_classify(struct str text, struct name_style style);

/* Appends "ns::base". */
void name_put(struct buf *buf, const struct name *name);
