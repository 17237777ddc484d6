#include "assess/plan/survey.h"

#include <stdlib.h>

#include "assess/finding/headline.h"
#include "assess/judge/implied.h"
#include "assess/plan/survey_moves.h"
#include "assess/plan/whatif.h"
#include "base/memory/mem.h"
#include "opdb/db/lists.h"

struct surveying {
	const struct survey_request *request;
	const struct operators *operators;
	struct arena *arena;
	struct survey *survey;
	struct judgement *judgements; /* in the order of the operators */
	struct err *err;
};

/* --- which operators are in a set */

static bool is_blocker(const struct judgement *judgement)
{
	return op_status_class(judgement->best) == CLASS_BLOCKED;
}

static bool is_packaged(const struct judgement *judgement)
{
	/* a build of the plugin itself comes with another release */
	return is_blocker(judgement) && judgement->verdict.status == OP_NEEDS_PACKAGE && judgement->package.len &&
	       ALL(target, TARGET_COUNT, !str_starts(judgement->package, target_plugin_name((enum target_kind)target)));
}

static bool is_unknown(const struct judgement *judgement)
{
	return !is_blocker(judgement) && op_status_class(judgement->verdict.status) >= CLASS_BLOCKED;
}

static bool is_doubt(const struct judgement *judgement)
{
	return op_status_class(judgement->verdict.status) < CLASS_BLOCKED &&
	       op_status_class(judgement_worst(judgement)) >= CLASS_BLOCKED;
}

static bool falls_back(const struct judgement *judgement)
{
	return judgement->verdict.status == OP_CPU_FALLBACK;
}

static bool may_be_on_aicpu(const struct judgement *judgement)
{
	return judgement_runs_on_device(judgement->verdict.status) && judgement->verdict.aicpu.hi_ppm;
}

static struct survey_set operators_that(const struct surveying *all, bool (*wanted)(const struct judgement *))
{
	const struct judgement *judgements = all->judgements;
	struct survey_set set = { 0 };
	size_t count = SUM(i, all->operators->count, wanted(&judgements[i]));

	set.items = arena_alloc(all->arena, (count + 1) * sizeof(set.items[0]));
	for (size_t i = 0; i < all->operators->count; i++) {
		if (wanted(&judgements[all->request->order[i]]))
			survey_push(&set, i);
	}
	return set;
}

/* --- one release */

static int judge_release(struct surveying *all, struct survey_release *release)
{
	const struct survey_request *request = all->request;
	const struct judge *judge = request->judge;
	struct implied_request not_recorded = { judge->arena, judge->resolver, judge->profile, all->operators,
		&release->target, 1, &all->judgements, judge->call_facts->types_seen };
	struct result implied = { 0 };
	bool hides;
	int status = judge_all(judge, &release->target, all->judgements, all->err)
			     ?: implied_find(&not_recorded, &implied, all->err);

	if (status)
		return status;
	hides = request->hides_operators || implied_blocks(&implied, str_from(release->target.id));
	readiness_sum(all->arena, request->weights, all->judgements, hides, &release->figures);
	release->figures.headline.word = headline_word_of(release->figures.verdict, request->weights, all->judgements);
	release->blockers = operators_that(all, is_blocker);
	release->unknown = operators_that(all, is_unknown);
	release->needs_packages = release->blockers.count && !release->unknown.count &&
				  operators_that(all, is_packaged).count == release->blockers.count;
	release->doubts = operators_that(all, is_doubt);
	release->host = operators_that(all, falls_back);
	release->aicpu = operators_that(all, may_be_on_aicpu);
	arena_clear(judge->arena);
	return 0;
}

/* --- all */

static const struct target *from_of(const struct survey_request *request, enum target_kind target)
{
	return FIND(i, request->from, request->from_count, request->from[i].release->target == target);
}

