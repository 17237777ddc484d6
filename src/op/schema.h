#pragma once
/*
 * Signatures of operators as PyTorch's lists write them: "(Tensor self, *, Tensor(a!) out) -> Tensor(a!)".
 *
 * Only what the lists use is known: a signature with another type or form is not understood, because one that is half
 * understood says something wrong about an operator.
 */
#include "base/view/str.h"

enum schema_type {
	TYPE_TENSOR,
	TYPE_INT,
	TYPE_FLOAT,
	TYPE_BOOL,
	TYPE_SCALAR,
	TYPE_CODE, /* ScalarType, Layout and the like: numbers for the dispatcher */
	TYPE_DEVICE,
	TYPE_TEXT,
	TYPE_DIMNAME,
	TYPE_OBJECT, /* Generator, Storage, a class */
	TYPE_ANY,
};

struct schema_param {
	struct str name;
	enum schema_type type;
	bool list;
	bool optional;      /* the whole may be None */
	bool optional_item; /* Tensor?[] */
	bool keyword_only;
	bool written; /* "(a!)" */
};

/* The arguments of a signature, "(Tensor self, Scalar other) -> Tensor", in the order in which the dispatcher passes
   and a profiler records them; views into it. False for one that is not understood or has more than max. */
bool schema_params(struct str signature, struct schema_param *ret, size_t max, size_t *ret_count);

/* Returns whether text is an operator's name: words joined by underscores, at most one point before the overload. */
bool schema_is_name(struct str text);
