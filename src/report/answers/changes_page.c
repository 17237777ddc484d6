#include "report/answers/changes_page.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/drawings/drawing.h"
#include "report/drawings/time_bars.h"

enum { WIDEST = 8 }; /* targets beside each other */

/* "+1.2 %"; "" of what is the same. */
static struct str difference(struct doc *doc, int64_t before_ppm, int64_t after_ppm)
{
	int64_t change = after_ppm - before_ppm;

	if (!change)
		return STR("");
	return doc_format_of(doc, "%s%.*s", change < 0 ? "\xe2\x88\x92" : "+",
		STR_ARG(doc_percent_of(doc, change < 0 ? -change : change)));
}

/* --- targets */

static void put_side(struct doc *doc, const struct changes *changes, size_t at, bool is_after)
{
	const struct target_change *change = &changes->targets[at];
	const struct result_target *target = is_after ? change->after : change->before;

	if (!target)
		return;
	doc_row(doc);
	doc_cell_text(doc, is_after && change->before ? STR("") : change->id);
	doc_cell_text(doc, doc_label_of(doc, is_after ? "page.compare-after" : "page.compare-before"));
	doc_cell_tag(doc, SET_VERDICT, word_for(&verdict_words, target->verdict));
	doc_cell(doc);
	place_bar_build(doc, target, (is_after ? changes->after : changes->before)->shown_ppm);
	doc_cell_interval(doc, target->readiness.time);
	doc_cell_interval(doc, target->coverage.time);
	doc_cell_text(doc, is_after && change->before ? difference(doc, change->before->readiness.time.lo_ppm,
								target->readiness.time.lo_ppm)
						      : STR(""));
}

void changes_targets_build(struct doc *doc, const struct changes *changes)
{
	static const struct doc_column columns[] = {
		{ .label = "report.target", .css = "name fixed" },
		{ .label = "diff.side" },
		{ .label = "report.verdict" },
		{ .label = "diff.places", .css = "wide-bars" },
		{ .label = "report.on-device", .number = true },
		{ .label = "report.at-all", .number = true },
		{ .label = "trend.change", .number = true },
	};

	doc_section(doc, "report.targets");
	if (changes->target_count)
		doc_svg_patterns(doc);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .name = "targets" });
	for (size_t i = 0; i < doc_shown(doc, changes->target_count, SHORT_LIST); i++) {
		put_side(doc, changes, i, false);
		put_side(doc, changes, i, true);
	}
	doc_table_end(doc);
	doc_close(doc);
}

/* --- operators */

struct operator_table {
	struct doc *doc;
	const struct changes *changes;
	const struct target_change *targets[WIDEST]; /* that both sides have */
	size_t target_count;
	struct doc_column *columns;
	size_t column_count;
};

static struct operator_table begin_operators(struct doc *doc, const struct changes *changes)
{
	static const struct doc_column fixed[] = {
		{ .label = "report.operator", .css = "name" },
		{ .label = "diff.share-before", .number = true },
		{ .label = "diff.share-after", .number = true },
		{ .label = "trend.change", .number = true },
	};
	struct operator_table table = { .doc = doc,
		.changes = changes,
		.columns = arena_alloc(&doc->arena, sizeof(fixed) + (WIDEST + 1) * sizeof(fixed[0])),
		.column_count = ARRAY_SIZE(fixed) };

	memcpy(table.columns, fixed, sizeof(fixed));
	for (size_t i = 0; i < changes->target_count && table.target_count < WIDEST; i++) {
		if (!changes->targets[i].before || !changes->targets[i].after)
			continue;
		table.targets[table.target_count++] = &changes->targets[i];
		table.columns[table.column_count++] = (struct doc_column){ .title = changes->targets[i].id };
	}
	table.columns[table.column_count++] = (struct doc_column){ .label = "report.shapes" };
	return table;
}

