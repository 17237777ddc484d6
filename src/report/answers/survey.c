#include "report/answers/survey.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "json/jsonw.h"
#include "report/doc/sheet.h"
#include "report/record/records.h"

enum { SHARE_PLACES = 6 };

/* --- JSON */

static void put_json_names(
	struct jsonw *json, const char *key, const struct survey *survey, const struct survey_set *set)
{
	jsonw_key_list(json, key);
	for (size_t i = 0; i < set->count; i++)
		jsonw_str(json, survey->operators[set->items[i]].name);
	jsonw_list_end(json);
}

static struct str id_at(const struct survey *survey, size_t index)
{
	return index == SURVEY_NONE ? STR("") : str_from(survey->releases[index].target.id);
}

static void put_json_release(struct jsonw *json, const struct survey *survey, size_t index)
{
	const struct survey_release *shown = &survey->releases[index];
	const struct release *release = shown->target.release;

	jsonw_fill(json, "{'id': $, 'target': $, 'torch': $, 'plugin': $, 'cann': $, 'date': $", id_at(survey, index),
		target_kind_name(release->target), release->torch, release->plugin, release->cann, release->date);
	jsonw_key_bool(json, "stable", release->kind == RELEASE_FINAL);
	jsonw_key_str(json, "verdict", word_for(&verdict_words, shown->figures.verdict));
	record_put_key(json, "readiness", &coverage_record, &shown->figures.readiness);
	record_put_key(json, "coverage", &coverage_record, &shown->figures.coverage);
	put_json_names(json, "blockers", survey, &shown->blockers);
	put_json_names(json, "unknown", survey, &shown->unknown);
	put_json_names(json, "conditional", survey, &shown->doubts);
	put_json_names(json, "aicpu", survey, &shown->aicpu);
	jsonw_key_str(json, "against", id_at(survey, shown->against));
	put_json_names(json, "fixed", survey, &shown->fixed);
	put_json_names(json, "new", survey, &shown->fresh);
	jsonw_object_end(json);
}

static void put_json_move(struct jsonw *json, const struct survey *survey, const struct survey_move *move)
{
	jsonw_fill(json, "{'target': $, 'from': $",
		target_kind_name(survey->releases[move->from].target.release->target), id_at(survey, move->from));
	jsonw_key_bool(json, "given", move->given);
	jsonw_key_str(json, "to", id_at(survey, move->to));
	jsonw_key_bool(json, "clears", move->clears);
	jsonw_key_number(json, "releases", move->releases);
	jsonw_key_bool(json, "other_torch", move->other_torch);
	jsonw_key_bool(json, "back", move->back);
	put_json_names(json, "cleared", survey, &move->cleared);
	put_json_names(json, "left", survey, &move->left);
	put_json_names(json, "new", survey, &move->fresh);
	jsonw_key_str(json, "kernels", id_at(survey, move->kernels));
	put_json_names(json, "off_aicpu", survey, &move->off_aicpu);
	jsonw_object_end(json);
}

void survey_put_json(const struct survey *survey, const struct result *result, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	record_put_fields(&json, &header_record, result);
	jsonw_key_list(&json, "inputs");
	for (size_t i = 0; i < result->input_count; i++)
		jsonw_str(&json, result->inputs[i].name);
	jsonw_list_end(&json);
	jsonw_key_number(&json, "operators", (int64_t)survey->operator_count);
	jsonw_key_list(&json, "moves");
	for (size_t i = 0; i < survey->move_count; i++)
		put_json_move(&json, survey, &survey->moves[i]);
	jsonw_list_end(&json);
	jsonw_key_list(&json, "releases");
	for (size_t i = 0; i < survey->count; i++)
		put_json_release(&json, survey, i);
	jsonw_fill(&json, "]}");
}

/* --- CSV: a row for each release */

static void put_csv_interval(struct sheet *sheet, struct result_interval interval)
{
	sheet_number(sheet, interval.lo_ppm, SHARE_PLACES);
	sheet_number(sheet, interval.hi_ppm, SHARE_PLACES);
}

static void put_csv_names(struct sheet *sheet, const struct survey *survey, const struct survey_set *set)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;

	for (size_t i = 0; i < set->count; i++)
		buf_printf(&names, "%s%.*s", i ? " " : "", STR_ARG(survey->operators[set->items[i]].name));
	sheet_number(sheet, (int64_t)set->count, 0);
	sheet_cell(sheet, buf_str(&names));
}

void survey_put_csv(const struct survey *survey, struct buf *out)
{
	static const char *const heads[] = { "release", "target", "torch", "date", "stable", "verdict", "readiness_lo",
		"readiness_hi", "coverage_lo", "coverage_hi", "blocker_count", "blockers", "unknown_count", "unknown",
		"against", "fixed_count", "fixed", "new_count", "new" };
	static const struct sheet_shape shape = { "survey.title", heads, ARRAY_SIZE(heads) };
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	for (size_t i = 0; i < survey->count; i++) {
		const struct survey_release *shown = &survey->releases[i];
		const struct release *release = shown->target.release;

		sheet_cells(&sheet, str_from(shown->target.id), target_kind_name(release->target), release->torch,
			release->date);
		sheet_number(&sheet, release->kind == RELEASE_FINAL, 0);
		sheet_cell(&sheet, word_for(&verdict_words, shown->figures.verdict));
		put_csv_interval(&sheet, shown->figures.readiness.time);
		put_csv_interval(&sheet, shown->figures.coverage.time);
		put_csv_names(&sheet, survey, &shown->blockers);
		put_csv_names(&sheet, survey, &shown->unknown);
		sheet_cell(&sheet, id_at(survey, shown->against));
		put_csv_names(&sheet, survey, &shown->fixed);
		put_csv_names(&sheet, survey, &shown->fresh);
	}
	sheet_end(&sheet);
}