/* All releases, on the chip that the user named for their target. */
static int list_releases(struct surveying *all)
{
	const struct survey_request *request = all->request;
	const struct opdb *db = resolver_db(request->judge->resolver);
	struct survey *survey = all->survey;
	size_t count;
	const struct release *releases = opdb_releases(db, &count);
	int status = 0;

	survey->releases = arena_alloc(all->arena, (count + 1) * sizeof(survey->releases[0]));
	for (size_t i = 0; i < count && !status; i++) {
		if (!all->request->options.left_out[releases[i].target])
			status = target_like(db, &releases[i], from_of(request, releases[i].target),
				&survey->releases[survey->count++].target, all->err);
	}
	return status;
}

/* The last release of the same target before this one that is no development head. */
static size_t release_before(const struct survey *survey, size_t index)
{
	const struct release *release = survey->releases[index].target.release;

	for (size_t i = index; i-- > 0 && survey->releases[i].target.release->target == release->target;) {
		if (survey->releases[i].target.release->kind != RELEASE_DEVELOPMENT)
			return i;
	}
	return SURVEY_NONE;
}

static void find_starts(const struct surveying *all, struct survey_start starts[TARGET_COUNT])
{
	const struct opdb *db = resolver_db(all->request->judge->resolver);
	const struct survey *survey = all->survey;

	for (unsigned target = 0; target < TARGET_COUNT; target++) {
		const struct target *from = from_of(all->request, (enum target_kind)target);
		const struct release *release = from ? from->release
						     : opdb_newest(db, (enum target_kind)target, STR(""));
		size_t at = POSITION(i, survey->count, survey->releases[i].target.release == release);

		starts[target] = (struct survey_start){ .given = from != NULL,
			.release = at < survey->count ? at : SURVEY_NONE };
	}
}

static void compare_release(struct surveying *all, const struct survey_start *start, size_t index)
{
	struct survey *survey = all->survey;
	struct survey_release *release = &survey->releases[index];
	const struct survey_release *other;

	release->against = all->request->options.against_given ? start->release : release_before(survey, index);
	if (release->against == SURVEY_NONE)
		return;
	other = &survey->releases[release->against];
	release->fixed = survey_subtract(all->arena, &other->blockers, &release->blockers);
	release->fresh = survey_subtract(all->arena, &release->blockers, &other->blockers);
}

static int check_from(const struct survey_request *request, struct err *err)
{
	for (size_t i = 1; i < request->from_count; i++) {
		if (from_of(request, request->from[i].release->target) != &request->from[i]) {
			err_set(err, ERR_TARGET, "two releases of %s to move from",
				target_kind_name(request->from[i].release->target).ptr);
			return err_hint(err, "name one release a target");
		}
	}
	return 0;
}

int survey_releases(const struct survey_request *request, struct arena *arena, struct survey *ret, struct err *err)
{
	struct surveying all = {
		.request = request, .operators = request->judge->operators, .arena = arena, .survey = ret, .err = err
	};
	struct survey_start starts[TARGET_COUNT];
	int status = check_from(request, err) ?: list_releases(&all);

	all.judgements = mem_zalloc((all.operators->count + 1) * sizeof(all.judgements[0]));
	for (size_t i = 0; i < ret->count && !status; i++)
		status = judge_release(&all, &ret->releases[i]);
	free(all.judgements);
	if (status)
		return status;
	ret->basis = request->weights->basis;
	ret->operator_count = all.operators->count;
	ret->operators = arena_alloc(arena, (ret->operator_count + 1) * sizeof(ret->operators[0]));
	for (size_t i = 0; i < ret->operator_count; i++) {
		const struct op *op = &all.operators->items[request->order[i]];

		ret->operators[i] = (struct survey_operator){ arena_keep(arena, op->name),
			share_ppm(op->weight, request->weights->whole) };
	}
	find_starts(&all, starts);
	for (size_t i = 0; i < ret->count; i++)
		compare_release(&all, &starts[ret->releases[i].target.release->target], i);
	survey_moves(starts, arena, ret);
	return 0;
}
