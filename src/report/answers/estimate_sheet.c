#include "report/answers/estimate_sheet.h"

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "report/doc/catalog.h"

struct estimate_row {
	struct str target, chips, kind;
	struct result_estimate_part part;
	struct str note;
};

static const struct field fields[] = {
	{ "target", &kind_text, AT(estimate_row, target) },
	{ "chips", &kind_text, AT(estimate_row, chips) },
	{ "part", &kind_text, AT(estimate_row, kind) },
	{ "name", &kind_text, AT(estimate_row, part.name) },
	{ "calls", &kind_count, AT(estimate_row, part.calls) },
	{ "lo_us", &kind_milli, AT(estimate_row, part.time.lo_ns) },
	{ "middle_us", &kind_milli, AT(estimate_row, part.time.middle_ns) },
	{ "hi_us", &kind_milli, AT(estimate_row, part.time.hi_ns) },
	{ "at_least", &kind_bool, AT(estimate_row, part.at_least) },
	{ "note", &kind_text, AT(estimate_row, note) },
	{ 0 },
};
static const struct record row_record = { sizeof(struct estimate_row), fields };

const struct sheet_shape estimate_shape = { "estimate.title", &row_record, .list = "estimates",
	.widths = (const unsigned char[]){ 26, 12, 9, 34, 7, 13, 13, 13, 9, 40 }, .capitals = true };

static void put_target(struct sheet *sheet, const struct result_target *target)
{
	CLEANUP(buf_clear) struct buf note = BUF_UNLIMITED;
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	const struct result_estimate *estimate = target->estimate;
	const struct result_estimate_part total = { STR(""), estimate->launches, estimate->time,
		estimate->bound_ns > 0 },
					  scaled = { estimate->source, estimate->launches, estimate->scaled, false };
	const struct {
		struct str kind;
		const struct result_estimate_part *parts;
		size_t count;
	} lists[] = {
		{ estimate->refused.id ? STR("refused") : STR("total"), &total, 1 },
		{ STR("scaled"), &scaled, estimate->source.len > 0 },
		{ STR("class"), estimate->classes, estimate->class_count },
		{ STR("operator"), estimate->operators, estimate->operator_count },
	};

	if (estimate->refused.id)
		catalog_put(&note, LANG_EN, &estimate->refused);
	else if (estimate->assumed.len)
		catalog_put(&note, LANG_EN, MESSAGE(&arena, "estimate.assumed", BLANK("types", estimate->assumed)));
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		for (size_t k = 0; k < lists[i].count; k++)
			sheet_row(sheet, &(struct estimate_row){ target->id, estimate->chips, lists[i].kind,
						 lists[i].parts[k], i ? STR("") : buf_str(&note) });
	}
}

void estimate_put_rows(const void *answer, struct sheet *sheet)
{
	const struct result *result = answer;

	for (size_t i = 0; i < result->target_count; i++) {
		if (result->targets[i].estimate)
			put_target(sheet, &result->targets[i]);
	}
}
