#include "dump/table/guess.h"

#include "base/decimal.h"
#include "base/mem.h"
#include "dump/common/cell.h"

/* The kind of a cell, as one letter: share, time, memory, count, list, flops; '?' for anything else. */
static char kind_of(struct str cell)
{
	int64_t value;
	int32_t share;
	uint64_t count;

	if (cell.ptr[0] == '[')
		return 'l';
	if (cell_count(cell, &count))
		return 'c';
	if (cell_share(cell, &share))
		return 's';
	if (cell_time(cell, &value))
		return 't';
	if (cell_memory(cell, &value))
		return 'm';
	return str_eq(cell, STR("--")) || decimal_scaled(cell, 1000, &value) ? 'f' : '?';
}

/* Takes the first cell off *rest: up to two blanks or a tab. */
static bool first_cell(struct str *rest, struct str *ret)
{
	size_t end = 0;

	*rest = str_trim(*rest);
	while (end < rest->len && rest->ptr[end] != '\t' && !str_starts(str_skip(*rest, end), STR("  ")))
		end++;
	*ret = str_sub(*rest, 0, end);
	*rest = str_skip(*rest, end);
	return end;
}

/* Groups of cells in the order in which tables have them. Longer ones before their beginnings. */
static const struct {
	const char *kinds;
	enum role roles[5];
} groups[] = {
	{ "ststt", { ROLE_SELF_CPU_SHARE, ROLE_SELF_CPU, ROLE_CPU_SHARE, ROLE_CPU_TOTAL, ROLE_CPU_AVG } },
	{ "tstt", { ROLE_SELF_DEVICE, ROLE_SELF_DEVICE_SHARE, ROLE_DEVICE_TOTAL, ROLE_DEVICE_AVG } },
	{ "stt", { ROLE_DEVICE_SHARE, ROLE_DEVICE_TOTAL, ROLE_DEVICE_AVG } },
	{ "m", { ROLE_MEMORY } },
	{ "c", { ROLE_CALLS } },
	{ "l", { ROLE_SHAPES } },
	{ "f", { ROLE_FLOPS } },
};

static void add_group(struct layout *layout, const enum role *roles, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enum role role = roles[i] == ROLE_CALLS && layout->at[ROLE_CALLS] != NO_COLUMN ? ROLE_NODE : roles[i];

		if (layout->at[role] == NO_COLUMN)
			layout->at[role] = layout->count;
		layout->columns[layout->count++].role = role;
	}
}

static bool add_groups(struct layout *layout, struct str kinds)
{
	while (kinds.len) {
		size_t i = 0;

		while (i < ARRAY_SIZE(groups) && !str_starts(kinds, str_from(groups[i].kinds)))
			i++;
		if (i == ARRAY_SIZE(groups))
			return false;
		add_group(layout, groups[i].roles, strlen(groups[i].kinds));
		kinds = str_skip(kinds, strlen(groups[i].kinds));
	}
	return true;
}

bool layout_guess(struct str line, struct layout *ret)
{
	struct layout layout = { .count = 0 };
	char kinds[MAX_COLUMNS - 1];
	size_t count = 0;
	struct str cell;

	if (!memchr(line.ptr, '%', line.len) || !first_cell(&line, &cell))
		return false;
	while (first_cell(&line, &cell)) {
		if (count == ARRAY_SIZE(kinds))
			return false;
		kinds[count++] = kind_of(cell);
	}
	for (size_t i = 0; i < ROLE_COUNT; i++)
		layout.at[i] = NO_COLUMN;
	add_group(&layout, (enum role[]){ ROLE_NAME }, 1);
	if (count < 6 || memcmp(kinds, "ststt", 5) != 0 || !add_groups(&layout, (struct str){ kinds, count }) ||
		layout.at[ROLE_CALLS] == NO_COLUMN)
		return false;
	*ret = layout;
	return true;
}
