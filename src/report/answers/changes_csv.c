#include "report/answers/changes_csv.h"

#include "assess/model/words.h"
#include "record/kinds.h"
#include "report/doc/sheet.h"

/* "" where a row has nothing to say. */
struct change_row {
	struct str change, operator_name, target, severity, rule, before, after;
};

static const struct field row_fields[] = {
	{ "change", &kind_text, AT(change_row, change) },
	{ "operator", &kind_text, AT(change_row, operator_name) },
	{ "target", &kind_text, AT(change_row, target) },
	{ "severity", &kind_text, AT(change_row, severity) },
	{ "rule", &kind_text, AT(change_row, rule) },
	{ "before", &kind_text, AT(change_row, before) },
	{ "after", &kind_text, AT(change_row, after) },
	{ 0 },
};
static const struct record row_record = { sizeof(struct change_row), row_fields };

static struct str verdict_of(const struct result_target *target)
{
	return target ? word_for(&verdict_words, target->verdict) : STR("");
}

static void put_operator(struct sheet *sheet, const struct operator_change *change)
{
	struct change_row row = { .operator_name = change->name };

	for (size_t i = 0; i < change->status_count; i++) {
		const struct status_change *status = &change->statuses[i];

		sheet_row(sheet, &(struct change_row){ status->worse ? STR("worse") : STR("better"), change->name,
					 status->target, .before = op_status_name(status->before),
					 .after = op_status_name(status->after) });
	}
	if (change->kinds & (CHANGE_OPERATOR_ADDED | CHANGE_OPERATOR_REMOVED)) {
		row.change = change->after ? STR("operator-added") : STR("operator-removed");
		sheet_row(sheet, &row);
	}
	if (change->kinds & CHANGE_OPERATOR_SHAPES) {
		row.change = STR("shapes");
		row.before = word_for(&dynamic_words, change->before->dynamic.kind);
		row.after = word_for(&dynamic_words, change->after->dynamic.kind);
		sheet_row(sheet, &row);
	}
}

void changes_put_csv(const struct changes *changes, struct buf *out)
{
	static const struct sheet_shape shape = { "diff.title", &row_record };
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	for (size_t i = 0; i < changes->target_count; i++) {
		const struct target_change *target = &changes->targets[i];

		sheet_row(&sheet, &(struct change_row){ STR("verdict"), .target = target->id,
					  .before = verdict_of(target->before), .after = verdict_of(target->after) });
	}
	for (size_t i = 0; i < changes->finding_count; i++) {
		const struct result_finding *finding = changes->findings[i].finding;

		sheet_row(&sheet, &(struct change_row){ changes->findings[i].is_new ? STR("new") : STR("fixed"),
					  finding->operator_name, finding->target,
					  .severity = word_for(&severity_words, finding->severity),
					  .rule = str_from(finding->what.id) });
	}
	for (size_t i = 0; i < changes->operator_count; i++)
		put_operator(&sheet, &changes->operators[i]);
	sheet_end(&sheet);
}
