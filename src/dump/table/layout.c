#include "dump/table/layout.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "base/view/scan.h"
#include "dump/common/cell.h"

/* --- lines of dashes */

static void reverse(struct column *runs, int count)
{
	for (int i = 0; i < count / 2; i++) {
		struct column run = runs[i];

		runs[i] = runs[count - 1 - i];
		runs[count - 1 - i] = run;
	}
}

bool dashes_parse(struct str text, struct dashes *ret)
{
	enum { MIN_RUNS = 3, MIN_FIRST = 6, MIN_RUN = 3 };
	struct dashes found = { 0 };
	struct str rest = scan_chop(text);
	uint32_t shift;

	if (!rest.len || rest.ptr[rest.len - 1] != '-')
		return false;
	for (;;) {
		size_t run = scan_run_back(rest, '-'), blanks;

		if (run < MIN_RUN || found.count == MAX_COLUMNS)
			break;
		found.runs[found.count++] = (struct column){ .start = (uint32_t)(rest.len - run),
			.end = (uint32_t)rest.len };
		blanks = scan_run_back(str_chop(rest, run), ' ');
		if (blanks < 2)
			break;
		rest = str_chop(rest, run + blanks);
	}
	reverse(found.runs, found.count);
	if (found.count < MIN_RUNS || found.runs[0].end - found.runs[0].start < MIN_FIRST)
		return false;
	/* bytes so far: the text before the dashes may have more bytes than code points */
	found.offset_bytes = found.runs[0].start;
	shift = found.runs[0].start - (uint32_t)utf8_points(str_sub(text, 0, found.offset_bytes));
	for (int i = 0; i < found.count; i++) {
		found.runs[i].start -= shift;
		found.runs[i].end -= shift;
	}
	found.offset = found.runs[0].start;
	*ret = found;
	return true;
}

bool dashes_only(struct str text)
{
	bool dash = false;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '-' && text.ptr[i] != ' ')
			return false;
		dash |= text.ptr[i] == '-';
	}
	return dash;
}

bool rule_only(struct str text)
{
	return ALL(i, text.len, memchr("-|: ", text.ptr[i], 4)) && memchr(text.ptr, '-', text.len);
}

/* --- the vocabulary of headers */

/*
 * Words of a header cell; "*" is the name of a device (CUDA, NPU, MUSA, XPU, MTIA, PRIVATEUSEONE, even None: 2.4 to 2.7
 * print use_device.upper()). CPU is spelt out where it means something of its own. Longer phrases first.
 */
static const struct {
	const char *words;
	enum role role;
} vocabulary[] = {
	{ "Name", ROLE_NAME },
	{ "Overload Name", ROLE_OVERLOAD },
	{ "Self CPU total %", ROLE_SELF_CPU_SHARE },
	{ "Self CPU total", ROLE_SELF_CPU },
	{ "Self CPU time", ROLE_SELF_CPU },
	{ "Self CPU Mem", ROLE_MEMORY },
	{ "Self CPU %", ROLE_SELF_CPU_SHARE },
	{ "Self CPU", ROLE_SELF_CPU },
	{ "CPU total %", ROLE_CPU_SHARE },
	{ "CPU total", ROLE_CPU_TOTAL },
	{ "CPU time avg", ROLE_CPU_AVG },
	{ "CPU time", ROLE_CPU_AVG },
	{ "CPU Mem", ROLE_MEMORY },
	{ "Self * total %", ROLE_SELF_DEVICE_SHARE },
	{ "Self * total", ROLE_SELF_DEVICE },
	{ "Self * Mem", ROLE_MEMORY },
	{ "Self * %", ROLE_SELF_DEVICE_SHARE },
	{ "Self *", ROLE_SELF_DEVICE },
	{ "* total %", ROLE_DEVICE_SHARE },
	{ "* total", ROLE_DEVICE_TOTAL },
	{ "* time avg", ROLE_DEVICE_AVG },
	{ "* time", ROLE_DEVICE_AVG },
	{ "* Mem", ROLE_MEMORY },
	{ "# of Calls", ROLE_CALLS },
	{ "Number of Calls", ROLE_CALLS },
	{ "Calls", ROLE_CALLS },
	{ "Occurrences", ROLE_CALLS },
	{ "Node ID", ROLE_NODE },
	{ "Input Shapes", ROLE_SHAPES },
	{ "Source Location", ROLE_SOURCE },
	{ "Full Name", ROLE_OTHER },
	{ "Total FLOPs", ROLE_FLOPS },
	{ "Total KFLOPs", ROLE_FLOPS },
	{ "Total MFLOPs", ROLE_FLOPS },
	{ "Total GFLOPs", ROLE_FLOPS },
	{ "Total TFLOPs", ROLE_FLOPS },
	{ "Total PFLOPs", ROLE_FLOPS },
};

