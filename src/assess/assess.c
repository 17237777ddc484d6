#include "assess/assess.h"

#include <pthread.h>
#include <stdlib.h>

#include "assess/compare/observed.h"
#include "assess/finding/causes.h"
#include "assess/finding/finding.h"
#include "assess/finding/reason.h"
#include "assess/finding/warnings.h"
#include "assess/judge/composite.h"
#include "assess/judge/implied.h"
#include "assess/judge/questions.h"
#include "assess/judge/readiness.h"
#include "assess/judge/recipes.h"
#include "assess/model/callers.h"
#include "assess/shape/buckets_gather.h"
#include "assess/shape/dynamic.h"
#include "assess/shape/use_bytes.h"
#include "base/mem.h"
#include "op/shape.h"
#include "opdb/db/lists.h"
#include "opdb/db/names.h"
#include "opdb/db/overlay.h"

/* An assessment under way. */
struct work {
	const struct assess_request *request;
	struct result *result;
	struct arena *arena; /* the result's */
	struct arena scratch;
	struct resolver *resolver;
	struct operators operators;
	struct judge judge;
	struct call_facts call_facts;
	struct result_dynamic *dynamic; /* per operator */
	struct arena shapes_arena;      /* of the analysis of shapes, which may go on in a thread */
	pthread_t thread;
	bool beside;                /* it does */
	struct bucket_source sizes; /* found by it */
	bool *by_data;              /* per operator: data-dependent */
	struct weights weights;
	size_t *order;                 /* operators by share */
	struct judgement **judgements; /* per target, then operator */
	struct composites *composites;
	struct finding_list findings;
	struct err *err;
};

void result_free(struct result *result)
{
	struct arena arena;

	if (!result)
		return;
	arena = result->arena; /* the result lives in it */
	arena_clear(&arena);
}

/* --- names */

static bool name_known(void *ctx, struct str base)
{
	struct work *work = ctx;
	struct str versions;

	return resolve_known_in(work->resolver, STR("aten"), base, &versions, work->err) == 0 && versions.len;
}

static size_t name_completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	struct work *work = ctx;
	struct buf text = BUF_UNLIMITED;
	struct name_list names = { .max = max };

	buf_printf(&text, "%.*s::%.*s", STR_ARG(ns), STR_ARG(prefix));
	if (opdb_names_with_prefix(work->request->db, buf_str(&text), &work->scratch, &names, work->err))
		names.count = 0;
	buf_clear(&text);
	for (size_t i = 0; i < names.count; i++)
		ret[i] = str_skip(names.items[i], ns.len + 2);
	return names.count;
}

/* Whether some table is one of tasks or of runtime calls, which name no operators. */
static bool lists_device(const struct profile *profile)
{
	size_t count;
	const struct profile_stream *streams = profile_streams(profile, &count);

	for (size_t i = 0; i < count; i++) {
		if (streams[i].has & (TABLE_DEVICE_TASKS | TABLE_HOST_CALLS))
			return true;
	}
	return false;
}

