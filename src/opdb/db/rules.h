#pragma once
/* Rows of the tables of rules in a handle: facts on names apart from registrations. */
#include "opdb/model/fact.h"

enum rule_mode { RULE_AUTO, RULE_MANUAL, RULE_NONE, RULE_HOST };

/* Operators of one backend of PyTorch, and what another device runs instead. */
struct backend_rule {
	struct str name, specific_to, reason;
	struct str equivalents[TARGET_COUNT]; /* joined by ';' */
	struct str reached_from;              /* joined by ';' */
	enum rule_mode mode;
	unsigned sources[4]; /* ids, 0: none */
};

/* Why no column of the universe tells what an operator's body does. */
enum body { BODY_PLAIN, BODY_STUB, BODY_BOUND };

/* A base name in aten for which a rule, a body or another name is known. */
struct special {
	struct str base;
	const struct backend_rule *rule; /* or NULL */
	enum body body;
	unsigned body_source;
	struct str instead, instead_reason; /* its replacement in other versions of PyTorch; "" */
	unsigned instead_source;
};

enum namespace_kind {
	NAMESPACE_PLUGIN,
	NAMESPACE_COLLECTIVE,
	NAMESPACE_COMPOSITE,
	NAMESPACE_INTERNAL,
	NAMESPACE_QUANTIZED,
	NAMESPACE_PACKAGE,
	NAMESPACE_TORCH,     /* PyTorch's own operators, whose kernels each device registers */
	NAMESPACE_EXTENSION, /* a name that many extensions use; one library's if others of its operators are called */
	NAMESPACE_FOREIGN,   /* operators of another vendor's devices, which programs call by name */
	NAMESPACE_VENDOR,    /* labels and operators that one vendor's software puts in place of others */
};

struct namespace_rule {
	struct str ns, remark; /* "vllm", or "vllm::rocm_*" for a part of one */
	struct str package[TARGET_COUNT];
	enum namespace_kind kind;
	unsigned source;
};

/* Versions of PyTorch that a version of a package is for. */
struct package_build {
	struct str package, version; /* "" for every version */
	unsigned first, last;        /* places of torch */
	unsigned source;
};

/* Rows of rules/operators.tsv. */
enum operator_rule_kind {
	RULE_DATA_DEPENDENT,     /* the shape of its result depends on values, though PyTorch has no tag that says so */
	RULE_NUMBERS_AS_TENSORS, /* its Python function turns a number into a tensor without dimensions */
	RULE_CONVERTS,           /* it copies between types, which the kernel Cast of an NPU does */
	RULE_TRAINING_ONLY,      /* training calls it, and evaluation something else */
};

struct operator_rule {
	enum operator_rule_kind kind;
	struct str name;    /* "aten::index" */
	struct str reached; /* it holds only where this operator of aten was called; "": always */
};

/* An operator that a program calls on the device though the profile of another device does not show it. */
struct implied_rule {
	struct str name; /* the reason: "dropout" */
	struct str seen; /* base names of aten that the profile shows, joined by blanks: all of them */
	unsigned needs;  /* enum implied_need */
	enum target_kind target;
	unsigned torch_from; /* place of the first version of PyTorch that does so; 0: every one */
	struct str calls;    /* base name in aten */
	unsigned source;
};
