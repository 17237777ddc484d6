#include "dump/table/row.h"

#include "base/value/decimal.h"
#include "base/value/figure.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "base/view/scan.h"
#include "dump/common/cell.h"

static bool is_flops(struct str cell)
{
	int64_t unused;

	return str_eq(cell, STR("--")) || decimal_scaled(cell, 1000, &unused);
}

/* The name behind the lines of a tree, which are U+2500 to U+257F: e2 94 xx and e2 95 xx. */
static struct str without_tree(struct str text)
{
	while (text.len >= 3 && (text.ptr[0] == ' ' || (text.ptr[0] == '\xe2' && (text.ptr[1] & '\xfe') == '\x94')))
		text = str_skip(text, text.ptr[0] == ' ' ? 1 : 3);
	return text;
}

/* PyTorch 2.1 to 2.3 prints CUDA and the third-party device side by side. */
static bool add_time(struct str cell, int64_t *total_ns)
{
	int64_t value;
	bool is_time = cell_time(cell, &value);

	if (is_time)
		*total_ns = figure_add(*total_ns, value);
	return is_time;
}

/* Takes one cell, without blanks at its end, into the row; false when it does not match the grammar of its column. */
static bool take_cell(const struct layout *layout, enum role role, struct str cell, struct table_row *row)
{
	int64_t value;
	int32_t share;
	uint64_t count;

	switch (role) {
	case ROLE_NAME:
		row->op.name = layout->tree ? without_tree(cell) : scan_lead(cell);
		return row->op.name.len;
	case ROLE_OVERLOAD:
		row->op.overload = scan_lead(cell);
		return true;
	case ROLE_SELF_CPU_SHARE:
		return cell_share(cell, &row->self_cpu_share_ppm);
	case ROLE_CPU_SHARE:
	case ROLE_SELF_DEVICE_SHARE:
	case ROLE_DEVICE_SHARE:
		return cell_share(cell, &share);
	case ROLE_SELF_CPU:
		return cell_time(cell, &row->op.self_cpu_ns);
	case ROLE_CPU_TOTAL:
		return cell_time(cell, &row->op.cpu_total_ns);
	case ROLE_SELF_DEVICE:
		return add_time(cell, &row->op.self_device_ns);
	case ROLE_CPU_AVG:
	case ROLE_DEVICE_TOTAL:
	case ROLE_DEVICE_AVG:
		return cell_time(cell, &value);
	case ROLE_MEMORY:
		return cell_memory(cell, &value);
	case ROLE_CALLS:
		return cell_count(cell, &row->op.calls);
	case ROLE_NODE:
		return cell_count(cell, &count) || str_eq(scan_lead(cell), STR("-1"));
	case ROLE_SHAPES:
		row->op.shapes = scan_lead(cell);
		return row->op.shapes.len && row->op.shapes.ptr[0] == '[';
	case ROLE_FLOPS:
		return layout->swapped || is_flops(scan_lead(cell));
	case ROLE_SOURCE:
	case ROLE_OTHER:
	case ROLE_COUNT:
		break;
	}
	return true;
}

/* --- by the dashes */

/* Byte of code point want, known that byte at is code point at_point. */
static size_t byte_of(struct str line, bool ascii, uint32_t want, size_t at, uint32_t at_point)
{
	if (ascii)
		return want < line.len ? want : line.len;
	return at + utf8_offset(str_skip(line, at), want - at_point);
}

static bool by_spans(const struct layout *layout, struct str line, bool ascii, struct table_row *row)
{
	size_t end = 0;
	uint32_t end_point = 0;

	*row = (struct table_row){ 0 };
	for (int i = 0; i < layout->count; i++) {
		const struct column *column = &layout->columns[i];
		size_t start = byte_of(line, ascii, column->start, end, end_point);

		end = byte_of(line, ascii, column->end, start, column->start);
		end_point = column->end;
		/* text that overflows the last column belongs to it */
		if (i == layout->count - 1)
			end = line.len;
		else if (end < line.len && line.ptr[end] != ' ')
			return false;
		if (!take_cell(layout, column->role, scan_chop(str_sub(line, start, end)), row))
			return false;
	}
	return true;
}

/* --- from the right */

/* Start of the run of separators that ends at the end of text; text.len without one. Two blanks or one tab or bar. */
static size_t separator_start(struct str text, bool bars)
{
	size_t at = text.len;
	bool strong = false;

	while (at && (text.ptr[at - 1] == ' ' || text.ptr[at - 1] == '\t' || (bars && text.ptr[at - 1] == '|'))) {
		strong |= text.ptr[at - 1] != ' ';
		at--;
	}
	return strong || text.len - at >= 2 ? at : text.len;
}

static struct str trim_separators(struct str text, bool bars)
{
	for (bool more = true; more;) {
		struct str before = text;

		text = str_trim(text);
		if (bars && text.len && text.ptr[0] == '|')
			text = str_skip(text, 1);
		if (bars && text.len && text.ptr[text.len - 1] == '|')
			text = str_chop(text, 1);
		more = text.len != before.len;
	}
	return text;
}

/* Takes the last cell off *rest. */
static struct str last_cell(struct str *rest, bool bars)
{
	size_t at = rest->len;

	while (at) {
		struct str head = str_sub(*rest, 0, at);
		size_t start = separator_start(head, bars);

		if (start < at) {
			struct str cell = str_skip(*rest, at);

			*rest = str_sub(*rest, 0, start);
			return cell;
		}
		at--;
	}
	return (struct str){ rest->ptr, 0 };
}