static int gather_operators(struct work *work)
{
	struct name_lookup lookup = { work, name_known, name_completions };

	work->err->code = 0;
	operators_gather(&work->scratch, work->request->profile, &lookup, &work->operators);
	if (work->err->code)
		return -work->err->code;
	if (!work->operators.count && lists_device(work->request->profile)) {
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

/* --- shapes */

/* Needs no database, and so may go on in a thread beside the judging. */
static void *analyse_shapes(void *arg)
{
	struct work *work = arg;
	struct dynamic_options options = { capture_hides_rows_of_steps(
		work->request->inputs, work->request->input_count) };

	dynamic_analyse(&work->shapes_arena, work->request->profile, &work->operators, options, work->dynamic);
	buckets_gather(work->request->profile, &work->operators, work->dynamic, &work->sizes);
	return NULL;
}

/* Starts a thread for it, or does it here when there is not enough to do or no thread to be had. */
static void start_shapes(struct work *work)
{
	enum { WORTH_A_THREAD = 1000 };
	size_t uses;

	profile_uses(work->request->profile, &uses);
	work->dynamic = arena_alloc(&work->scratch, (work->operators.count + 1) * sizeof(work->dynamic[0]));
	work->beside = uses >= WORTH_A_THREAD && pthread_create(&work->thread, NULL, analyse_shapes, work) == 0;
	if (!work->beside)
		analyse_shapes(work);
}

static void finish_shapes(struct work *work)
{
	if (work->beside)
		pthread_join(work->thread, NULL);
	arena_join(work->arena, &work->shapes_arena);
	followers_find(work->request->profile, &work->operators, work->by_data, work->dynamic);
	for (size_t i = 0; i < work->operators.count; i++) {
		if (work->by_data[i])
			dynamic_set_data_dependent(&work->dynamic[i]);
	}
}

static int find_data_dependent(struct work *work)
{
	work->by_data = arena_alloc(&work->scratch, work->operators.count + 1);
	for (size_t i = 0; i < work->operators.count; i++) {
		const struct op *op = &work->operators.items[i];
		unsigned tags = 0;
		int status = op->completion_count
				     ? 0
				     : resolve_dynamic_tags(work->resolver, op->ns, op->base, &tags, work->err);

		if (status)
			return status;
		work->by_data[i] = is_data_dependent(
			resolver_db(work->resolver), &work->operators, op, tags, work->judge.rows_hidden);
	}
	return 0;
}

/* --- operators */

static int by_share(const void *a, const void *b, void *ctx)
{
	const struct op *items = ctx;
	const struct op *left = &items[*(const size_t *)a], *right = &items[*(const size_t *)b];

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return str_cmp(left->name, right->name);
}

static void sort_operators(struct work *work)
{
	work->order = arena_alloc(&work->scratch, (work->operators.count + 1) * sizeof(work->order[0]));
	for (size_t i = 0; i < work->operators.count; i++)
		work->order[i] = i;
	qsort_r(work->order, work->operators.count, sizeof(work->order[0]), by_share, work->operators.items);
}

static void put_steps(struct work *work, const struct profile_use *use, struct result_shape *ret)
{
	ret->steps = arena_alloc(work->arena, (use->steps.count + 1) * sizeof(ret->steps[0]));
	for (size_t i = 0; i < use->steps.count; i++)
		ret->steps[ret->step_count++] = (struct result_runs){ use->steps.items[i].first,
			use->steps.items[i].last };
}

/* A copy, or the one of before: there are many shapes, most of the same types and overload. */
static struct str keep_again(struct arena *arena, struct str text, struct str before)
{
	return str_eq(text, before) ? before : arena_keep(arena, text);
}

static struct result_shape shape_of(struct work *work, const struct profile_use *use, const struct result_shape *before)
{
	CLEANUP(buf_clear) struct buf dims = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf dtypes = BUF_UNLIMITED;
	struct result_shape shape = { .calls = use->calls, .cut = use->shapes_cut };

	shape_put_json(&dims, use->shapes);
	use_put_types(&dtypes, use);
	shape.dims = arena_keep(work->arena, buf_str(&dims));
	shape.dtypes = keep_again(work->arena, buf_str(&dtypes), before->dtypes);
	shape.overload = keep_again(work->arena, use->overload, before->overload);
	put_steps(work, use, &shape);
	return shape;
}

static int by_calls(const struct profile_use *left, const struct profile_use *right)
{
	int order;

	if (left->calls != right->calls)
		return left->calls > right->calls ? -1 : 1;
	order = str_cmp(left->shapes, right->shapes);
	if (!order)
		order = str_cmp(left->overload, right->overload);
	if (!order)
		order = str_cmp(left->dtypes, right->dtypes);
	return order ? order : (left->stream > right->stream) - (left->stream < right->stream);
}

/* Puts a use into the list of those most often called, which is in order. */
static void keep_most_called(const struct profile_use **list, size_t *count, size_t most, const struct profile_use *use)
{
	size_t low = 0, high = *count;

	if (high == most && by_calls(use, list[high - 1]) >= 0)
		return;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_calls(use, list[middle]) < 0)
			high = middle;
		else
			low = middle + 1;
	}
	*count += *count < most;
	memmove(&list[low + 1], &list[low], (*count - low - 1) * sizeof(list[0]));
	list[low] = use;
}

