#include "dump/table/row_plan.h"

#include <stddef.h>

#include "base/memory/mem.h"
#include "base/view/digits.h"
#include "base/view/fixed.h"

#define FIELD(member) offsetof(struct table_row, member)

static const struct {
	enum role role;
	enum plan_kind kind;
	size_t field;
} kinds[] = {
	{ ROLE_SELF_CPU_SHARE, PLAN_SHARE, FIELD(self_cpu_share_ppm) },
	{ ROLE_SELF_CPU, PLAN_TIME, FIELD(op.self_cpu_ns) },
	{ ROLE_CPU_SHARE, PLAN_SHARE_UNUSED, 0 },
	{ ROLE_CPU_TOTAL, PLAN_TIME, FIELD(op.cpu_total_ns) },
	{ ROLE_CPU_AVG, PLAN_TIME_UNUSED, 0 },
	{ ROLE_SELF_DEVICE_SHARE, PLAN_SHARE_UNUSED, 0 },
	{ ROLE_SELF_DEVICE, PLAN_TIME, FIELD(op.self_device_ns) },
	{ ROLE_DEVICE_SHARE, PLAN_SHARE_UNUSED, 0 },
	{ ROLE_DEVICE_TOTAL, PLAN_TIME_UNUSED, 0 },
	{ ROLE_DEVICE_AVG, PLAN_TIME_UNUSED, 0 },
	{ ROLE_MEMORY, PLAN_MEMORY, 0 },
	{ ROLE_CALLS, PLAN_COUNT, FIELD(op.calls) },
	{ ROLE_SHAPES, PLAN_SHAPES, 0 },
};

enum { MOST_UNIT_BYTES = 3 }; /* behind a size: " Kb" */

/* A step looks at a column and at the blanks before it, back to the end of the column before; sixteen bytes of a line
   are read at a time, before the unit of a size. */
static bool plan_step(struct row_plan *plan, const struct column *column, uint32_t start)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].role != column->role)
			continue;
		if (column->end < FIXED_BYTES + (kinds[i].kind == PLAN_MEMORY ? MOST_UNIT_BYTES : 0))
			return false;
		if (kinds[i].kind == PLAN_SHAPES)
			plan->shapes_start = column->start;
		else
			plan->min_len = column->end;
		plan->steps[plan->count++] = (struct plan_step){ kinds[i].kind, start, column->end,
			fixed_column(column->end - start), kinds[i].field };
		return true;
	}
	return false;
}

void row_plan_make(struct row_plan *plan, const struct layout *layout)
{
	/* two devices side by side (2.1 to 2.3) are added up: the careful way knows how */
	int devices = 0, first = 1;

	*plan = (struct row_plan){ .name_end = layout->columns[0].end, .min_len = layout->columns[0].end + 1 };
	if (!layout->spans || layout->old_calls || layout->columns[0].start)
		return;
	if (layout->columns[1].role == ROLE_OVERLOAD) {
		plan->overload = true;
		plan->overload_start = layout->columns[1].start;
		plan->overload_end = layout->columns[1].end;
		first = 2;
	}
	for (int i = first; i < layout->count; i++) {
		devices += layout->columns[i].role == ROLE_SELF_DEVICE;
		if (!plan_step(plan, &layout->columns[i], layout->columns[i - 1].end))
			return;
	}
	plan->usable = devices <= 1;
}

/* --- cells */

/* The digits that end before end, as many as there are bits in a row from last on. */
static int64_t whole_number(const char *end, uint32_t digits, uint32_t last)
{
	int64_t value = 0, weight = 1;

	for (; digits & last; last >>= 1, weight *= 10)
		value += (*--end - '0') * weight;
	return value;
}

/* A number with a point, so many places behind it and then unit bytes, at which the caller looks; in thousandths. */
static inline bool fixed_before(const char *end, uint32_t column, unsigned unit, unsigned places, int64_t *ret)
{
	const uint32_t point = FIXED_LAST >> (unit + places),
		       others = point + FIXED_LAST * 2 - (FIXED_LAST * 2 >> unit);
	struct fixed_cell cell = fixed_cell(end, column);
	const char *at = end - unit - places - 1;
	uint64_t word;

	if (!fixed_matches(cell, others) || *at != '.' || !(cell.digits & point >> 1))
		return false;
	if (cell.digits & point >> 5) { /* more than four digits */
		*ret = whole_number(at, cell.digits, point >> 1) * 1000 +
		       whole_number(end - unit, cell.digits, FIXED_LAST >> unit) * (places == 2 ? 10 : 1);
		return true;
	}
	word = scan_load(at - 4);
	*ret = fixed_thousandths(places == 2 ? word & UINT64_MAX >> 8 : word);
	return true;
}

static inline bool time_before(const char *end, const struct plan_step *step, int64_t *ret_ns)
{
	static const int64_t scales[] = { 1000 * 1000, 1000, 1 };
	unsigned small = end[-2] == 'u', middle = end[-2] == 'm';
	int64_t thousandths;

	if (end[-1] != 's' || !fixed_before(end, step->column, 1 + (small | middle), 3, &thousandths))
		return false;
	*ret_ns = thousandths * scales[middle + 2 * small];
	return true;
}

