#include "report/operator_index.h"

#include "base/hash.h"

struct operator_index operator_index_of(const struct result *result)
{
	struct operator_index index = { .result = result };

	for (size_t i = 0; i < result->operator_count; i++)
		map_add(&index.by_name, hash_str(hash_seed(), result->operators[i].name), (uint32_t)i);
	return index;
}

void operator_index_clear(struct operator_index *index)
{
	map_clear(&index->by_name);
}

const struct result_operator *operator_index_find(const struct operator_index *index, struct str name)
{
	struct map_cursor at = map_start(&index->by_name, hash_str(hash_seed(), name));

	while (map_next(&index->by_name, &at)) {
		if (str_eq(index->result->operators[at.index].name, name))
			return &index->result->operators[at.index];
	}
	return NULL;
}
