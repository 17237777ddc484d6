#pragma once
/*
 * Resolve the support of an operator on a release.
 *
 * The rules are those of PyTorch's dispatcher and of the plugins (SEMANTICS 5), in their order. Functions that return
 * int return 0, ERR_DB_DAMAGED, or ERR_LIMIT over the memory of a resolver.
 */
#include "opdb/db/target.h"
#include "opdb/model/answer.h"
#include "opdb/resolve/resolver.h"

/* An operator as a profile prints it, and how its name is read. */
struct op_query {
	struct str ns, base;
	struct str overload; /* "" or left out: the name as a whole; "default": the overload without a name */
	enum reading reading;
	bool of_library; /* resolve_is_of_library */
	bool dense;      /* of dense tensors, though PyTorch may have the operator for sparse ones alone */
};

/* Resolve the operator on the target. */
int resolve_base(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct answer *ret, struct err *err);

/* Returns whether the name belongs to another backend and none of the composites that choose it was recorded: then
   the program calls it by name, READING_EXPLICIT. recorded takes full names such as "aten::_convolution". */
bool resolve_called_by_name(const struct resolver *resolver, struct str ns, struct str base,
	bool (*recorded)(void *ctx, struct str name), void *ctx);

/* Every overload that PyTorch has in the target's version, by name, read as reached and of dense tensors, until each
   answers other than 0. */
int resolve_all(struct resolver *resolver, const struct target *target,
	int (*each)(void *ctx, const struct overload_answer *overload), void *ctx, struct err *err);

/* Returns whether a namespace with a common name, such as _C, belongs to a library of which other operators were
   recorded. recorded takes namespaces such as "vllm". */
bool resolve_is_of_library(
	const struct resolver *resolver, struct str ns, bool (*recorded)(void *ctx, struct str ns), void *ctx);

/* Returns whether operators of a namespace come from a library other than PyTorch and the plugins. */
bool resolve_is_third_party(const struct resolver *resolver, struct str ns);

/* PyTorch's tags that mean shapes depend on data, on any overload in any version. */
enum dynamic_tag { TAG_DATA_DEPENDENT_OUTPUT = 1 << 0, TAG_DYNAMIC_OUTPUT_SHAPE = 1 << 1 };

int resolve_dynamic_tags(struct resolver *resolver, struct str ns, struct str base, unsigned *ret, struct err *err);

/* The versions of PyTorch that have the name, "" when none has: "1.8.1..2.0.1 2.3.1". */
int resolve_known_in(struct resolver *resolver, struct str ns, struct str base, struct str *ret, struct err *err);

/* Every signature that an overload of the name had in any version of PyTorch, overloads by name, until each answers
   other than 0. overload: "Tensor"; signature: "(Tensor self) -> Tensor". */
int resolve_signatures(struct resolver *resolver, const struct op_query *query,
	int (*each)(void *ctx, struct str overload, struct str signature), void *ctx, struct err *err);
