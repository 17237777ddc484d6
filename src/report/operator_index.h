#pragma once
/* The operators of a result by name. */
#include "assess/model/result.h"
#include "base/map.h"

struct operator_index {
	const struct result *result;
	struct map by_name;
};

/* The result must outlive it; operator_index_clear gives its memory back. */
struct operator_index operator_index_of(const struct result *result);
void operator_index_clear(struct operator_index *index);

/* NULL for a name that is no operator of the result. */
const struct result_operator *operator_index_find(const struct operator_index *index, struct str name);
