#include "report/answers/changes_json.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/record/load.h"
#include "report/record/records.h"
#include "report/record/result_kinds.h"

/* Bits of enum change_kind. */
static const struct str kind_names[] = { STR("added"), STR("removed"), STR("better"), STR("worse"), STR("time"),
	STR("shapes") };
static const struct words kind_words = { kind_names, ARRAY_SIZE(kind_names), 0 };

/* clang-format off */

static const struct record input_record = { sizeof(struct result_input), (const struct field[]){
	{ "name", &kind_text, AT(result_input, name) },
	{ "sha256", &kind_text, AT(result_input, sha256) },
	{ 0 } } };

static const struct record side_record = { sizeof(struct result), (const struct field[]){
	{ "inputs", &kind_list, ITEMS(result, inputs, input_count), .record = &input_record },
	{ "tool_version", &kind_text, AT(result, tool_version) },
	{ "db_build", &kind_text, AT(result, db.build) },
	{ "basis", &kind_enum, AT(result, basis), .words = &basis_words },
	{ 0 } } };

static const struct record figures_record = { sizeof(struct result_target), (const struct field[]){
	{ "verdict", &kind_enum, AT(result_target, verdict), .words = &verdict_words },
	{ "readiness", &kind_object, AT(result_target, readiness), .record = &coverage_record },
	{ "coverage", &kind_object, AT(result_target, coverage), .record = &coverage_record },
	{ 0 } } };

static const struct record target_record = { sizeof(struct target_change), (const struct field[]){
	{ "id", &kind_text, AT(target_change, id) },
	{ "worse", &kind_bool, AT(target_change, worse) },
	{ "before", &kind_pointer_or_null, AT(target_change, before), .record = &figures_record },
	{ "after", &kind_pointer_or_null, AT(target_change, after), .record = &figures_record },
	{ 0 } } };

static const struct record finding_record = { sizeof(struct result_finding), (const struct field[]){
	{ "severity", &kind_enum, AT(result_finding, severity), .words = &severity_words },
	{ "operator", &kind_text, AT(result_finding, operator_name) },
	{ "target", &kind_text, AT(result_finding, target) },
	{ "time_share", &kind_share, AT(result_finding, share_ppm) },
	{ "statement", &kind_message, AT(result_finding, what) },
	{ "fingerprint", &kind_text, AT(result_finding, fingerprint) },
	{ 0 } } };

static const struct record calls_record = { sizeof(struct result_operator), (const struct field[]){
	{ "calls", &kind_count, AT(result_operator, calls) },
	{ "time_share", &kind_share, AT(result_operator, share_ppm) },
	{ "shapes", &kind_enum, AT(result_operator, dynamic.kind), .words = &dynamic_words },
	{ "shape_count", &kind_count, AT(result_operator, dynamic.distinct) },
	{ 0 } } };

static const struct record facts_record = { sizeof(struct status_change), (const struct field[]){
	{ "before", &kind_pointer, AT(status_change, then), .record = &verdict_record },
	{ "after", &kind_pointer, AT(status_change, now), .record = &verdict_record },
	{ 0 } } };

static const struct record status_record = { sizeof(struct status_change), (const struct field[]){
	{ "target", &kind_text, AT(status_change, target) },
	{ "before", &kind_enum, AT(status_change, before), .words = &op_status_words },
	{ "after", &kind_enum, AT(status_change, after), .words = &op_status_words },
	{ "worse", &kind_bool, AT(status_change, worse) },
	{ "facts", &kind_object, .flags = OPTIONAL, .when = AT(status_change, by_facts), .record = &facts_record },
	{ 0 } } };

static const struct record operator_record = { sizeof(struct operator_change), (const struct field[]){
	{ "name", &kind_text, AT(operator_change, name) },
	{ "changes", &kind_flags, AT(operator_change, kinds), .words = &kind_words },
	{ "before", &kind_pointer_or_null, AT(operator_change, before), .record = &calls_record },
	{ "after", &kind_pointer_or_null, AT(operator_change, after), .record = &calls_record },
	{ "statuses", &kind_list, ITEMS(operator_change, statuses, status_count), .record = &status_record },
	{ 0 } } };

/* clang-format on */

static void put_findings(struct jsonw *json, const struct changes *changes, bool are_new)
{
	jsonw_key_list(json, are_new ? "new" : "fixed");
	for (size_t i = 0; i < changes->finding_count; i++) {
		if (changes->findings[i].is_new == are_new)
			record_put(json, &finding_record, changes->findings[i].finding);
	}
	jsonw_list_end(json);
}

static void put_gate(struct jsonw *json, const struct changes_view *view)
{
	jsonw_fill(json, "'gate': $, 'checks': [",
		!view->fail_on       ? STR("none")
		: changes_fail(view) ? STR("failed")
				     : STR("passed"));
	for (unsigned i = 0; i < FAIL_WORDS; i++) {
		struct change_check check = changes_check(view->changes, (enum change_word)i);

		if (!(view->fail_on >> i & 1))
			continue;
		jsonw_fill(json, "{'name': $", change_word_name((enum change_word)i));
		jsonw_key_bool(json, "failed", change_check_fails(check));
		jsonw_key_number(json, "counted", (int64_t)check.count);
		if (check.unseen)
			record_put_key(json, "not_compared", &message_record, check.unseen);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

void changes_put_json(const struct changes_view *view, struct buf *out)
{
	const struct changes *changes = view->changes;
	struct jsonw json = jsonw_start(out, 2);

	jsonw_fill(&json, "{'schema_version': $", STR(REPORT_SCHEMA_VERSION));
	record_put_key(&json, "before", &side_record, changes->before);
	record_put_key(&json, "after", &side_record, changes->after);
	record_put_list(&json, "notes", &message_record, changes->notes, changes->note_count);
	put_gate(&json, view);
	record_put_list(&json, "targets", &target_record, changes->targets, changes->target_count);
	put_findings(&json, changes, true);
	put_findings(&json, changes, false);
	record_put_list(&json, "operators", &operator_record, changes->operators, changes->operator_count);
	jsonw_object_end(&json);
}
