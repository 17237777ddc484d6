#pragma once
/* The base names that the database knows: operators of PyTorch in any version, of the plugins and of packages. */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "opdb/db/rules.h"

struct opdb;
struct release;

struct name_list {
	size_t max;        /* set by the caller: the most names to be listed, 0 for all */
	struct str *items; /* "aten::add" */
	size_t count;
};

/* Names that begin with prefix ("aten::conv", "" for all), in their order, at most ret->max. The list lives in arena.
   ERR_DB_DAMAGED, ERR_LIMIT. */
int opdb_names_with_prefix(
	const struct opdb *db, struct str prefix, struct arena *arena, struct name_list *ret, struct err *err);

/* Returns whether the database has every name of the namespace, as of aten and a plugin's own; of others it has only
   those with seen kernels. */
bool opdb_has_whole_namespace(const struct opdb *db, struct str ns);

/* The operators that a Python API is about: "aten::isin" for "torch.isin". Same memory, same errors. */
int opdb_names_of_api(
	const struct opdb *db, struct str api, struct arena *arena, struct name_list *ret, struct err *err);

/* One of the operators that a Python API calls, as measured while PyTorch's own samples of the API ran. */
struct api_call {
	struct str name;            /* "aten::bmm" */
	unsigned forward, backward; /* percent of the samples in which it was called: by the API, for its gradient */
};

struct api_calls {
	struct api_call *items; /* those that most samples call come first */
	size_t count;           /* 0: the API was not measured, or calls no operator */
};

/* Operators that an API calls, by its full name: "torch.nn.MultiheadAttention", "torch.Tensor.add_",
   "torch.optim.Adam(foreach=True)". Same memory, same errors. */
int opdb_api_calls(const struct opdb *db, struct str api, struct arena *arena, struct api_calls *ret, struct err *err);

/* The base names of the operators for which op-plugin calls CANN's API so ("aclnnSort"). Same memory, same errors. */
int opdb_names_of_call(
	const struct opdb *db, struct str call, struct arena *arena, struct name_list *ret, struct err *err);

/* Names that a misspelt one ("aten::conv2") may mean, best first. Same memory, same errors. */
int opdb_nearest_names(
	const struct opdb *db, struct str name, struct arena *arena, struct name_list *ret, struct err *err);

/* The same of Python APIs that opdb_api_calls knows. */
int opdb_nearest_apis(
	const struct opdb *db, struct str api, struct arena *arena, struct name_list *ret, struct err *err);

/* The row of rules/operators.tsv for an operator by its full name, or NULL. */
const struct operator_rule *operator_rule_find(const struct opdb *db, enum operator_rule_kind kind, struct str name);
