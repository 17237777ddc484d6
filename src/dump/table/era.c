#include "dump/table/era.h"

#include <stdio.h>

enum { E_1_0, E_1_2, E_1_6, E_1_7, E_1_8, E_1_10, E_2_3, E_2_8 };

static const struct {
	const char *from, *to;
} eras[] = {
	[E_1_0] = { "1.0", "1.1" },
	[E_1_2] = { "1.2", "1.5" },
	[E_1_6] = { "1.6", "1.6" },
	[E_1_7] = { "1.7", "1.7" },
	[E_1_8] = { "1.8", "1.9" },
	[E_1_10] = { "1.10", "2.2" },
	[E_2_3] = { "2.3", "2.7" },
	[E_2_8] = { "2.8", "" },
};

struct era era_any(void)
{
	return (struct era){ .first = E_1_0, .last = E_2_8 };
}

static void narrow_era(struct era *era, int first, int last)
{
	era->first = first > era->first ? first : era->first;
	era->last = last < era->last ? last : era->last;
}

static uint32_t width(const struct layout *layout, enum role role)
{
	int at = layout->at[role];

	return at == NO_COLUMN ? 0 : layout->columns[at].end - layout->columns[at].start;
}

void era_narrow_by_layout(struct era *era, const struct layout *layout)
{
	enum { OLD_SHAPES_WIDTH = 35, CAP_BEFORE_1_10 = 45 };

	if (layout->old_calls) {
		bool only_1_6 = layout->at[ROLE_MEMORY] != NO_COLUMN || layout->at[ROLE_NODE] != NO_COLUMN ||
				width(layout, ROLE_SHAPES) == CAP_BEFORE_1_10;

		narrow_era(
			era, only_1_6 ? E_1_6 : E_1_2, width(layout, ROLE_SHAPES) == OLD_SHAPES_WIDTH ? E_1_2 : E_1_6);
		return;
	}
	narrow_era(era, layout->at[ROLE_SELF_CPU] == NO_COLUMN ? E_1_0 : E_1_7,
		layout->at[ROLE_SELF_CPU] == NO_COLUMN ? E_1_0 : E_2_8);
	if (layout->flops_per_second)
		narrow_era(era, E_1_8, E_1_8);
	else if (layout->at[ROLE_FLOPS] != NO_COLUMN || width(layout, ROLE_SHAPES) > CAP_BEFORE_1_10)
		narrow_era(era, E_1_10, E_2_8);
	if (layout->at[ROLE_OVERLOAD] != NO_COLUMN)
		narrow_era(era, E_2_8, E_2_8);
}

void era_narrow_by_row(struct era *era, const struct table_row *row)
{
	enum { ONE_MS = 1000000 };

	if (row->op.self_cpu_ns % 1000)
		era->fraction_of_us = true;
	else if (row->op.self_cpu_ns > 0 && row->op.self_cpu_ns < ONE_MS)
		era->whole_us++;
}

void era_text(const struct era *found, char *ret, size_t size)
{
	enum { ENOUGH_ROWS = 20 };
	struct era era = *found;

	if (era.fraction_of_us)
		narrow_era(&era, E_2_3, E_2_8);
	else if (era.whole_us >= ENOUGH_ROWS)
		narrow_era(&era, E_1_0, E_1_10);
	ret[0] = '\0';
	if (era.first > era.last || (era.first == E_1_0 && era.last == E_2_8))
		return;
	if (era.last == E_2_8)
		snprintf(ret, size, "%s+", eras[era.first].from);
	else if (strcmp(eras[era.first].from, eras[era.last].to) == 0)
		snprintf(ret, size, "%s", eras[era.first].from);
	else
		snprintf(ret, size, "%s-%s", eras[era.first].from, eras[era.last].to);
}
