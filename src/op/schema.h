#pragma once
/*
 * Operators as the `func:` of a YAML list writes them: "add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)".
 *
 * Only what the lists use is known: another type or form is an error, because a schema that is half understood says
 * something wrong about an operator.
 */
#include "base/str.h"

enum schema_kind { SCHEMA_FUNCTIONAL, SCHEMA_INPLACE, SCHEMA_OUT, SCHEMA_MUTABLE };

struct schema {
	struct str op;        /* "add.out" */
	struct str signature; /* "(Tensor self, ...) -> Tensor(a!)"; "" when the text is a name alone */
	enum schema_kind kind;
	bool is_view;      /* returns an alias of an argument that it does not write */
	bool takes_tensor; /* some argument is a Tensor or a list of them */
};

/* Reads a name or a whole signature. False, and *ret_wrong says what is not understood (static text), *ret_at where. */
bool schema_parse(struct str text, struct schema *ret, const char **ret_wrong, size_t *ret_at);

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
	bool optional;      /* None may stand for the whole of it */
	bool optional_item; /* Tensor?[] */
	bool keyword_only;
	bool written; /* "(a!)" */
};

/* The arguments of a signature, "(Tensor self, Scalar other) -> Tensor", in the order in which the dispatcher passes
   and a profiler records them; views into it. False for one that is not understood or has more than max. */
bool schema_params(struct str signature, struct schema_param *ret, size_t max, size_t *ret_count);

/* Whether text is an operator's name: words joined by underscores, at most one point before the overload. */
bool schema_is_name(struct str text);

/* "functional" and so on; static text. */
struct str schema_kind_name(enum schema_kind kind);
