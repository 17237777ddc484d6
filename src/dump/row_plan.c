#include "dump/row_plan.h"

#include <stddef.h>

#include "base/mem.h"
#include "base/scan.h"

#define FIELD(member) offsetof(struct table_row, member)

static const struct {
	enum role role;
	enum plan_kind kind;
	size_t field;
} kinds[] = {
	{ ROLE_SELF_CPU_SHARE, PLAN_SHARE, FIELD(self_cpu_share_ppm) },
	{ ROLE_SELF_CPU, PLAN_TIME, FIELD(self_cpu_ns) },
	{ ROLE_CPU_SHARE, PLAN_SHARE_UNUSED, 0 },
	{ ROLE_CPU_TOTAL, PLAN_TIME, FIELD(cpu_total_ns) },
	{ ROLE_CPU_AVG, PLAN_TIME_UNUSED, 0 },
	{ ROLE_SELF_DEVICE_SHARE, PLAN_SHARE_UNUSED, 0 },
	{ ROLE_SELF_DEVICE, PLAN_TIME, FIELD(self_device_ns) },
	{ ROLE_DEVICE_SHARE, PLAN_SHARE_UNUSED, 0 },
	{ ROLE_DEVICE_TOTAL, PLAN_TIME_UNUSED, 0 },
	{ ROLE_DEVICE_AVG, PLAN_TIME_UNUSED, 0 },
	{ ROLE_MEMORY, PLAN_MEMORY, 0 },
	{ ROLE_CALLS, PLAN_COUNT, FIELD(calls) },
	{ ROLE_SHAPES, PLAN_SHAPES, 0 },
};

static bool plan_step(struct row_plan *plan, const struct column *column)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].role != column->role)
			continue;
		plan->steps[plan->count++] = (struct plan_step){ kinds[i].kind, column->start, column->end, kinds[i].field };
		return true;
	}
	return false;
}

void row_plan_make(struct row_plan *plan, const struct layout *layout)
{
	/* two devices side by side (2.1 to 2.3) are added up: the careful way knows how */
	int devices = 0, first = 1;

	*plan = (struct row_plan){ .name_end = layout->columns[0].end };
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
		if (!plan_step(plan, &layout->columns[i]))
			return;
	}
	plan->usable = devices <= 1;
}

/* --- cells, read backwards from the end of their column */

static inline bool digit_at(const char *line, uint32_t at, int64_t weight, int64_t *value)
{
	unsigned digit = (unsigned char)line[at] - (unsigned)'0';

	*value += digit * weight;
	return digit <= 9;
}

/* Whether nothing but blanks stands in [start, at). */
static inline bool is_blank(const char *line, uint32_t start, uint32_t at)
{
	while (at > start && line[at - 1] == ' ')
		at--;
	return at == start;
}

/* The digits that end before at, times weight; at least one and at most eleven, with blanks before them down to start. */
static inline bool whole_digits(const char *line, uint32_t start, uint32_t at, int64_t weight, int64_t *value)
{
	enum { MAX_DIGITS = 11 };
	uint32_t first = at;

	while (at > start && digit_at(line, at - 1, 0, &(int64_t){ 0 })) {
		*value += (line[--at] - '0') * weight;
		weight *= 10;
	}
	return at < first && first - at <= MAX_DIGITS && is_blank(line, start, at);
}

/* The number before at with two or three digits after its point, in units of the last of them. */
static inline bool fixed_before(const char *line, uint32_t start, uint32_t at, unsigned places, int64_t *ret)
{
	int64_t value = 0, weight = 1;
	bool good = true;

	if (at < start + places + 2 || line[at - places - 1] != '.')
		return false;
	for (unsigned i = 1; i <= places; i++, weight *= 10)
		good &= digit_at(line, at - i, weight, &value);
	*ret = 0;
	good = good && whole_digits(line, start, at - places - 1, weight, &value);
	*ret = value;
	return good;
}

