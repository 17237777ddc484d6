#pragma once
/*
 * Operators as the `func:` of a YAML list writes them: "add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)".
 *
 * Only what the lists use is known: another type or form is an error, because a schema that is half understood says
 * something wrong about an operator.
 */
#include "import/input.h"

enum schema_kind { SCHEMA_FUNCTIONAL, SCHEMA_INPLACE, SCHEMA_OUT, SCHEMA_MUTABLE };

struct schema {
	struct str op; /* "add.out" */
	struct str signature; /* "(Tensor self, ...) -> Tensor(a!)"; "" when the text is a name alone */
	enum schema_kind kind;
	bool is_view; /* returns an alias of an argument that it does not write */
	bool takes_tensor; /* some argument is a Tensor or a list of them */
};

/* Reads a name or a whole signature. False, and *ret_wrong says what is not understood (static text), *ret_at where. */
bool schema_parse(struct str text, struct schema *ret, const char **ret_wrong, size_t *ret_at);

/* The same with an error at that line of a file. */
int schema_read(const struct input *input, size_t line, struct str text, struct schema *ret, struct err *err);

/* Whether text is an operator's name: words joined by underscores, at most one point before the overload. */
bool schema_is_name(struct str text);

/* "functional" and so on; static text. */
struct str schema_kind_name(enum schema_kind kind);
