#include "assess/assess.h"

#include <stdlib.h>

#include "assess/compare/observed.h"
#include "assess/describe.h"
#include "assess/finding/causes.h"
#include "assess/finding/constraints.h"
#include "assess/judge/recipes.h"
#include "assess/judge/training.h"
#include "assess/listing.h"
#include "assess/model/shown.h"
#include "assess/releases.h"
#include "assess/shape/followers.h"
#include "assess/verdicts.h"
#include "base/memory/mem.h"
#include "opdb/db/names.h"

/* --- shapes that change */

/* Both need no database, and so may go on in threads beside the judging. */
static void *analyse_shapes(void *arg)
{
	struct assessment *work = arg;
	struct dynamic_options options = { capture_hides_rows_of_steps(
		work->request->inputs, work->request->input_count) };

	dynamic_analyse(&work->shapes_arena, work->request->profile, &work->operators, options, work->dynamic);
	buckets_gather(work->request->profile, &work->operators, work->dynamic, &work->sizes);
	assessment_choose_shapes(work);
	return NULL;
}

static void *gather_calls(void *arg)
{
	struct assessment *work = arg;
	unsigned types = work->request->stated_types;

	calls_gather(&work->calls_arena, work->request->profile, types & (types - 1) ? 0 : types, &work->calls);
	return NULL;
}

static void start_shapes(struct assessment *work)
{
	static void *(*const steps[BESIDE])(void *) = { analyse_shapes, gather_calls };
	size_t uses;

	profile_uses(work->request->profile, &uses);
	work->dynamic = arena_alloc(&work->scratch, (work->operators.count + 1) * sizeof(work->dynamic[0]));
	work->by_data = arena_alloc(&work->scratch, work->operators.count + 1);
	for (size_t i = 0; i < BESIDE; i++)
		beside_start(&work->beside[i], uses, steps[i], work);
}

static void finish_shapes(struct assessment *work)
{
	for (size_t i = 0; i < BESIDE; i++)
		beside_wait(&work->beside[i]);
	arena_join(work->arena, &work->shapes_arena);
	followers_find(work->request->profile, &work->operators, work->by_data, work->dynamic);
	for (size_t i = 0; i < work->operators.count; i++) {
		if (work->by_data[i])
			dynamic_set_data_dependent(&work->dynamic[i]);
	}
}

/* --- the operators of the profile */

static bool name_known(void *ctx, struct str base)
{
	struct assessment *work = ctx;
	struct str versions;

	return resolve_known_in(work->resolver, STR("aten"), base, &versions, work->err) == 0 && versions.len;
}

static size_t name_completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	struct assessment *work = ctx;
	struct str start = arena_printf(&work->scratch, "%.*s::%.*s", STR_ARG(ns), STR_ARG(prefix));
	struct name_list names = { .max = max };

	if (opdb_names_with_prefix(work->request->db, start, &work->scratch, &names, work->err))
		names.count = 0;
	for (size_t i = 0; i < names.count; i++)
		ret[i] = str_skip(names.items[i], ns.len + 2);
	return names.count;
}

/* The operators of the profile, by the names that the database knows. ERR_NO_OPERATOR. */
static int gather_operators(struct assessment *work)
{
	struct name_lookup lookup = { work, name_known, name_completions };
	size_t count;
	const struct profile_stream *streams = profile_streams(work->request->profile, &count);
	/* tables of tasks or of runtime calls have no operators */
	bool lists_device = ANY(i, count, streams[i].has & (TABLE_DEVICE_TASKS | TABLE_HOST_CALLS));

	work->err->code = 0;
	operators_gather(&work->scratch, work->request->profile, &lookup, &work->operators);
	if (work->err->code)
		return -work->err->code;
	if (!work->operators.count && lists_device) {
		inputs_lack_operators(work->request->inputs, work->request->input_count, work->err);
		return err_hint(work->err, "give operator_details.csv, or the whole folder that ends in _ascend_pt");
	}
	if (!work->operators.count) {
		err_set(work->err, ERR_NO_OPERATOR, "the tables hold no operator, only %zu other names",
			work->operators.ignored_count);
		return err_hint(work->err, "profile at least one step of the model; `opcheck snippet` shows how");
	}
	return 0;
}

/* --- the steps */

/* Add the verdicts' consequences for operators that the dump does not show. */
static int put_unseen(struct assessment *work)
{
	struct implied_request request = { .arena = work->arena,
		.resolver = work->resolver,
		.profile = work->request->profile,
		.operators = &work->operators,
		.targets = work->request->targets,
		.target_count = work->request->target_count,
		.judgements = work->judgements,
		.types_seen = work->call_facts.types_seen,
		.weights = &work->weights };
	bool hidden = capture_hides_operators(work->result->inputs, work->result->input_count);
	int code = implied_find(&request, work->result, work->err);

	for (size_t i = 0; i < work->result->implied_count; i++)
		findings_of_implied(&work->findings, &work->result->implied[i]);
	if (!code)
		code = findings_of_constraints(&work->findings, &request, work->result, work->err);
	return code ? code : training_judge(&request, hidden, work->result, work->err);
}

