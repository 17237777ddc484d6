/* Rows and cells. The first line is one of dashes, the second a header, the others rows: the short way must agree with the careful one. */
#include "base/value/utf8.h"
#include "dump/common/cell.h"
#include "dump/table/layout.h"
#include "dump/table/row_plan.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/layouts.h"

static bool lies_in(struct str line, struct str view)
{
	return !view.len || (view.ptr >= line.ptr && view.ptr + view.len <= line.ptr + line.len);
}

static void hold_row(struct str line, const struct table_row *row)
{
	HOLD(row->op.name.len && lies_in(line, row->op.name) && lies_in(line, row->op.overload) &&
		lies_in(line, row->op.shapes));
}

static void try_line(const struct layout *layout, const struct row_plan *plan, struct str line)
{
	struct table_row careful, quick;
	bool ascii = utf8_is_ascii(line), read = row_parse(layout, line, ascii, &careful);

	if (read)
		hold_row(line, &careful);
	if (ascii && plan->usable && row_plan_run(plan, line, &quick))
		HOLD(read && rows_equal(&careful, &quick));
	row_is_continuation(layout, line);
}

static void try_cells(struct str text)
{
	int64_t time, memory;
	int32_t share;
	uint64_t count;

	cell_time(text, &time);
	cell_memory(text, &memory);
	cell_share(text, &share);
	cell_count(text, &count);
	cell_is_figure_in(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = fuzz_text(data, size), first, header, line;
	struct dashes dashes;
	struct layout layout, guessed;
	struct row_plan plan;
	size_t bad_at;
	bool dashed;

	if (!utf8_valid(rest, &bad_at) || !str_cut(&rest, '\n', &first) || !str_cut(&rest, '\n', &header))
		return 0;
	dashed = dashes_parse(first, &dashes);
	if (!layout_parse(header, dashed ? &dashes : NULL, &layout))
		return 0;
	row_plan_make(&plan, &layout);
	while (str_cut(&rest, '\n', &line)) {
		try_line(&layout, &plan, line);
		try_cells(line);
		if (layout_guess(line, &guessed)) {
			row_plan_make(&plan, &guessed);
			try_line(&guessed, &plan, line);
			row_plan_make(&plan, &layout);
		}
	}
	return 0;
}
