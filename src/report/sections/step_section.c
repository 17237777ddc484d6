/* Operators that meet new shapes, by step, with their number. */
#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/drawings/strip.h"
#include "report/record/step_heat.h"
#include "report/sections/parts.h"

enum { NAME_WIDTH = 300, STEPS_WIDTH = 860, ROW_HEIGHT = 22, CELL_HEIGHT = 19, BETWEEN = 2, HEAT_LEVELS = 5 };

static struct str column_name(struct doc *doc, const struct step_heat *heat, uint32_t column)
{
	uint64_t first = (uint64_t)column * heat->per_column + 1, last = first + heat->per_column - 1;

	last = last < heat->last ? last : heat->last;
	return doc_format_of(doc, first == last ? "%" PRIu64 : "%" PRIu64 "\xe2\x80\x93%" PRIu64, first, last);
}

static struct str fresh_text(struct doc *doc, uint64_t fresh)
{
	return fresh ? doc_format_of(doc, "+%" PRIu64, fresh) : STR("=");
}

static void set_cell(
	struct doc *doc, struct svg_shape *shape, const struct step_heat *heat, size_t row, uint32_t column)
{
	uint64_t fresh = heat->fresh[row][column],
		 level = fresh ? 1 + (HEAT_LEVELS - 1) * (fresh - 1) / (heat->most > 1 ? heat->most - 1 : 1) : 0;

	shape->css = doc_format_of(doc, "heat-%" PRIu64, level);
	shape->title = doc_text_with(doc, "step.cell", BLANK("operator", heat->ops[row]->name),
		BLANK("steps", column_name(doc, heat, column)), NUMBER("count", fresh));
	shape->text = fresh_text(doc, fresh);
}

/* The first row says which steps the columns are. */
static void strip_build(struct doc *doc, const struct step_heat *heat)
{
	struct strip strip = {
		.doc = doc, .left = NAME_WIDTH, .width = STEPS_WIDTH, .total = heat->columns, .between = BETWEEN
	};

	strip_room(&strip, (heat->count + 1) * (heat->columns + 1));
	for (size_t row = 0; row <= heat->count; row++) {
		int64_t y = (int64_t)row * ROW_HEIGHT;

		strip_name(&strip, y, CELL_HEIGHT, row ? heat->ops[row - 1]->name : doc_label_of(doc, "step.head"));
		if (!row)
			strip.shapes[0].width -= BETWEEN;
		for (uint32_t j = 0; j < heat->columns; j++) {
			struct svg_shape *shape = strip_cell(&strip, j, j + 1, y, CELL_HEIGHT);

			shape->css = STR("label");
			shape->text = shape->title = column_name(doc, heat, j);
			if (row)
				set_cell(doc, shape, heat, row - 1, j);
		}
	}
	strip_draw(&strip, "steps", ((int64_t)heat->count + 1) * ROW_HEIGHT, doc_label_of(doc, "step.label"));
}

/* The same as a table. */
static void twin_build(struct doc *doc, const struct step_heat *heat)
{
	static const struct doc_column columns[] = {
		{ .label = "report.operator", .css = "name" },
		{ .label = "report.share", .number = true },
		{ .label = "report.shapes" },
		{ .label = "step.distinct", .number = true },
		{ .label = "step.follows", .css = "name" },
		{ .label = "step.fresh" },
	};

	doc_more(doc, "step.table");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < heat->count; i++) {
		const struct result_operator *op = heat->ops[i];

		doc_row(doc);
		doc_cell_text(doc, op->name);
		doc_cell_text(doc, doc_percent_of(doc, op->share_ppm));
		doc_cell_text(doc, doc_word_of(doc, "kind", word_for(&dynamic_words, op->dynamic.kind)));
		doc_cell_number(doc, op->dynamic.distinct);
		doc_cell_text(doc, op->dynamic.follows);
		doc_cell(doc);
		for (uint32_t j = 0; j < heat->columns; j++)
			doc_printf(doc, "%s%.*s", j ? " " : "", STR_ARG(fresh_text(doc, heat->fresh[i][j])));
	}
	doc_table_end(doc);
	doc_close(doc);
}

void steps_build(struct doc *doc, const struct result *result)
{
	struct step_heat heat = step_heat_of(result);

	if (!heat.columns)
		return;
	doc_section(doc, "step.title");
	doc_say_label(doc, BLOCK_SOFT, "step.about");
	strip_build(doc, &heat);
	twin_build(doc, &heat);
	doc_close(doc);
}
