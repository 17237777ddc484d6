#include "opdb/text/axis.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"

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

/* --- the facts of each name */

static bool count_from(struct str text, uint64_t *ret)
{
	*ret = 0;
	return !text.len || decimal_unsigned(text, ret);
}

int timeline_add(struct timeline *timeline, const struct tsv *tsv, const struct announced *announced, struct err *err)
{
	struct tally tally = { .line = tsv->line, .dense = announced->dense };

	timeline->file = tsv->name;
	if (!count_from(announced->rows, &tally.rows) || !count_from(announced->dense_rows, &tally.dense_rows))
		return tsv_error(tsv, err, "a count of rows is not a number");
	if (timeline->count == TIMELINE_PLACES)
		return tsv_error(tsv, err, "more than %d releases or versions", TIMELINE_PLACES);
	if (!axis_add(&timeline->axis, announced->name))
		return tsv_error(tsv, err, "\"%.*s\" exists already", STR_ARG(announced->name));
	MEM_PUSH(timeline, tally);
	return 0;
}

int timeline_check(const struct timeline *timeline, struct err *err)
{
	for (size_t i = 0; i < timeline->count; i++) {
		const struct tally *tally = &timeline->items[i];
		struct tsv at = { .name = timeline->file, .line = tally->line };

		if (tally->rows != tally->rows_seen || tally->dense_rows != tally->dense_rows_seen)
			return tsv_error(&at, err,
				"\"%.*s\" has %zu rows (%zu dense), but its facts are %zu rows (%zu dense)",
				STR_ARG(timeline->axis.items[i]), (size_t)tally->rows, (size_t)tally->dense_rows,
				(size_t)tally->rows_seen, (size_t)tally->dense_rows_seen);
	}
	return 0;
}

void timeline_clear(struct timeline *timeline)
{
	axis_clear(&timeline->axis);
	free(timeline->items);
}

void timeline_count(struct timeline *timeline, struct span span, unsigned dense)
{
	for (unsigned place = span.first; place <= span.last; place++) {
		timeline->items[place].rows_seen++;
		timeline->items[place].dense_rows_seen += (timeline->items[place].dense & dense) != 0;
	}
}