/* The status on one target, and what it was before where that is another. */
static void put_status(
	const struct operator_table *table, const struct operator_change *op, const struct target_change *target)
{
	const struct changes *changes = table->changes;
	const struct result_verdict *before = op->before
						      ? &op->before->verdicts[target->before - changes->before->targets]
						      : NULL,
				    *after = op->after ? &op->after->verdicts[target->after - changes->after->targets]
						       : NULL;

	doc_cell(table->doc);
	if (before)
		doc_tag(table->doc, SET_STATUS, op_status_name(before->status));
	if (before && after && before->status != after->status)
		doc_text(table->doc, STR(" \xe2\x86\x92 "));
	if (after && (!before || before->status != after->status))
		doc_tag(table->doc, SET_STATUS, op_status_name(after->status));
}

/* "bounded, 4 -> static, 1" */
static void put_shapes(struct doc *doc, const struct operator_change *op)
{
	const struct result_operator *sides[] = { op->before, op->after };
	bool both = op->kinds & CHANGE_OPERATOR_SHAPES;

	doc_cell(doc);
	for (size_t i = both ? 0 : op->after ? 1 : 0; i < (both || op->after ? 2 : 1); i++)
		doc_printf(doc, "%s%.*s, %" PRIu64, both && i ? " \xe2\x86\x92 " : "",
			STR_ARG(doc_word_of(doc, "kind", word_for(&dynamic_words, sides[i]->dynamic.kind))),
			sides[i]->dynamic.distinct);
}

static void put_operator(const struct operator_table *table, const struct operator_change *op)
{
	struct doc *doc = table->doc;

	doc_row(doc);
	doc_cell_text(doc, op->name);
	doc_cell_text(doc, op->before ? doc_percent_of(doc, op->before->share_ppm) : STR(""));
	doc_cell_text(doc, op->after ? doc_percent_of(doc, op->after->share_ppm) : STR(""));
	doc_cell_text(doc, op->before && op->after && table->changes->shares
				   ? difference(doc, op->before->share_ppm, op->after->share_ppm)
				   : STR(""));
	for (size_t i = 0; i < table->target_count; i++)
		put_status(table, op, table->targets[i]);
	put_shapes(doc, op);
}

/* Each operator stands once, in the first of these that it is in. */
static const struct {
	const char *heading;
	unsigned kinds;
} groups[] = {
	{ "diff.got-worse", CHANGE_OPERATOR_WORSE },
	{ "diff.got-better", CHANGE_OPERATOR_BETTER },
	{ "diff.came", CHANGE_OPERATOR_ADDED },
	{ "diff.went", CHANGE_OPERATOR_REMOVED },
	{ "diff.otherwise", CHANGE_OPERATOR_SHARE | CHANGE_OPERATOR_SHAPES },
};

static size_t group_of(const struct operator_change *op)
{
	size_t at = 0;

	while (at + 1 < ARRAY_SIZE(groups) && !(op->kinds & groups[at].kinds))
		at++;
	return at;
}

static void put_group(const struct operator_table *table, size_t group)
{
	const struct changes *changes = table->changes;
	struct doc *doc = table->doc;
	size_t count = SUM(i, changes->operator_count, group_of(&changes->operators[i]) == group);

	if (!count)
		return;
	doc_section(doc, groups[group].heading);
	doc_table(doc, &(struct doc_table){ .columns = table->columns, .count = table->column_count });
	for (size_t i = 0, shown = 0; i < changes->operator_count && doc_shown(doc, shown + 1, SHORT_LIST) > shown;
		i++) {
		if (group_of(&changes->operators[i]) != group)
			continue;
		put_operator(table, &changes->operators[i]);
		shown++;
	}
	doc_table_end(doc);
	doc_say_more(doc, "diff.more", count - doc_shown(doc, count, SHORT_LIST));
	doc_close(doc);
}

void changes_operators_build(struct doc *doc, const struct changes *changes)
{
	struct operator_table table = begin_operators(doc, changes);

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		put_group(&table, i);
}
