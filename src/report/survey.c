#include "report/survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "json/jsonw.h"
#include "report/pieces.h"
#include "report/survey_parts.h"
#include "report/text_page.h"

enum { WIDTH = 80, MARK = 2, SPAN = 35, INTERVAL = 12, BLOCK = 5, FIXED = 5, FRESH = 4, SHOWN = 12, SHARE_PLACES = 6 };

/* --- text */

static void put_cells(struct page *page, struct str span, const struct str cells[5])
{
	static const unsigned columns[] = { INTERVAL, INTERVAL, BLOCK, FIXED, FRESH };

	textw_left(&page->text, span, SPAN);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		text_put(page, STR(" "));
		textw_right(&page->text, cells[i], columns[i]);
	}
	text_put(page, STR("\n"));
}

static void put_head(struct page *page)
{
	const struct str cells[] = { text_label(page, "report.on-device"), text_label(page, "report.at-all"),
		text_label(page, "survey.block"), text_label(page, "survey.fixed"), text_label(page, "survey.new") };

	text_put(page, STR("\n  "));
	put_cells(page, text_label(page, "survey.release"), cells);
}

static void put_group(struct page *page, const struct survey *survey, const struct survey_group *group)
{
	const struct survey_release *release = &survey->releases[group->first];
	struct buf device = text_interval(release->figures.readiness.time),
		   all = text_interval(release->figures.coverage.time);
	struct buf span = BUF_UNLIMITED;
	char blocked[24], fixed[24], fresh[24];
	const bool compared = release->against != SURVEY_NONE;

	snprintf(blocked, sizeof(blocked), "%zu%s", release->blockers.count, release->unknown.count ? "?" : "");
	snprintf(fixed, sizeof(fixed), compared ? "%zu" : "-", release->fixed.count);
	snprintf(fresh, sizeof(fresh), compared ? "%zu" : "-", release->fresh.count);
	survey_put_span(survey, group, &span);
	text_put(page, group->is_to ? STR("> ") : group->is_from ? STR("* ") : STR("  "));
	put_cells(page, buf_str(&span),
		(const struct str[]){
			buf_str(&device), buf_str(&all), str_from(blocked), str_from(fixed), str_from(fresh) });
	buf_clear(&device);
	buf_clear(&all);
	buf_clear(&span);
}

/* Which blockers came and went, in a few words behind the line. */
static void put_change(struct page *page, const struct survey *survey, const char *id, const struct survey_set *set)
{
	enum { INDENT = 6, MOST = 8 };
	struct message message = message_of(id);
	struct buf names = BUF_UNLIMITED;

	if (!set->count)
		return;
	survey_put_names(survey, set, MOST, &names);
	message_add(&message, "names", buf_str(&names));
	buf_printf(page->text.out, "%*s", INDENT, "");
	text_message(page, &message, INDENT, INDENT);
	buf_clear(&names);
}

static void put_matrix(struct page *page, const struct survey *survey)
{
	struct message legend = message_of("survey.legend"),
		       basis = message_of(survey->against_given ? "survey.against-given" : "survey.against-before");
	struct survey_group group;

	put_head(page);
	for (size_t at = 0; survey_next_group(survey, page->options->all, &at, &group);) {
		put_group(page, survey, &group);
		if (page->options->all) {
			put_change(page, survey, "survey.change-fixed", &survey->releases[group.first].fixed);
			put_change(page, survey, "survey.change-new", &survey->releases[group.first].fresh);
		}
	}
	text_message(page, &legend, 0, 0);
	text_message(page, &basis, 0, 0);
}

static void put_moves(struct page *page, const struct survey *survey)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	text_heading(page, "survey.moves");
	for (size_t i = 0; i < survey->move_count; i++) {
		struct message lines[SURVEY_LINES];
		size_t count = survey_say_move(survey, &survey->moves[i], &arena, lines);

		for (size_t line = 0; line < count; line++) {
			text_put(page, line ? STR("  ") : STR("- "));
			text_message(page, &lines[line], 2, 2);
		}
	}
	arena_clear(&arena);
}

/* "npu: blocks on 3 of 51, runs from npu@v2.1.0 on" for each target on which it blocks. */
static void put_blocked_on(struct page *page, const struct survey_blocked *blocked, unsigned target)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct message message = message_of(blocked->since[target] ? "survey.blocks-since" : "survey.blocks");

	message_add(&message, "target", target_kind_name((enum target_kind)target));
	message_add_number(&message, &arena, "on", (int64_t)blocked->on[target]);
	message_add_number(&message, &arena, "of", (int64_t)blocked->of[target]);
	message_add(&message, "release", str_from(blocked->since[target] ? blocked->since[target] : ""));
	text_put(page, STR("           "));
	text_message(page, &message, SHARE_COLUMNS + 4, SHARE_COLUMNS + 4);
	arena_clear(&arena);
}