static inline bool time_before(const char *line, const struct plan_step *step, int64_t *ret_ns)
{
	uint32_t at = step->end - 1;
	int64_t thousandths, scale;

	if (line[at] != 's')
		return false;
	if (line[at - 1] == 'u')
		scale = 1, at--;
	else if (line[at - 1] == 'm')
		scale = 1000, at--;
	else
		scale = 1000 * 1000;
	if (!fixed_before(line, step->start, at, 3, &thousandths))
		return false;
	*ret_ns = thousandths * scale;
	return true;
}

static inline bool share_before(const char *line, const struct plan_step *step, int64_t *ret_hundredths)
{
	enum { MOST = 1000000 };

	return line[step->end - 1] == '%' && fixed_before(line, step->start, step->end - 1, 2, ret_hundredths) &&
		*ret_hundredths <= MOST;
}

/* "128 b", "1.50 Kb", "1.50 KB" */
static inline bool memory_before(const char *line, const struct plan_step *step)
{
	uint32_t at = step->end - 1;
	int64_t unused = 0;

	if (step->end < step->start + 3 || (line[at] != 'b' && line[at] != 'B'))
		return false;
	if (line[at - 1] == ' ')
		return whole_digits(line, step->start, at - 1, 1, &unused);
	return memchr("KMG", line[at - 1], 3) && line[at - 2] == ' ' && fixed_before(line, step->start, at - 2, 2, &unused);
}

static bool take_step(const struct plan_step *step, struct str line, struct table_row *row)
{
	char *field = (char *)row + step->field;
	int64_t value;

	switch (step->kind) {
	case PLAN_TIME:
		return time_before(line.ptr, step, (int64_t *)field);
	case PLAN_TIME_UNUSED:
		return time_before(line.ptr, step, &value);
	case PLAN_SHARE:
		if (!share_before(line.ptr, step, &value))
			return false;
		*(int32_t *)field = (int32_t)value * 100;
		return true;
	case PLAN_SHARE_UNUSED:
		return share_before(line.ptr, step, &value);
	case PLAN_COUNT:
		value = 0;
		if (!whole_digits(line.ptr, step->start, step->end, 1, &value))
			return false;
		*(uint64_t *)field = (uint64_t)value;
		return true;
	case PLAN_MEMORY:
		return memory_before(line.ptr, step);
	case PLAN_SHAPES:
		break;
	}
	return false;
}

/* What overflows the last column belongs to it, which only row_parse knows. */
static bool ends_with_plan(const struct row_plan *plan, struct str line)
{
	uint32_t end = plan->steps[plan->count - 1].end;

	return line.len <= end || scan_run(str_skip(line, end), ' ') == line.len - end;
}

bool row_plan_run(const struct row_plan *plan, struct str line, struct table_row *ret)
{
	struct table_row row = { 0 };
	struct str name = { line.ptr, plan->name_end };

	if (line.len <= plan->name_end + 1 || line.ptr[name.len] != ' ' || line.ptr[name.len - 1] == ' ')
		return false;
	row.name = str_skip(name, scan_run(name, ' '));
	if (plan->overload) {
		if (line.len <= plan->overload_end || line.ptr[plan->overload_end] != ' ')
			return false;
		row.overload = scan_trim(str_sub(line, plan->overload_start, plan->overload_end));
	}
	for (int i = 0; i < plan->count; i++) {
		const struct plan_step *step = &plan->steps[i];

		if (step->kind == PLAN_SHAPES && step->start < line.len) {
			uint32_t end = step->end < line.len ? step->end : (uint32_t)line.len;

			row.shapes = scan_trim(str_sub(line, step->start, end));
			if (!row.shapes.len || row.shapes.ptr[0] != '[' || (end < line.len && line.ptr[end] != ' '))
				return false;
		} else if (line.len < step->end || (line.len > step->end && line.ptr[step->end] != ' ') ||
			   !take_step(step, line, &row)) {
			return false;
		}
	}
	if (!ends_with_plan(plan, line))
		return false;
	*ret = row;
	return true;
}