static inline bool share_before(const char *end, const struct plan_step *step, int64_t *ret_thousandths)
{
	enum { MOST = 10000000 };

	return end[-1] == '%' && fixed_before(end, step->column, 1, 2, ret_thousandths) && *ret_thousandths <= MOST;
}

static inline bool count_before(const char *end, const struct plan_step *step, uint64_t *ret)
{
	struct fixed_cell cell = fixed_cell(end, step->column);

	if (!fixed_matches(cell, 0) || step->end - step->start < 8)
		return false;
	if (cell.digits & FIXED_LAST >> 8)
		*ret = (uint64_t)whole_number(end, cell.digits, FIXED_LAST);
	else
		*ret = (uint64_t)fixed_eight(scan_load(end - 8));
	return true;
}

/* Bytes of the unit behind a size and of the blank before it: " b", " Kb", " KB" and so on; 0 for anything else. */
static inline unsigned size_unit(const char *end)
{
	if (end[-1] != 'b' && end[-1] != 'B')
		return 0;
	if (end[-2] == ' ')
		return 2;
	return end[-3] == ' ' && memchr("KMG", end[-2], 3) ? 3 : 0;
}

/* "128 b", "-1.50 Kb": nothing of it is kept. */
static inline bool memory_before(const char *end, const struct plan_step *step)
{
	unsigned unit = size_unit(end);
	struct fixed_cell cell = fixed_cell(end - unit, step->column << unit & (FIXED_LAST * 2 - 1));
	uint32_t first = cell.filled & -cell.filled, point = unit == 3 ? FIXED_LAST >> 2 : 0;
	uint32_t last_whole = point ? point >> 1 : FIXED_LAST, minus = 0;

	if (!unit || !first || (point && end[-6] != '.'))
		return false;
	if (end[-(int)unit - FIXED_BYTES + __builtin_ctz(first)] == '-')
		minus = first;
	return fixed_matches(cell, point | minus) && cell.digits & (first | first << 1) && cell.digits & last_whole;
}

static inline bool take_step(const struct plan_step *step, const char *end, struct table_row *row)
{
	uint32_t rest = step->end - step->start;
	char *field = (char *)row + step->field;
	int64_t value = 0;

	/* of a wider column the beginning must be blank, too */
	if (rest > FIXED_BYTES && scan_run((struct str){ end - rest, rest - FIXED_BYTES }, ' ') < rest - FIXED_BYTES)
		return false;

	switch (step->kind) {
	case PLAN_TIME:
		return time_before(end, step, (int64_t *)field);
	case PLAN_TIME_UNUSED:
		return time_before(end, step, &value);
	case PLAN_SHARE:
		if (!share_before(end, step, &value))
			return false;
		*(int32_t *)field = (int32_t)value * 10;
		return true;
	case PLAN_SHARE_UNUSED:
		return share_before(end, step, &value);
	case PLAN_COUNT:
		return count_before(end, step, (uint64_t *)field);
	case PLAN_MEMORY:
		return memory_before(end, step);
	case PLAN_SHAPES:
		break;
	}
	return false;
}

/* Text that overflows the last column belongs to it, which only row_parse handles. */
static bool ends_with_plan(const struct row_plan *plan, struct str line)
{
	uint32_t end = plan->steps[plan->count - 1].end;

	return line.len <= end || scan_run(str_skip(line, end), ' ') == line.len - end;
}

/* The shapes, which may end before their column does but not begin before it. */
static bool take_shapes(
	const struct row_plan *plan, const struct plan_step *step, struct str line, struct table_row *row)
{
	uint32_t end = step->end < line.len ? step->end : (uint32_t)line.len;

	if (step->start >= line.len || (end < line.len && line.ptr[end] != ' '))
		return false;
	row->op.shapes = str_sub(line, step->start, end);
	row->op.shapes = scan_chop(str_skip(row->op.shapes, fixed_lead(row->op.shapes)));
	return row->op.shapes.len && row->op.shapes.ptr[0] == '[' &&
	       row->op.shapes.ptr >= line.ptr + plan->shapes_start;
}

/* The overload, behind nothing but blanks. */
static bool take_overload(const struct row_plan *plan, struct str line, struct table_row *row)
{
	if (line.len <= plan->overload_end || line.ptr[plan->overload_end] != ' ')
		return false;
	row->op.overload = scan_trim(str_sub(line, plan->name_end, plan->overload_end));
	return !row->op.overload.len || row->op.overload.ptr >= line.ptr + plan->overload_start;
}

bool row_plan_run(const struct row_plan *plan, struct str line, struct table_row *ret)
{
	struct str name = { line.ptr, plan->name_end };

	if (line.len < plan->min_len || line.ptr[name.len] != ' ' || line.ptr[name.len - 1] == ' ')
		return false;
	*ret = (struct table_row){ .op.name = str_skip(name, fixed_lead(name)) };
	if (plan->overload && !take_overload(plan, line, ret))
		return false;
	for (int i = 0; i < plan->count; i++) {
		const struct plan_step *step = &plan->steps[i];

		if (step->kind == PLAN_SHAPES ? !take_shapes(plan, step, line, ret)
					      : !take_step(step, line.ptr + step->end, ret))
			return false;
	}
	return ends_with_plan(plan, line);
}
