#include "report/sections/operator_index.h"

struct map operators_map(const struct result *result)
{
	struct map by_name = { 0 };

	for (size_t i = 0; i < result->operator_count; i++)
		map_add_name(&by_name, result->operators[i].name, (uint32_t)i);
	return by_name;
}

const struct result_operator *operators_find(const struct map *by_name, const struct result *result, struct str name)
{
	uint32_t at = MAP_FIND(by_name, result->operators, name);

	return at == MAP_NONE ? NULL : &result->operators[at];
}

struct map callings_map(const struct result *result)
{
	struct map by_name = { 0 };

	for (size_t i = 0; result->source && i < result->source->callings_count; i++)
		map_add_name(&by_name, result->source->callings[i].operator_name, (uint32_t)i);
	return by_name;
}

const struct result_callings *callings_find(
	const struct map *by_name, const struct result *result, struct str operator_name)
{
	uint32_t at = result->source ? MAP_FIND(by_name, result->source->callings, operator_name) : MAP_NONE;

	return at != MAP_NONE && result->source->callings[at].call_count ? &result->source->callings[at] : NULL;
}