static bool is_device(struct str word)
{
	if (str_eq(word, STR("None")) || str_eq(word, STR("PrivateUse1")))
		return true;
	return ALL(i, word.len,
		       is_digit(word.ptr[i]) || (is_alpha(word.ptr[i]) && !is_lower(word.ptr[i])) ||
			       word.ptr[i] == '_') &&
	       word.len > 1;
}

static bool is_separator(char c)
{
	return c == ' ' || c == '\t' || c == '|';
}

/* Takes the next word off *rest. */
static bool next_word(struct str *rest, struct str *ret)
{
	size_t start = 0, end;

	while (start < rest->len && is_separator(rest->ptr[start]))
		start++;
	for (end = start; end < rest->len && !is_separator(rest->ptr[end]);)
		end++;
	*ret = str_sub(*rest, start, end);
	*rest = str_skip(*rest, end);
	return ret->len;
}

/* Returns whether *rest begins with the words of the phrase, and moves past them. */
static bool take_phrase(struct str *rest, const char *phrase, enum device_kind *device)
{
	enum device_kind named = DEVICE_UNKNOWN;
	struct str words = str_from(phrase), left = *rest, want, word;

	while (next_word(&words, &want)) {
		if (!next_word(&left, &word))
			return false;
		if (str_eq(want, STR("*")) ? !is_device(word) : !str_eq(want, word))
			return false;
		if (str_eq(want, STR("*")))
			named = device_of_word(word);
	}
	if (named != DEVICE_UNKNOWN)
		*device = named;
	*rest = left;
	return true;
}

/* "FLOPS", "MFLOPS", "GFLOPS/s": 1.8 and 1.9. */
static bool take_flops_per_second(struct str *rest)
{
	struct str left = *rest, word;

	if (!next_word(&left, &word) || !(str_ends(word, STR("FLOPS")) || str_ends(word, STR("FLOPS/s"))))
		return false;
	*rest = left;
	return true;
}

static bool take_role(struct str *rest, enum role *ret, struct layout *layout)
{
	for (size_t i = 0; i < ARRAY_SIZE(vocabulary); i++) {
		if (take_phrase(rest, vocabulary[i].words, &layout->device)) {
			*ret = vocabulary[i].role;
			layout->old_calls |= str_eq(str_from(vocabulary[i].words), STR("Number of Calls"));
			return true;
		}
	}
	if (take_flops_per_second(rest)) {
		*ret = ROLE_FLOPS;
		layout->flops_per_second = true;
		return true;
	}
	return false;
}

static bool add_column(struct layout *layout, enum role role)
{
	if (layout->count == MAX_COLUMNS)
		return false;
	if (layout->at[role] == NO_COLUMN)
		layout->at[role] = layout->count;
	layout->columns[layout->count++].role = role;
	return true;
}

/* Words that are in no vocabulary make one column of their own. */
static bool read_columns(struct str header, struct layout *layout)
{
	struct str word;
	bool in_other = false;

	for (;;) {
		enum role role;

		if (take_role(&header, &role, layout)) {
			in_other = false;
			if (!add_column(layout, role))
				return false;
			continue;
		}
		if (!next_word(&header, &word))
			return true;
		if (!in_other && !add_column(layout, ROLE_OTHER))
			return false;
		in_other = true;
	}
}

/* "Module" is what torchprof calls the column of names: https://github.com/awwong1/torchprof. */
static bool begins_with_name(struct str header, bool *ret_tree)
{
	struct str word;

	if (!next_word(&header, &word))
		return false;
	*ret_tree = str_eq(word, STR("Module")) && str_starts(str_trim(header), STR("|"));
	return *ret_tree || str_eq(word, STR("Name"));
}

/* Its operators have "aten::" whatever the column of calls is called. */
static void make_tree(struct layout *layout)
{
	layout->columns[0].role = ROLE_NAME;
	layout->at[ROLE_NAME] = 0;
	layout->at[ROLE_OTHER] = NO_COLUMN;
	layout->old_calls = false;
}

bool layout_parse(struct str header, const struct dashes *dashes, struct layout *ret)
{
	struct layout layout = { .count = 0 };

	if (!begins_with_name(header, &layout.tree))
		return false;
	for (size_t i = 0; i < ROLE_COUNT; i++)
		layout.at[i] = NO_COLUMN;
	if (!read_columns(header, &layout) || layout.at[ROLE_CALLS] == NO_COLUMN || layout.count < 3)
		return false;
	if (layout.tree)
		make_tree(&layout);
	layout.spans = dashes && dashes->count == layout.count;
	for (int i = 0; layout.spans && i < layout.count; i++) {
		layout.columns[i].start = dashes->runs[i].start;
		layout.columns[i].end = dashes->runs[i].end;
	}
	layout.bars = !layout.spans && memchr(header.ptr, '|', header.len);
	layout.swapped = layout.at[ROLE_SOURCE] != NO_COLUMN && layout.at[ROLE_FLOPS] != NO_COLUMN;
	*ret = layout;
	return true;
}

/* --- rows without a header */

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

		add_column(layout, role);
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
