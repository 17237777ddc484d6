#include "report/answers/survey.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "json/jsonw.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/doc/sheet.h"
#include "report/record/records.h"

/* --- rows: of a release as JSON and CSV, of a move as JSON */

struct names {
	struct str *items;
	size_t count;
};

struct release_row {
	struct release release;
	struct result_target figures;
	struct str id, target, against;
	bool stable;
	uint64_t stable_number; /* in CSV */
	struct names blockers, unknown, doubts, aicpu, fixed, fresh;
};

#define NAMES(row, member) &kind_texts, AT(row, member.items), .count = AT(row, member.count)

static const struct field release_json_fields[] = {
	{ "id", &kind_text, AT(release_row, id) },
	{ "target", &kind_text, AT(release_row, target) },
	{ "torch", &kind_text, AT(release_row, release.torch) },
	{ "plugin", &kind_text, AT(release_row, release.plugin) },
	{ "cann", &kind_text, AT(release_row, release.cann) },
	{ "date", &kind_text, AT(release_row, release.date) },
	{ "stable", &kind_bool, AT(release_row, stable) },
	{ "verdict", &kind_enum, AT(release_row, figures.verdict), .words = &verdict_words },
	{ "readiness", &kind_object, AT(release_row, figures.readiness), .record = &coverage_record },
	{ "coverage", &kind_object, AT(release_row, figures.coverage), .record = &coverage_record },
	{ "blockers", NAMES(release_row, blockers) },
	{ "unknown", NAMES(release_row, unknown) },
	{ "conditional", NAMES(release_row, doubts) },
	{ "aicpu", NAMES(release_row, aicpu) },
	{ "against", &kind_text, AT(release_row, against) },
	{ "fixed", NAMES(release_row, fixed) },
	{ "new", NAMES(release_row, fresh) },
	{ 0 },
};
static const struct record release_json = { sizeof(struct release_row), release_json_fields };

static const struct field release_fields[] = {
	{ "release", &kind_text, AT(release_row, id) },
	{ "target", &kind_text, AT(release_row, target) },
	{ "torch", &kind_text, AT(release_row, release.torch) },
	{ "date", &kind_text, AT(release_row, release.date) },
	{ "stable", &kind_count, AT(release_row, stable_number) },
	{ "verdict", &kind_enum, AT(release_row, figures.verdict), .words = &verdict_words },
	{ "readiness_lo", &kind_share, AT(release_row, figures.readiness.time.lo_ppm) },
	{ "readiness_hi", &kind_share, AT(release_row, figures.readiness.time.hi_ppm) },
	{ "coverage_lo", &kind_share, AT(release_row, figures.coverage.time.lo_ppm) },
	{ "coverage_hi", &kind_share, AT(release_row, figures.coverage.time.hi_ppm) },
	{ "blocker_count", &kind_count, AT(release_row, blockers.count) },
	{ "blockers", NAMES(release_row, blockers) },
	{ "unknown_count", &kind_count, AT(release_row, unknown.count) },
	{ "unknown", NAMES(release_row, unknown) },
	{ "against", &kind_text, AT(release_row, against) },
	{ "fixed_count", &kind_count, AT(release_row, fixed.count) },
	{ "fixed", NAMES(release_row, fixed) },
	{ "new_count", &kind_count, AT(release_row, fresh.count) },
	{ "new", NAMES(release_row, fresh) },
	{ 0 },
};
static const struct record release_record = { sizeof(struct release_row), release_fields };

struct move_row {
	struct survey_move move;
	struct str target, from, to, kernels;
	uint64_t releases;
	struct names cleared, left, fresh, off_aicpu;
};

static const struct field move_fields[] = {
	{ "target", &kind_text, AT(move_row, target) },
	{ "from", &kind_text, AT(move_row, from) },
	{ "given", &kind_bool, AT(move_row, move.given) },
	{ "to", &kind_text, AT(move_row, to) },
	{ "clears", &kind_bool, AT(move_row, move.clears) },
	{ "releases", &kind_count, AT(move_row, releases) },
	{ "other_torch", &kind_bool, AT(move_row, move.other_torch) },
	{ "back", &kind_bool, AT(move_row, move.back) },
	{ "cleared", NAMES(move_row, cleared) },
	{ "left", NAMES(move_row, left) },
	{ "new", NAMES(move_row, fresh) },
	{ "kernels", &kind_text, AT(move_row, kernels) },
	{ "off_aicpu", NAMES(move_row, off_aicpu) },
	{ 0 },
};
static const struct record move_record = { sizeof(struct move_row), move_fields };

static struct names names_of(const struct survey *survey, struct arena *arena, const struct survey_set *set)
{
	struct names names = { arena_alloc(arena, (set->count + 1) * sizeof(names.items[0])), set->count };

	for (size_t i = 0; i < set->count; i++)
		names.items[i] = survey->operators[set->items[i]].name;
	return names;
}

static struct str id_at(const struct survey *survey, size_t index)
{
	return index == SURVEY_NONE ? STR("") : str_from(survey->releases[index].target.id);
}

/* Of every release. */
static struct release_row *release_rows(const struct survey *survey, struct arena *arena)
{
	struct release_row *rows = arena_alloc(arena, (survey->count + 1) * sizeof(rows[0]));

	for (size_t i = 0; i < survey->count; i++) {
		const struct survey_release *shown = &survey->releases[i];
		const struct release *release = shown->target.release;

		rows[i] = (struct release_row){ .release = *release,
			.figures = shown->figures,
			.id = id_at(survey, i),
			.target = target_kind_name(release->target),
			.against = id_at(survey, shown->against),
			.stable = release->kind == RELEASE_FINAL,
			.stable_number = release->kind == RELEASE_FINAL,
			.blockers = names_of(survey, arena, &shown->blockers),
			.unknown = names_of(survey, arena, &shown->unknown),
			.doubts = names_of(survey, arena, &shown->doubts),
			.aicpu = names_of(survey, arena, &shown->aicpu),
			.fixed = names_of(survey, arena, &shown->fixed),
			.fresh = names_of(survey, arena, &shown->fresh) };
	}
	return rows;
}

static void put_json_move(struct jsonw *json, const struct survey *survey, const struct survey_move *move)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct move_row row = { .move = *move,
		.target = target_kind_name(survey->releases[move->from].target.release->target),
		.from = id_at(survey, move->from),
		.to = id_at(survey, move->to),
		.kernels = id_at(survey, move->kernels),
		.releases = move->releases,
		.cleared = names_of(survey, &arena, &move->cleared),
		.left = names_of(survey, &arena, &move->left),
		.fresh = names_of(survey, &arena, &move->fresh),
		.off_aicpu = names_of(survey, &arena, &move->off_aicpu) };

	record_put(json, &move_record, &row);
}

void survey_put_json(const struct survey *survey, const struct result *result, struct buf *out)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
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
	record_put_list(&json, "releases", &release_json, release_rows(survey, &arena), survey->count);
	jsonw_fill(&json, "}");
}

void survey_put_csv(const struct survey *survey, struct buf *out)
{
	static const struct sheet_shape shape = { "survey.title", &release_record };
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	sheet_rows(&sheet, release_rows(survey, &arena), survey->count);
	sheet_end(&sheet);
}