/* The shapes most often called first; a report lists so many, and counts all. */
static void put_shapes(struct work *work, const struct op *op, struct result_operator *ret)
{
	static const struct result_shape none = { .dtypes = STR(""), .overload = STR("") };
	size_t count, limit = work->request->limits->listed_shapes;
	size_t most = op->use_count < limit ? op->use_count : limit;
	const struct profile_use *uses = profile_uses(work->request->profile, &count);
	const struct profile_use **list = mem_resize(NULL, most, sizeof(list[0]));

	ret->shapes = arena_alloc(work->arena, most * sizeof(ret->shapes[0]));
	for (size_t i = 0; i < op->use_count; i++) {
		const struct profile_use *use = &uses[op->uses[i]];

		if (!use->calls || !(use->shapes.len || use->overload.len))
			continue;
		ret->shape_total++;
		keep_most_called(list, &ret->shape_count, most, use);
	}
	for (size_t i = 0; i < ret->shape_count; i++)
		ret->shapes[i] = shape_of(work, list[i], i ? &ret->shapes[i - 1] : &none);
	free(list);
}

/* The operators in their order, and room for their verdicts. */
static void put_operators(struct work *work)
{
	struct result *result = work->result;

	result->operators = arena_alloc(work->arena, work->operators.count * sizeof(result->operators[0]));
	result->operator_count = work->operators.count;
	for (size_t i = 0; i < work->operators.count; i++) {
		const struct op *op = &work->operators.items[work->order[i]];
		struct result_operator *ret = &result->operators[i];

		*ret = (struct result_operator){ .name = arena_keep(work->arena, op->name),
			.calls = op->calls,
			.self_cpu_ns = op->self_cpu_ns,
			.cpu_total_ns = op->cpu_total_ns,
			.self_device_ns = op->self_device_ns,
			.share_ppm = share_ppm(op->weight, work->weights.time_total) };
		ret->first_seen = capture_first_seen(
			work->arena, work->request->inputs, work->request->input_count, op);
		ret->verdicts = arena_alloc(work->arena, work->request->target_count * sizeof(ret->verdicts[0]));
		ret->verdict_count = work->request->target_count;
	}
	callers_put(work->arena, work->request->profile, &work->operators, work->order, result->operators);
}

static void put_all_shapes(struct work *work)
{
	for (size_t i = 0; i < work->operators.count; i++) {
		struct result_operator *ret = &work->result->operators[i];

		ret->dynamic = work->dynamic[work->order[i]];
		ret->dynamic.follows = arena_keep(work->arena, ret->dynamic.follows);
		put_shapes(work, &work->operators.items[work->order[i]], ret);
		findings_of_shapes(&work->findings, ret);
	}
	findings_of_types(&work->findings, work->result, &work->call_facts, work->order);
}

static void put_ignored(struct work *work)
{
	struct result *result = work->result;

	result->ignored_count = work->operators.ignored_count;
	result->ignored = arena_alloc(work->arena, (result->ignored_count + 1) * sizeof(result->ignored[0]));
	for (size_t i = 0; i < result->ignored_count; i++) {
		result->ignored[i] = work->operators.ignored[i];
		result->ignored[i].name = arena_keep(work->arena, result->ignored[i].name);
	}
}

/* --- targets */

void assess_describe_target(struct arena *arena, const struct target *target, struct result_target *ret)
{
	const struct release *release = target->release;

	*ret = (struct result_target){ .id = arena_keep(arena, str_from(target->id)),
		.plugin = arena_keep(arena, release->plugin),
		.torch = arena_keep(arena, release->torch),
		.cann = arena_keep(arena, release->cann),
		.date = arena_keep(arena, release->date),
		.fallback = arena_keep(arena, release->fallback) };
}

