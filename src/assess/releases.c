#include "assess/releases.h"

#include <stdlib.h>

#include "assess/assess.h"
#include "assess/describe.h"
#include "assess/estimate/estimate.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"

static struct str id_at(const struct survey *survey, struct arena *arena, size_t release)
{
	return release == SURVEY_NONE ? STR("") : arena_keep(arena, str_from(survey->releases[release].target.id));
}

static struct result_names names_of(
	const struct survey *survey, struct arena *arena, const struct survey_set *set, size_t most)
{
	struct result_names names = { .count = set->count < most ? set->count : most, .total = set->count };

	names.items = arena_alloc(arena, (names.count + 1) * sizeof(names.items[0]));
	for (size_t i = 0; i < names.count; i++)
		names.items[i] = arena_keep(arena, survey->operators[set->items[i]].name);
	return names;
}

static struct result_release release_of(const struct survey *survey, struct arena *arena, size_t at, size_t most)
{
	const struct survey_release *from = &survey->releases[at];
	const struct release *release = from->target.release;

	return (struct result_release){ .id = id_at(survey, arena, at),
		.target = target_kind_name(release->target),
		.torch = arena_keep(arena, release->torch),
		.plugin = arena_keep(arena, release->plugin),
		.cann = arena_keep(arena, release->cann),
		.date = arena_keep(arena, release->date),
		.kind = release->kind,
		.stable = release->kind == RELEASE_FINAL,
		.verdict = from->figures.verdict,
		.word = from->figures.headline.word,
		.readiness = from->figures.readiness,
		.coverage = from->figures.coverage,
		.blockers = names_of(survey, arena, &from->blockers, most),
		.unknown = names_of(survey, arena, &from->unknown, most),
		.doubts = names_of(survey, arena, &from->doubts, most),
		.aicpu = names_of(survey, arena, &from->aicpu, most),
		.against = id_at(survey, arena, from->against),
		.fixed = names_of(survey, arena, &from->fixed, most),
		.fresh = names_of(survey, arena, &from->fresh, most) };
}

/* --- where an operator blocks */

