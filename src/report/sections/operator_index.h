#pragma once
/* The operators of a result by name, and what calls them. */
#include "assess/model/result.h"
#include "base/memory/map.h"

/* The operators, until map_clear; NULL for a name that is not among them. */
struct map operators_map(const struct result *result);
const struct result_operator *operators_find(const struct map *by_name, const struct result *result, struct str name);

/* The lines of a scan that call each operator of the dump beside it; NULL where none is known. */
struct map callings_map(const struct result *result);
const struct result_callings *callings_find(
	const struct map *by_name, const struct result *result, struct str operator_name);