static int judge_target(struct work *work, size_t index)
{
	const struct target *target = &work->request->targets[index];
	struct judgement *judgements = arena_alloc(&work->scratch, (work->operators.count + 1) * sizeof(judgements[0]));
	struct result_verdict **verdicts = arena_alloc(
		&work->scratch, (work->operators.count + 1) * sizeof(verdicts[0]));

	work->judgements[index] = judgements;
	for (size_t i = 0; i < work->operators.count; i++)
		verdicts[work->order[i]] = &work->result->operators[i].verdicts[index];
	return judge_all(&work->judge, target, verdicts, judgements, work->err);
}

static int judge_targets(struct work *work)
{
	size_t count = work->request->target_count;
	int status = find_data_dependent(work);

	work->judgements = arena_alloc(&work->scratch, (count + 1) * sizeof(work->judgements[0]));
	for (size_t i = 0; i < count && !status; i++)
		status = judge_target(work, i);
	return status;
}

static void put_target(struct work *work, size_t index)
{
	const struct judgement *judgements = work->judgements[index];
	bool hidden = capture_hides_operators(work->result->inputs, work->result->input_count);
	struct result_target *ret = &work->result->targets[index];
	bool implied;

	for (size_t i = 0; i < work->operators.count; i++) {
		const struct result_operator *op = &work->result->operators[i];

		findings_of_verdict(&work->findings, op, &op->verdicts[index], &judgements[work->order[i]]);
	}
	assess_describe_target(work->arena, &work->request->targets[index], ret);
	implied = implied_blocks(work->result, ret->id);
	readiness_sum(work->arena, &work->weights, judgements, hidden || implied, ret);
	ret->gate = GATE_NONE; /* a policy comes after */
}

static void put_targets(struct work *work)
{
	work->result->target_count = work->request->target_count;
	work->result->targets = arena_alloc(
		work->arena, (work->request->target_count + 1) * sizeof(work->result->targets[0]));
	for (size_t i = 0; i < work->request->target_count; i++)
		put_target(work, i);
}

/* The verdict on each target, and why. */
static int settle_verdicts(struct work *work)
{
	struct result *result = work->result;
	bool *hidden = arena_alloc(&work->scratch, result->target_count + 1);
	bool captured = !capture_hides_operators(result->inputs, result->input_count);
	struct judge judge = work->judge;
	struct question_request request = { .judge = &judge,
		.order = work->order,
		.targets = work->request->targets,
		.judgements = work->judgements,
		.hidden = hidden };
	int status;

	for (size_t i = 0; i < result->target_count; i++)
		hidden[i] = !captured || implied_blocks(result, result->targets[i].id);
	judge.brief = true;
	resolver_set_texts(work->resolver, false);
	status = questions_ask(&request, result, work->err);
	resolver_set_texts(work->resolver, true);
	for (size_t i = 0; i < result->target_count && !status; i++)
		reason_put(&(struct reason_request){ &work->weights, work->order, work->judgements[i], i,
				   captured && hidden[i] },
			result);
	return status;
}

/* What follows from the verdicts for operators that the dump does not show. */
static int put_unseen(struct work *work)
{
	struct implied_request request = { .arena = work->arena,
		.resolver = work->resolver,
		.profile = work->request->profile,
		.operators = &work->operators,
		.targets = work->request->targets,
		.target_count = work->request->target_count,
		.judgements = work->judgements };
	bool hidden = capture_hides_operators(work->result->inputs, work->result->input_count);
	int code = implied_find(&request, work->result, work->err);

	for (size_t i = 0; i < work->result->implied_count; i++)
		findings_of_implied(&work->findings, &work->result->implied[i]);
	if (!code)
		code = findings_of_constraints(&work->findings, &request, work->result, work->err);
	return code ? code : training_judge(&request, hidden, work->result, work->err);
}

/* --- the whole */

