#pragma once
/* The operators of a result by name, and what calls them. */
#include "assess/model/result.h"
#include "base/memory/map.h"

struct operator_index {
	const struct result *result;
	struct map by_name;
};

/* The result must outlive it; operator_index_clear gives its memory back. */
struct operator_index operator_index_of(const struct result *result);
void operator_index_clear(struct operator_index *index);

/* NULL for a name that is not an operator of the result. */
const struct result_operator *operator_index_find(const struct operator_index *index, struct str name);

/* The lines of a scan that call each operator of the dump beside it, until map_clear; NULL where none is known. */
struct map callings_map(const struct result *result);
const struct result_callings *callings_find(
	const struct map *by_name, const struct result *result, struct str operator_name);
