#include "opdb/text/axis.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

void axis_clear(struct axis *axis)
{
	free(axis->items);
	map_clear(&axis->map);
	*axis = (struct axis){ 0 };
}

bool axis_find(const struct axis *axis, struct str name, unsigned *ret_place)
{
	struct map_cursor at = map_start(&axis->map, hash_str(hash_seed(), name));

	while (map_next(&axis->map, &at)) {
		if (str_eq(axis->items[at.index], name)) {
			*ret_place = at.index;
			return true;
		}
	}
	return false;
}

bool axis_add(struct axis *axis, struct str name)
{
	unsigned place;

	if (axis_find(axis, name, &place))
		return false;
	map_add(&axis->map, hash_str(hash_seed(), name), (uint32_t)axis->count);
	MEM_PUSH(axis, name);
	return true;
}

enum span_result axis_span(const struct axis *axis, struct str *rest, struct span *ret, struct str *ret_name)
{
	struct str text, last;
	struct span span;
	size_t dots;

	if (!str_cut(rest, ' ', &text))
		return SPAN_END;
	dots = str_find(text, STR(".."));
	*ret_name = dots == STR_NONE ? text : str_sub(text, 0, dots);
	if (!axis_find(axis, *ret_name, &span.first))
		return SPAN_UNKNOWN;
	last = dots == STR_NONE ? text : str_skip(text, dots + 2);
	*ret_name = last;
	if (!axis_find(axis, last, &span.last))
		return SPAN_UNKNOWN;
	if (span.last < span.first)
		return SPAN_REVERSED;
	*ret = span;
	return SPAN_OK;
}