static void put_inputs(struct work *work)
{
	const struct assess_request *request = work->request;
	struct result *result = work->result;

	result->input_count = request->input_count;
	result->inputs = arena_alloc(work->arena, (request->input_count + 1) * sizeof(result->inputs[0]));
	for (size_t i = 0; i < request->input_count; i++) {
		capture_describe(work->arena, &request->inputs[i], request->profile,
			request->max_uncovered_ppm ? *request->max_uncovered_ppm : USUAL_MAX_UNCOVERED_PPM,
			&result->inputs[i]);
		origin_describe(work->arena, request->db, &request->inputs[i].dump.device, &result->inputs[i].device);
	}
	for (size_t i = 0; i < request->input_count; i++) {
		if (request->inputs[i].counted_in)
			result->inputs[i].counted_in = result->inputs[request->inputs[i].counted_in - 1].name;
	}
}

static void put_overlays(struct arena *arena, const struct opdb *db, struct result_db *ret)
{
	const struct overlay *overlays = opdb_overlays(db, &ret->overlay_count);

	ret->overlays = arena_alloc(arena, (ret->overlay_count + 1) * sizeof(ret->overlays[0]));
	for (size_t i = 0; i < ret->overlay_count; i++)
		ret->overlays[i] = (struct result_overlay){ arena_keep(arena, overlays[i].name),
			arena_keep(arena, overlays[i].sha256), overlays[i].facts };
}

void assess_describe_database(struct arena *arena, const struct opdb *db, const char *tool_version, struct result *ret)
{
	const struct opdb_info *info = opdb_info(db);

	ret->tool_version = arena_keep(arena, str_from(tool_version));
	ret->db = (struct result_db){ arena_keep(arena, info->build), arena_keep(arena, info->built_at),
		arena_keep(arena, info->sha256) };
	put_overlays(arena, db, &ret->db);
}

static void put_header(struct work *work)
{
	assess_describe_database(work->arena, work->request->db, work->request->tool_version, work->result);
	work->result->basis = work->weights.basis;
}

static int put_findings(struct work *work)
{
	struct result *result = work->result;

	findings_sort(&work->findings);
	result->finding_count = work->findings.count;
	result->findings = arena_alloc(work->arena, (work->findings.count + 1) * sizeof(result->findings[0]));
	if (work->findings.count)
		memcpy(result->findings, work->findings.items, work->findings.count * sizeof(result->findings[0]));
	causes_put(result);
	return recipes_put(work->request->db, result, work->err);
}

static int put_costs(struct work *work)
{
	const struct assess_request *request = work->request;
	struct arena forgotten = ARENA_INIT(ARENA_UNLIMITED);
	struct judge judge = work->judge;
	struct cost_request asked = { .judge = &judge,
		.weights = &work->weights,
		.order = work->order,
		.limits = request->limits,
		.targets = request->targets,
		.judgements = work->judgements,
		.options = request->cost };
	int status;

	judge.arena = &forgotten;
	judge.brief = true;
	resolver_set_texts(work->resolver, false);
	status = cost_add(&asked, work->result, work->err);
	resolver_set_texts(work->resolver, true);
	arena_clear(&forgotten);
	return status;
}

/* The same dump on every release, judgements alone; what is found lives in arena. */
static int survey_from(
	struct work *work, const struct target *from, size_t from_count, struct arena *arena, struct survey *ret)
{
	struct arena forgotten = ARENA_INIT(ARENA_UNLIMITED);
	struct judge judge = work->judge;
	struct survey_request asked = { .judge = &judge,
		.weights = &work->weights,
		.order = work->order,
		.from = from,
		.from_count = from_count,
		.hides_operators = capture_hides_operators(work->result->inputs, work->result->input_count) };
	int status;

	judge.arena = &forgotten;
	judge.brief = true;
	resolver_set_texts(work->resolver, false);
	status = survey_releases(&asked, arena, ret, work->err);
	resolver_set_texts(work->resolver, true);
	arena_clear(&forgotten);
	if (!status)
		survey_put_releases(ret, work->arena, &work->result->releases);
	return status;
}

