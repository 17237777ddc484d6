#include "report/answers/survey.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "json/jsonw.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/doc/sheet.h"
#include "report/record/records.h"

/* The records of `advise` over the releases of a result: a report has other keys of the same structs. */

#define NAMES(type, member) &kind_texts, AT(type, member.items), .count = AT(type, member.count)

static const struct field release_json_fields[] = {
	{ "id", &kind_text, AT(result_release, id) },
	{ "target", &kind_text, AT(result_release, target) },
	{ "torch", &kind_text, AT(result_release, torch) },
	{ "plugin", &kind_text, AT(result_release, plugin) },
	{ "cann", &kind_text, AT(result_release, cann) },
	{ "date", &kind_text, AT(result_release, date) },
	{ "stable", &kind_bool, AT(result_release, stable) },
	{ "verdict", &kind_enum, AT(result_release, verdict), .words = &verdict_words },
	{ "readiness", &kind_object, AT(result_release, readiness), .record = &coverage_record },
	{ "coverage", &kind_object, AT(result_release, coverage), .record = &coverage_record },
	{ "blockers", NAMES(result_release, blockers) },
	{ "unknown", NAMES(result_release, unknown) },
	{ "conditional", NAMES(result_release, doubts) },
	{ "aicpu", NAMES(result_release, aicpu) },
	{ "against", &kind_text, AT(result_release, against) },
	{ "fixed", NAMES(result_release, fixed) },
	{ "new", NAMES(result_release, fresh) },
	{ 0 },
};
static const struct record release_json = { sizeof(struct result_release), release_json_fields };

static const struct str stable_items[] = {
	[RELEASE_FINAL] = STR("1"), [RELEASE_CANDIDATE] = STR("0"), [RELEASE_DEVELOPMENT] = STR("0")
};
static const struct words stable_words = { stable_items, ARRAY_SIZE(stable_items), RELEASE_DEVELOPMENT };

static const struct field release_fields[] = {
	{ "release", &kind_text, AT(result_release, id) },
	{ "target", &kind_text, AT(result_release, target) },
	{ "torch", &kind_text, AT(result_release, torch) },
	{ "date", &kind_text, AT(result_release, date) },
	{ "stable", &kind_enum, AT(result_release, kind), .words = &stable_words },
	{ "verdict", &kind_enum, AT(result_release, verdict), .words = &verdict_words },
	{ "readiness_lo", &kind_share, AT(result_release, readiness.time.lo_ppm) },
	{ "readiness_hi", &kind_share, AT(result_release, readiness.time.hi_ppm) },
	{ "coverage_lo", &kind_share, AT(result_release, coverage.time.lo_ppm) },
	{ "coverage_hi", &kind_share, AT(result_release, coverage.time.hi_ppm) },
	{ "blocker_count", &kind_count, AT(result_release, blockers.total) },
	{ "blockers", NAMES(result_release, blockers) },
	{ "unknown_count", &kind_count, AT(result_release, unknown.total) },
	{ "unknown", NAMES(result_release, unknown) },
	{ "against", &kind_text, AT(result_release, against) },
	{ "fixed_count", &kind_count, AT(result_release, fixed.total) },
	{ "fixed", NAMES(result_release, fixed) },
	{ "new_count", &kind_count, AT(result_release, fresh.total) },
	{ "new", NAMES(result_release, fresh) },
	{ 0 },
};
static const struct record release_record = { sizeof(struct result_release), release_fields };

static const struct field move_fields[] = {
	{ "target", &kind_text, AT(result_move, target) },
	{ "from", &kind_text, AT(result_move, from) },
	{ "given", &kind_bool, AT(result_move, given) },
	{ "to", &kind_text, AT(result_move, to) },
	{ "clears", &kind_bool, AT(result_move, clears) },
	{ "releases", &kind_count, AT(result_move, releases) },
	{ "other_torch", &kind_bool, AT(result_move, other_torch) },
	{ "packages", &kind_bool, AT(result_move, packages), OPTIONAL },
	{ "back", &kind_bool, AT(result_move, back) },
	{ "cleared", NAMES(result_move, cleared) },
	{ "left", NAMES(result_move, left) },
	{ "new", NAMES(result_move, fresh) },
	{ "kernels", &kind_text, AT(result_move, kernels) },
	{ "off_aicpu", NAMES(result_move, off_aicpu) },
	{ 0 },
};
static const struct record move_record = { sizeof(struct result_move), move_fields };

void survey_put_json(const struct result *result, struct buf *out)
{
	const struct result_releases *releases = &result->releases;
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	record_put_fields(&json, &header_record, result);
	jsonw_key_list(&json, "inputs");
	for (size_t i = 0; i < result->input_count; i++)
		jsonw_str(&json, result->inputs[i].name);
	jsonw_list_end(&json);
	jsonw_key_number(&json, "operators", (int64_t)releases->operator_count);
	record_put_list(&json, "moves", &move_record, releases->moves, releases->move_count);
	record_put_list(&json, "releases", &release_json, releases->items, releases->count);
	jsonw_object_end(&json);
}

void survey_put_csv(const struct result *result, struct buf *out)
{
	static const struct sheet_shape shape = { "survey.title", &release_record };
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	sheet_rows(&sheet, result->releases.items, result->releases.count);
	sheet_end(&sheet);
}