static void put_blocked(struct page *page, const struct survey *survey)
{
	size_t count, shown;
	CLEANUP(mem_release) struct survey_blocked *list = survey_list_blocked(survey, page->options->all, &count);

	if (!count)
		return;
	shown = page->options->all || count <= SHOWN ? count : SHOWN;
	text_heading(page, "survey.blocked");
	for (size_t i = 0; i < shown; i++) {
		const struct survey_operator *op = &survey->operators[list[i].op];
		struct buf share = text_percent(op->share_ppm), name = textw_printable(op->name);

		textw_right(&page->text, buf_str(&share), SHARE_COLUMNS);
		text_put(page, STR("  "));
		textw_wrap(&page->text, buf_str(&name), SHARE_COLUMNS + 2, SHARE_COLUMNS + 2);
		for (unsigned target = 0; target < TARGET_COUNT; target++) {
			if (list[i].on[target])
				put_blocked_on(page, &list[i], target);
		}
		buf_clear(&share);
		buf_clear(&name);
	}
	if (shown < count)
		text_count(page, "survey.more", count - shown);
}

static void put_warnings(struct page *page)
{
	for (size_t i = 0; i < page->result->warning_count; i++) {
		text_put(page, i ? STR("- ") : STR("\n- "));
		text_message(page, &page->result->warnings[i], 2, 2);
	}
}

void survey_put_text(
	const struct survey *survey, const struct result *result, const struct render_options *options, struct buf *out)
{
	struct page page = { { out, options->width ? options->width : WIDTH, options->color }, result, options };

	text_head(&page, "survey.title");
	put_matrix(&page, survey);
	put_moves(&page, survey);
	put_blocked(&page, survey);
	put_warnings(&page);
}

/* --- JSON */

static void put_json_names(
	struct jsonw *json, const char *key, const struct survey *survey, const struct survey_set *set)
{
	jsonw_key(json, key);
	jsonw_list(json);
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

	jsonw_object(json);
	jsonw_key_str(json, "id", id_at(survey, index));
	jsonw_key_str(json, "target", target_kind_name(release->target));
	jsonw_key_str(json, "torch", release->torch);
	jsonw_key_str(json, "plugin", release->plugin);
	jsonw_key_str(json, "cann", release->cann);
	jsonw_key_str(json, "date", release->date);
	jsonw_key_bool(json, "stable", release->kind == RELEASE_FINAL);
	jsonw_key_str(json, "verdict", shown->figures.verdict);
	json_put_coverage(json, "readiness", &shown->figures.readiness);
	json_put_coverage(json, "coverage", &shown->figures.coverage);
	put_json_names(json, "blockers", survey, &shown->blockers);
	put_json_names(json, "unknown", survey, &shown->unknown);
	put_json_names(json, "conditional", survey, &shown->doubts);
	jsonw_key_str(json, "against", id_at(survey, shown->against));
	put_json_names(json, "fixed", survey, &shown->fixed);
	put_json_names(json, "new", survey, &shown->fresh);
	jsonw_object_end(json);
}

static void put_json_move(struct jsonw *json, const struct survey *survey, const struct survey_move *move)
{
	jsonw_object(json);
	jsonw_key_str(json, "target", target_kind_name(survey->releases[move->from].target.release->target));
	jsonw_key_str(json, "from", id_at(survey, move->from));
	jsonw_key_bool(json, "given", move->given);
	jsonw_key_str(json, "to", id_at(survey, move->to));
	jsonw_key_bool(json, "clears", move->clears);
	jsonw_key_number(json, "releases", move->releases);
	jsonw_key_bool(json, "other_torch", move->other_torch);
	jsonw_key_bool(json, "back", move->back);
	put_json_names(json, "cleared", survey, &move->cleared);
	put_json_names(json, "left", survey, &move->left);
	put_json_names(json, "new", survey, &move->fresh);
	jsonw_object_end(json);
}

void survey_put_json(const struct survey *survey, const struct result *result, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	json_put_header(&json, result);
	jsonw_key(&json, "inputs");
	jsonw_list(&json);
	for (size_t i = 0; i < result->input_count; i++)
		jsonw_str(&json, result->inputs[i].name);
	jsonw_list_end(&json);
	jsonw_key_number(&json, "operators", (int64_t)survey->operator_count);
	jsonw_key(&json, "moves");
	jsonw_list(&json);
	for (size_t i = 0; i < survey->move_count; i++)
		put_json_move(&json, survey, &survey->moves[i]);
	jsonw_list_end(&json);
	jsonw_key(&json, "releases");
	jsonw_list(&json);
	for (size_t i = 0; i < survey->count; i++)
		put_json_release(&json, survey, i);
	jsonw_list_end(&json);
	jsonw_object_end(&json);
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
			release->target.release->kind == RELEASE_FINAL ? "1" : "0", STR_ARG(release->figures.verdict));
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