static int compare_items(const void *a, const void *b)
{
	return ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

static bool set_has(const struct survey_set *set, uint32_t op)
{
	return set->count && bsearch(&op, set->items, set->count, sizeof(op), compare_items);
}

/* SPAN_STATES: it runs. */
static enum span_state state_on(const struct survey_release *release, uint32_t op)
{
	return set_has(&release->blockers, op)  ? SPAN_BLOCKED
	       : set_has(&release->unknown, op) ? SPAN_UNKNOWN
	       : set_has(&release->doubts, op)  ? SPAN_CONDITIONAL
	       : set_has(&release->host, op)    ? SPAN_HOST
						: SPAN_STATES;
}

static struct result_blocker blocker_of(const struct survey *survey, struct arena *arena, uint32_t op)
{
	struct result_blocker blocker = { .operator_name = arena_keep(arena, survey->operators[op].name),
		.share_ppm = survey->operators[op].share_ppm,
		.spans = arena_alloc(arena, survey->count * sizeof(blocker.spans[0])) };

	for (size_t from = 0, to = 0; from < survey->count; from = to) {
		const struct survey_release *first = &survey->releases[from], *next = first;
		enum span_state state = state_on(first, op);

		while (to < survey->count && next->target.release->target == first->target.release->target &&
			state_on(next, op) == state)
			next = &survey->releases[++to];
		if (state != SPAN_STATES)
			blocker.spans[blocker.span_count++] = (struct result_span){ state, id_at(survey, arena, from),
				id_at(survey, arena, to - 1) };
	}
	return blocker;
}

static void put_blockers(const struct survey *survey, struct arena *arena, size_t most, struct result_releases *ret)
{
	bool *blocks = mem_zalloc(survey->operator_count + 1);

	for (size_t i = 0; i < survey->count; i++) {
		for (size_t j = 0; j < survey->releases[i].blockers.count; j++)
			blocks[survey->releases[i].blockers.items[j]] = true;
	}
	ret->blockers = arena_alloc(arena, (most + 1) * sizeof(ret->blockers[0]));
	for (uint32_t i = 0; i < survey->operator_count; i++) {
		if (blocks[i] && ret->blocker_count < most)
			ret->blockers[ret->blocker_count++] = blocker_of(survey, arena, i);
		else
			ret->blockers_left += blocks[i];
	}
	free(blocks);
}

/* --- moves */

static struct result_move move_of(
	const struct survey *survey, struct arena *arena, const struct survey_move *move, size_t most)
{
	const struct release *from = survey->releases[move->from].target.release,
			     *to = survey->releases[move->to].target.release;
	struct result_move ret = { .target = target_kind_name(from->target),
		.from = id_at(survey, arena, move->from),
		.to = id_at(survey, arena, move->to),
		.from_torch = arena_keep(arena, from->torch),
		.to_torch = arena_keep(arena, to->torch),
		.given = move->given,
		.other_torch = move->other_torch,
		.clears = move->clears,
		.packages = move->packages,
		.back = move->back,
		.releases = move->releases,
		.cleared = names_of(survey, arena, &move->cleared, most),
		.left = names_of(survey, arena, &move->left, most),
		.fresh = names_of(survey, arena, &move->fresh, most),
		.off_aicpu = names_of(survey, arena, &move->off_aicpu, most) };

	if (ret.off_aicpu.count) {
		ret.kernels = id_at(survey, arena, move->kernels);
		ret.kernels_cann = arena_keep(arena, survey->releases[move->kernels].target.release->cann);
	}
	return ret;
}

/* whole: with every name, as `advise` shows them; else those of a report. */
static void survey_put_releases(
	const struct survey *survey, struct arena *arena, bool whole, struct result_releases *ret)
{
	size_t operators = survey->operator_count, names = whole ? operators : MOVE_NAMES;

	*ret = (struct result_releases){
		.count = survey->count, .move_count = survey->move_count, .operator_count = operators
	};
	ret->items = arena_alloc(arena, (survey->count + 1) * sizeof(ret->items[0]));
	for (size_t i = 0; i < survey->count; i++)
		ret->items[i] = release_of(survey, arena, i, whole ? operators : 0);
	put_blockers(survey, arena, whole ? operators : BLOCKERS_LISTED, ret);
	ret->moves = arena_alloc(arena, (survey->move_count + 1) * sizeof(ret->moves[0]));
	for (size_t i = 0; i < survey->move_count; i++)
		ret->moves[i] = move_of(survey, arena, &survey->moves[i], names);
}

/* A judge whose verdicts are counted, without texts. */
struct brief {
	struct judge judge;
	struct arena unread;
};

static void brief_begin(struct assessment *work, struct brief *ret)
{
	*ret = (struct brief){ work->judge, ARENA_INIT(ARENA_UNLIMITED) };
	ret->judge.arena = &ret->unread;
	ret->judge.brief = true;
	resolver_set_texts(work->resolver, false);
}

static void brief_end(struct assessment *work, struct brief *brief)
{
	resolver_set_texts(work->resolver, true);
	arena_clear(&brief->unread);
}

int assessment_add_costs(struct assessment *work)
{
	const struct assess_request *request = work->request;
	struct brief brief;
	struct cost_request asked = { .judge = &brief.judge,
		.weights = &work->weights,
		.order = work->order,
		.limits = request->limits,
		.targets = request->targets,
		.judgements = work->judgements,
		.inputs = request->inputs,
		.options = request->cost };
	int status;

	brief_begin(work, &brief);
	status = cost_add(&asked, work->result, work->err)
			 ?: estimate_add(request->db, &asked, &work->calls, work->result, work->err);
	brief_end(work, &brief);
	return status;
}

/* The same dump on every release. options NULL: what a report has of that. */
static int survey_from(
	struct assessment *work, const struct target *from, size_t from_count, const struct survey_options *options)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct survey survey = { 0 };
	struct brief brief;
	struct survey_request asked = { .judge = &brief.judge,
		.weights = &work->weights,
		.order = work->order,
		.from = from,
		.from_count = from_count,
		.options = options ? *options : (struct survey_options){ 0 },
		.hides_operators = capture_hides_operators(work->result->inputs, work->result->input_count) };
	int status;

	brief_begin(work, &brief);
	brief.judge.held = mem_zalloc((work->operators.count + 1) * sizeof(brief.judge.held[0]));
	status = survey_releases(&asked, &arena, &survey, work->err);
	free(brief.judge.held);
	brief_end(work, &brief);
	if (!status)
		survey_put_releases(&survey, work->arena, options, &work->result->releases);
	return status;
}

/* The survey alone, and a result that says where it comes from. */
int assessment_survey(struct assessment *work)
{
	const struct assess_request *request = work->request;
	int status;

	assessment_describe_sources(work);
	assessment_describe_inputs(work);
	status = survey_from(work, request->targets, request->target_count, request->survey);
	work->result->releases.against_given = request->survey->against_given;
	warn_of_assumptions(request->assumptions, &work->operators, work->result);
	return status;
}

/* Only moves of targets that were asked for. */
static void keep_moves(struct result_releases *releases, const bool has[TARGET_COUNT])
{
	size_t count = 0;

	for (size_t i = 0; i < releases->move_count; i++) {
		for (unsigned kind = 0; kind < TARGET_COUNT; kind++) {
			if (has[kind] && str_eq(releases->moves[i].target, target_kind_name((enum target_kind)kind)))
				releases->moves[count++] = releases->moves[i];
		}
	}
	releases->move_count = count;
}

/* Beside the verdicts on the targets asked for: the user is on the first of each kind. */
int assessment_add_releases(struct assessment *work)
{
	const struct assess_request *request = work->request;
	struct target from[TARGET_COUNT];
	bool has[TARGET_COUNT] = { false };
	size_t count = 0;
	int status;

	for (size_t i = 0; i < request->target_count; i++) {
		enum target_kind kind = request->targets[i].release->target;

		if (!has[kind])
			from[count++] = request->targets[i];
		has[kind] = true;
	}
	status = survey_from(work, from, count, NULL);
	keep_moves(&work->result->releases, has);
	return status;
}
