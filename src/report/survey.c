#include "report/answers.h"

#include "base/decimal.h"
#include "base/mem.h"
#include "json/jsonw.h"
#include "report/records.h"
#include "report/render.h"

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

static void put_csv_interval(struct buf *out, struct result_interval interval)
{
	buf_byte(out, ',');
	decimal_put(out, interval.lo_ppm, SHARE_PLACES);
	buf_byte(out, ',');
	decimal_put(out, interval.hi_ppm, SHARE_PLACES);
}

static void put_csv_names(const struct survey *survey, const struct survey_set *set, struct buf *out)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;

	for (size_t i = 0; i < set->count; i++)
		buf_printf(&names, "%s%.*s", i ? " " : "", STR_ARG(survey->operators[set->items[i]].name));
	buf_printf(out, ",%zu,", set->count);
	csv_put_text(out, buf_str(&names));
}

void survey_put_csv(const struct survey *survey, struct buf *out)
{
	buf_add(out, STR("release,target,torch,date,stable,verdict,readiness_lo,readiness_hi,coverage_lo,coverage_hi,"
			 "blocker_count,blockers,unknown_count,unknown,against,fixed_count,fixed,new_count,new\r\n"));
	for (size_t i = 0; i < survey->count; i++) {
		const struct survey_release *release = &survey->releases[i];

		buf_printf(out, "%s,%.*s,%.*s,%.*s,%s,%.*s", release->target.id,
			STR_ARG(target_kind_name(release->target.release->target)),
			STR_ARG(release->target.release->torch), STR_ARG(release->target.release->date),
			release->target.release->kind == RELEASE_FINAL ? "1" : "0",
			STR_ARG(word_for(&verdict_words, release->figures.verdict)));
		put_csv_interval(out, release->figures.readiness.time);
		put_csv_interval(out, release->figures.coverage.time);
		put_csv_names(survey, &release->blockers, out);
		put_csv_names(survey, &release->unknown, out);
		buf_printf(out, ",%.*s", STR_ARG(id_at(survey, release->against)));
		put_csv_names(survey, &release->fixed, out);
		put_csv_names(survey, &release->fresh, out);
		buf_add(out, STR("\r\n"));
	}
}
