#include "assess/verdicts.h"

#include "assess/assess.h"
#include "assess/describe.h"
#include "assess/finding/headline.h"
#include "assess/finding/ranks.h"
#include "assess/finding/reason.h"
#include "assess/judge/host_work.h"
#include "assess/judge/implied.h"
#include "assess/judge/questions.h"
#include "assess/judge/readiness.h"
#include "assess/judge/sparse.h"
#include "assess/shape/data_dependent.h"

/* State shared by all judging; texts of verdicts live in the result. */
int assessment_prepare_judge(struct assessment *work)
{
	const struct assess_request *request = work->request;
	int status;

	work->judge = (struct judge){ .arena = &work->scratch,
		.resolver = work->resolver,
		.profile = request->profile,
		.operators = &work->operators,
		.assumptions = request->assumptions,
		.type_sets = &work->type_sets,
		.stated_types = request->stated_types,
		.skip_history = request->skip_history,
		.rows_hidden = capture_hides_rows(request->inputs, request->input_count) };
	work->judge.host_work = host_work_find(
		&work->scratch, request->profile, &work->operators, request->assumptions);
	work->judge.sparse = sparse_find(&work->scratch, request->profile, &work->operators);
	weights_leave_out(&work->weights, work->judge.host_work);
	status = call_facts_gather(&work->judge, &work->call_facts, work->err);
	work->composites = composites_new(&work->scratch, request->profile, &work->operators);
	work->judge.arena = work->arena;
	work->judge.call_facts = &work->call_facts;
	work->judge.composites = work->composites;
	return status;
}

static int find_data_dependent(struct assessment *work)
{
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

/* Numbered by the order of the report, which is the same whatever the order of a dump's rows. */
static void keep_type_sets(struct assessment *work)
{
	struct result *result = work->result;
	size_t count = work->type_sets.sets.count;
	uint32_t *numbers = arena_alloc(&work->scratch, (count + 1) * sizeof(numbers[0]));

	result->type_sets = arena_alloc(work->arena, (count + 1) * sizeof(result->type_sets[0]));
	for (size_t i = 0; i < result->operator_count; i++) {
		for (size_t j = 0; j < result->operators[i].verdict_count; j++) {
			uint32_t *types = &result->operators[i].verdicts[j].types;

			if (*types && !numbers[*types]) {
				result->type_sets[result->type_set_count++] = work->type_sets.sets.items[*types - 1];
				numbers[*types] = (uint32_t)result->type_set_count;
			}
			*types = numbers[*types];
		}
	}
	work->judge.type_sets = NULL; /* what is judged from here on is in no row */
}

int assessment_judge_targets(struct assessment *work)
{
	size_t count = work->request->target_count, operators = work->operators.count;
	int status = find_data_dependent(work);

	work->judgements = arena_alloc(&work->scratch, (count + 1) * sizeof(work->judgements[0]));
	for (size_t i = 0; i < count && !status; i++) {
		const struct target *target = &work->request->targets[i];
		struct judgement *judgements = arena_alloc(&work->scratch, (operators + 1) * sizeof(judgements[0]));

		work->judge.target = arena_keep(work->arena, str_from(target->id));
		status = judge_all(&work->judge, target, judgements, work->err);
		work->judge.target = STR("");
		work->judgements[i] = judgements;
		for (size_t op = 0; op < operators && !status; op++)
			work->result->operators[op].verdicts[i] = judgements[work->order[op]].verdict;
	}
	keep_type_sets(work);
	return status;
}

void assessment_sum_targets(struct assessment *work)
{
	struct result *result = work->result;
	bool hidden = capture_hides_operators(result->inputs, result->input_count);

	result->target_count = work->request->target_count;
	result->targets = arena_alloc(work->arena, (result->target_count + 1) * sizeof(result->targets[0]));
	for (size_t i = 0; i < result->target_count; i++) {
		const struct judgement *judgements = work->judgements[i];
		struct result_target *ret = &result->targets[i];
		bool slow = readiness_is_slow(&work->weights, judgements);

		for (size_t op = 0; op < work->operators.count; op++)
			findings_of_verdict(
				&work->findings, &result->operators[op], &judgements[work->order[op]], slow);
		assess_describe_target(work->arena, &work->request->targets[i], ret);
		readiness_sum(work->arena, &work->weights, judgements, hidden || implied_blocks(result, ret->id), ret);
		ret->gate = GATE_NONE; /* a policy comes after */
	}
}

/* The verdict on each target, and why. */
int assessment_settle_verdicts(struct assessment *work)
{
	struct result *result = work->result;
	bool *hidden = arena_alloc(&work->scratch, result->target_count + 1);
	bool captured = !capture_hides_operators(result->inputs, result->input_count);
	struct judge judge = work->judge;
	struct question_request request = { .judge = &judge,
		.order = work->order,
		.targets = work->request->targets,
		.judgements = work->judgements,
		.weights = &work->weights,
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

void assessment_put_headlines(struct assessment *work)
{
	struct result *result = work->result;
	bool hidden = capture_hides_operators(result->inputs, result->input_count);

	for (size_t i = 0; i < result->target_count; i++) {
		struct reason_request request = { &work->weights, work->order, work->judgements[i], i,
			!hidden && implied_blocks(result, result->targets[i].id) };

		headline_put(&request, result);
		headline_put_ranks(&request, work->request->profile, result);
	}
}
