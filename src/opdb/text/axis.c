#include "opdb/text/axis.h"

#include <stdlib.h>

#include "base/memory/mem.h"

void axis_clear(struct axis *axis)
{
	free(axis->items);
	map_clear(&axis->map);
	*axis = (struct axis){ 0 };
}

bool axis_find(const struct axis *axis, struct str name, unsigned *ret_place)
{
	uint32_t at = MAP_FIND(&axis->map, axis->items, name);

	if (at != MAP_NONE)
		*ret_place = at;
	return at != MAP_NONE;
}

bool axis_add(struct axis *axis, struct str name)
{
	unsigned place;

	if (axis_find(axis, name, &place))
		return false;
	map_add_name(&axis->map, name, (uint32_t)axis->count);
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