static int put_findings(struct assessment *work)
{
	struct result *result = work->result;

	findings_sort(&work->findings);
	result->finding_count = work->findings.count;
	result->findings = arena_keep_bytes(
		work->arena, work->findings.items, work->findings.count * sizeof(result->findings[0]));
	causes_put(result);
	return recipes_put(work->request->db, result, work->err);
}

static int put_observed(struct assessment *work)
{
	struct observing observing = { .judge = &work->judge,
		.inputs = work->request->inputs,
		.input_count = work->request->input_count,
		.targets = work->request->targets,
		.target_count = work->request->target_count,
		.order = work->order,
		.slow_ppm = work->weights.slow_ppm,
		.scratch = &work->scratch,
		.findings = &work->findings,
		.result = work->result };

	return observed_put(&observing, work->err);
}

/* The whole plan if only that is requested, else its first part. */
static void plan_padding(struct assessment *work)
{
	const struct assess_request *request = work->request;

	if (request->buckets)
		buckets_plan(work->arena, &work->sizes, request->limits, request->buckets);
	else
		buckets_report(work->arena, &work->sizes, request->limits, &work->result->buckets);
	bucket_source_clear(&work->sizes);
}

static void weigh(struct assessment *work)
{
	const struct assess_request *request = work->request;

	weights_choose(request->profile, &work->operators, &work->weights);
	work->weights.slow_ppm = request->slow_ppm ? *request->slow_ppm : USUAL_SLOW_PPM;
	weights_add_uncovered(
		&work->weights, shown_uncovered(&(struct shown_request){ request->inputs, request->input_count,
					request->profile, &work->operators, work->weights.basis }));
}

static int run_steps(struct assessment *work)
{
	int status = gather_operators(work);

	if (status)
		return status;
	weigh(work);
	assessment_sort(work);
	if (work->request->survey) {
		status = assessment_prepare_judge(work);
		return status ? status : assessment_survey(work);
	}
	start_shapes(work);
	assessment_list_operators(work);
	status = assessment_prepare_judge(work) ?: assessment_judge_targets(work);
	finish_shapes(work);
	if (status)
		return status;
	assessment_describe_sources(work);
	assessment_describe_inputs(work);
	assessment_list_shapes(work);
	plan_padding(work);
	assessment_list_ignored(work);
	status = put_unseen(work);
	if (status)
		return status;
	assessment_sum_targets(work);
	status = assessment_settle_verdicts(work) ?: put_observed(work) ?: put_findings(work);
	if (status)
		return status;
	warn_of_inputs(work->request->inputs, work->request->input_count, &work->request->left_out, work->result);
	status = assessment_add_costs(work);
	if (status)
		return status;
	assessment_put_headlines(work);
	warn_of_versions(work->result);
	warn_of_modes(resolver_db(work->resolver), work->request->inputs, work->request->input_count, work->result);
	warn_of_chips(resolver_db(work->resolver), work->request->targets, work->request->target_count, work->result);
	warn_of_assumptions(work->request->assumptions, &work->operators, work->result);
	return work->request->skip_releases ? 0 : assessment_add_releases(work);
}

int assess(const struct assess_request *request, struct result **ret, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED); /* bounded by the caps of the profile */
	struct result *result = arena_alloc(&arena, sizeof(*result));
	struct assessment work = { .request = request,
		.result = result,
		.scratch = ARENA_INIT(ARENA_UNLIMITED),
		.shapes_arena = ARENA_INIT(ARENA_UNLIMITED),
		.listed_arena = ARENA_INIT(ARENA_UNLIMITED),
		.calls_arena = ARENA_INIT(ARENA_UNLIMITED),
		.err = err };
	int status;

	result->arena = arena;
	work.arena = &result->arena;
	work.findings.arena = work.arena;
	work.findings.db = request->db;
	work.resolver = resolver_new(request->db);
	status = run_steps(&work);
	if (work.composites)
		composites_clear(work.composites);
	resolver_free(work.resolver);
	bucket_source_clear(&work.sizes);
	arena_clear(&work.listed_arena);
	arena_clear(&work.calls_arena);
	arena_clear(&work.scratch);
	free(work.type_sets.sets.items);
	map_clear(&work.type_sets.by_hash);
	free(work.findings.items);
	if (status)
		result_free(result);
	else
		*ret = result;
	return status;
}
