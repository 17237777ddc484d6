#include "report/answers/estimate_sheet.h"

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "report/doc/catalog.h"

struct estimate_row {
	struct str target, chips, part, name;
	uint64_t calls;
	int64_t lo_ns, middle_ns, hi_ns;
	bool at_least;
	struct str note;
};

static const struct field fields[] = {
	{ "target", &kind_text, AT(estimate_row, target) },
	{ "chips", &kind_text, AT(estimate_row, chips) },
	{ "part", &kind_text, AT(estimate_row, part) },
	{ "name", &kind_text, AT(estimate_row, name) },
	{ "calls", &kind_count, AT(estimate_row, calls) },
	{ "lo_us", &kind_milli, AT(estimate_row, lo_ns) },
	{ "middle_us", &kind_milli, AT(estimate_row, middle_ns) },
	{ "hi_us", &kind_milli, AT(estimate_row, hi_ns) },
	{ "at_least", &kind_bool, AT(estimate_row, at_least) },
	{ "note", &kind_text, AT(estimate_row, note) },
	{ 0 },
};
static const struct record row_record = { sizeof(struct estimate_row), fields };

const struct sheet_shape estimate_shape = { "estimate.title", &row_record, .list = "estimates",
	.widths = (const unsigned char[]){ 26, 12, 9, 34, 7, 13, 13, 13, 9, 40 }, .capitals = true };

static void put_parts(
	struct sheet *sheet, struct estimate_row row, const struct result_estimate_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct result_estimate_part *part = &parts[i];

		row.name = part->name;
		row.calls = part->calls;
		row.lo_ns = part->lo_ns;
		row.middle_ns = part->middle_ns;
		row.hi_ns = part->hi_ns;
		row.at_least = part->at_least;
		sheet_row(sheet, &row);
	}
}

static void put_target(struct sheet *sheet, const struct result_target *target)
{
	CLEANUP(buf_clear) struct buf note = BUF_UNLIMITED;
	const struct result_estimate *estimate = target->estimate;
	struct estimate_row row = { target->id, estimate->chips, STR("total"), STR(""), estimate->launches,
		estimate->lo_ns, estimate->middle_ns, estimate->hi_ns, estimate->bound_ns > 0, STR("") };

	if (estimate->refused.id)
		catalog_put(&note, LANG_EN, &estimate->refused);
	row.note = buf_str(&note);
	row.part = estimate->refused.id ? STR("refused") : row.part;
	sheet_row(sheet, &row);
	if (estimate->scaled.chip.len) {
		struct result_estimate_part scaled = { estimate->scaled.chip, estimate->launches,
			estimate->scaled.lo_ns, estimate->scaled.middle_ns, estimate->scaled.hi_ns, false };

		row.part = STR("scaled");
		put_parts(sheet, row, &scaled, 1);
	}
	row.part = STR("class");
	put_parts(sheet, row, estimate->classes, estimate->class_count);
	row.part = STR("operator");
	put_parts(sheet, row, estimate->operators, estimate->operator_count);
}

void estimate_put_rows(const void *answer, struct sheet *sheet)
{
	const struct result *result = answer;

	for (size_t i = 0; i < result->target_count; i++) {
		if (result->targets[i].estimate)
			put_target(sheet, &result->targets[i]);
	}
}