/* Cells from the right, the rest is the name. without: a column that this line leaves empty, or NO_COLUMN. */
static bool by_separators(const struct layout *layout, struct str line, int without, struct table_row *row)
{
	struct str rest = trim_separators(line, layout->bars);

	*row = (struct table_row){ 0 };
	for (int i = layout->count - 1; i > 0; i--) {
		if (i == without)
			continue;
		if (!take_cell(layout, layout->columns[i].role, str_trim(last_cell(&rest, layout->bars)), row))
			return false;
	}
	/* figures in the name are those of another row, whose end was lost */
	return !cell_is_figure_in(rest) && take_cell(layout, ROLE_NAME, str_trim(rest), row);
}

/* --- word by word */

static bool next_word(struct str *rest, struct str *ret)
{
	*rest = str_trim(*rest);
	*ret = *rest;
	for (size_t i = 0; i < rest->len; i++) {
		if (rest->ptr[i] == ' ' || rest->ptr[i] == '\t') {
			*ret = str_sub(*rest, 0, i);
			break;
		}
	}
	*rest = str_skip(*rest, ret->len);
	return ret->len;
}

/* The text of the shapes that *rest begins with: to the bracket that closes it, else to the end. */
static struct str take_shapes(struct str *rest)
{
	size_t depth = 0, end;
	struct str shapes;

	*rest = str_trim(*rest);
	for (end = 0; end < rest->len; end++) {
		depth += rest->ptr[end] == '[';
		depth -= rest->ptr[end] == ']' && depth;
		if (!depth) {
			end += rest->ptr[end] == ']';
			break;
		}
	}
	shapes = str_sub(*rest, 0, end);
	*rest = str_skip(*rest, end);
	return shapes;
}

/* Returns whether the words of rest are exactly the cells after the name, each of its grammar. */
static bool cells_by_words(const struct layout *layout, struct str rest, bool skip_overload, struct table_row *row)
{
	for (int i = 1; i < layout->count; i++) {
		enum role role = layout->columns[i].role;
		struct str word, unit;

		if (role == ROLE_OVERLOAD && skip_overload)
			continue;
		if (role == ROLE_SHAPES) {
			word = take_shapes(&rest);
		} else if (!next_word(&rest, &word)) {
			return false;
		} else if (role == ROLE_MEMORY) { /* "128 b": the unit is a word of its own */
			if (!next_word(&rest, &unit))
				return false;
			word.len = (size_t)(unit.ptr + unit.len - word.ptr);
		}
		if (!take_cell(layout, role, word, row))
			return false;
	}
	return str_trim(rest).len == 0;
}

static bool by_words(const struct layout *layout, struct str line, struct table_row *row)
{
	enum { MAX_NAME_WORDS = 64 }; /* bounds the work on a hostile line */
	struct str rest = str_trim(line), word;

	if (layout->at[ROLE_SOURCE] != NO_COLUMN || layout->at[ROLE_OTHER] != NO_COLUMN)
		return false;
	line = rest;
	/* a name may have blanks: it ends where the rest fits */
	for (int words = 0; words < MAX_NAME_WORDS && next_word(&rest, &word); words++) {
		*row = (struct table_row){ 0 };
		row->op.name = str_sub(line, 0, (size_t)(rest.ptr - line.ptr));
		if (cell_is_figure_in(row->op.name))
			return false;
		if (cells_by_words(layout, rest, false, row))
			return true;
		if (layout->at[ROLE_OVERLOAD] != NO_COLUMN && cells_by_words(layout, rest, true, row))
			return true;
	}
	return false;
}

/* A row ends in digits, a unit, a bracket or a flops figure; anything else need not be tried at length. */
static bool may_be_row(const struct layout *layout, struct str line)
{
	int64_t unused;
	struct str rest = trim_separators(line, layout->bars), last;

	if (layout->at[ROLE_SOURCE] != NO_COLUMN || layout->at[ROLE_OTHER] != NO_COLUMN || layout->swapped)
		return rest.len;
	if (layout->at[ROLE_SHAPES] != NO_COLUMN)
		return memchr(rest.ptr, '[', rest.len);
	last = rest;
	while (last.len && is_digit(last.ptr[last.len - 1]))
		last = str_chop(last, 1);
	return last.len < rest.len || is_flops(rest) || decimal_scaled(rest, 1, &unused) || str_ends(rest, STR("s")) ||
	       str_ends(rest, STR("--"));
}

bool row_parse(const struct layout *layout, struct str line, bool ascii, struct table_row *ret)
{
	int overload = layout->at[ROLE_OVERLOAD];
	struct table_row row;
	bool good = (layout->spans && by_spans(layout, line, ascii, &row)) ||
		    (may_be_row(layout, line) &&
			    (by_separators(layout, line, NO_COLUMN, &row) ||
				    (overload != NO_COLUMN && by_separators(layout, line, overload, &row)) ||
				    by_words(layout, line, &row)));

	if (good)
		*ret = row;
	return good;
}

/* A module above its operators has no figures. */
static bool is_module(struct str line)
{
	struct str cell;

	str_cut(&line, '|', &cell);
	return ALL(i, line.len, line.ptr[i] == ' ' || line.ptr[i] == '|') && line.len;
}

bool row_is_continuation(const struct layout *layout, struct str line)
{
	size_t blanks = 0;

	while (blanks < line.len && (line.ptr[blanks] == ' ' || line.ptr[blanks] == '\t'))
		blanks++;
	if (blanks == line.len || (layout->tree && is_module(line)))
		return true;
	return layout->spans && layout->at[ROLE_SOURCE] != NO_COLUMN &&
	       blanks >= layout->columns[layout->at[ROLE_SOURCE]].start;
}
