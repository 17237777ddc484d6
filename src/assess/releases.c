#include "assess/releases.h"

#include <stdlib.h>

#include "assess/assess.h"
#include "assess/describe.h"
#include "assess/estimate/estimate.h"
#include "assess/plan/survey_result.h"
#include "base/memory/mem.h"

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
	status = cost_add(&asked, work->result, work->err);
	if (!status)
		status = estimate_add(request->db, &asked, &work->calls, work->result, work->err);
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