/* The survey alone, and a result that says where it comes from. */
static int survey(struct work *work)
{
	const struct assess_request *request = work->request;
	int status;

	put_header(work);
	put_inputs(work);
	status = survey_from(work, request->targets, request->target_count, work->arena, request->survey);
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
static int put_releases(struct work *work)
{
	const struct assess_request *request = work->request;
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct survey survey = { 0 };
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
	status = survey_from(work, from, count, &arena, &survey);
	arena_clear(&arena);
	keep_moves(&work->result->releases, has);
	return status;
}

static int put_observed(struct work *work)
{
	struct observing observing = { .judge = &work->judge,
		.inputs = work->request->inputs,
		.input_count = work->request->input_count,
		.targets = work->request->targets,
		.target_count = work->request->target_count,
		.order = work->order,
		.scratch = &work->scratch,
		.findings = &work->findings,
		.result = work->result };

	return observed_put(&observing, work->err);
}

/* What all judging shares; texts of verdicts live in the result. */
static int prepare_judge(struct work *work)
{
	const struct assess_request *request = work->request;
	int status;

	work->judge = (struct judge){ .arena = &work->scratch,
		.resolver = work->resolver,
		.profile = request->profile,
		.operators = &work->operators,
		.assumptions = request->assumptions,
		.stated_types = request->stated_types,
		.skip_history = request->skip_history,
		.rows_hidden = capture_hides_rows(request->inputs, request->input_count) };
	status = call_facts_gather(&work->judge, &work->call_facts, work->err);
	work->composites = composites_new(&work->scratch, request->profile, &work->operators);
	work->judge.arena = work->arena;
	work->judge.call_facts = &work->call_facts;
	work->judge.composites = work->composites;
	return status;
}

static void put_warnings(struct work *work)
{
	warn_of_versions(work->result);
	warn_of_modes(resolver_db(work->resolver), work->request->inputs, work->request->input_count, work->result);
	warn_of_chips(work->request->targets, work->request->target_count, work->result);
	warn_of_assumptions(work->request->assumptions, &work->operators, work->result);
}

static int run(struct work *work)
{
	int status = gather_operators(work);

	if (status)
		return status;
	weights_choose(work->request->profile, &work->operators, &work->weights);
	sort_operators(work);
	status = prepare_judge(work);
	if (status)
		return status;
	if (work->request->survey)
		return survey(work);
	start_shapes(work);
	put_operators(work);
	status = judge_targets(work);
	finish_shapes(work);
	if (status)
		return status;
	put_header(work);
	put_inputs(work);
	put_all_shapes(work);
	if (work->request->buckets)
		buckets_plan(work->arena, &work->sizes, work->request->limits, work->request->buckets);
	put_ignored(work);
	status = put_unseen(work);
	if (status)
		return status;
	put_targets(work);
	status = settle_verdicts(work);
	if (status)
		return status;
	status = put_observed(work);
	if (status)
		return status;
	status = put_findings(work);
	if (status)
		return status;
	warn_of_inputs(work->request->inputs, work->request->input_count, &work->request->left_out, work->result);
	status = put_costs(work);
	if (status)
		return status;
	put_warnings(work);
	return work->request->skip_releases ? 0 : put_releases(work);
}

int assess(const struct assess_request *request, struct result **ret, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED); /* bounded by the caps of the profile */
	struct result *result = arena_alloc(&arena, sizeof(*result));
	struct work work = { .request = request,
		.result = result,
		.scratch = ARENA_INIT(ARENA_UNLIMITED),
		.shapes_arena = ARENA_INIT(ARENA_UNLIMITED),
		.err = err };
	int status;

	result->arena = arena;
	work.arena = &result->arena;
	work.findings.arena = work.arena;
	work.findings.db = request->db;
	work.resolver = resolver_new(request->db);
	status = run(&work);
	if (work.composites)
		composites_clear(work.composites);
	resolver_free(work.resolver);
	bucket_source_clear(&work.sizes);
	arena_clear(&work.scratch);
	free(work.findings.items);
	if (status)
		result_free(result);
	else
		*ret = result;
	return status;
}
