#include "assess/verdicts.h"

#include "assess/assess.h"
#include "assess/describe.h"
#include "assess/finding/headline.h"
#include "assess/judge/composite.h"
#include "assess/judge/call_facts.h"
#include "assess/judge/implied.h"
#include "assess/judge/sparse.h"
#include "assess/shape/data_dependent.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"

/* --- questions */

struct question_request {
	const struct judge *judge;           /* brief */
	const size_t *order;                 /* of the operators, by share */
	const struct target *targets;        /* those of the result */
	struct judgement *const *judgements; /* per target, then in the order of the operators */
	const struct weights *weights;
	const bool *hidden; /* per target: operators may be missing */
};

static const struct {
	unsigned type;
	const char *id;
} asked_types[] = {
	{ DTYPE_BF16, "dtype-bf16" },
	{ DTYPE_FP16, "dtype-fp16" },
};
enum { NAMES_SHOWN = 3 };

static bool is_open_anywhere(const struct question_request *request, size_t target_count, size_t op, unsigned type)
{
	return ANY(i, target_count, request->judgements[i][op].open_types & type);
}

/* "uniform_, log_sigmoid and 4 more": the largest shares first. */
static size_t name_operators(
	const struct question_request *request, size_t target_count, unsigned type, struct buf *ret_names)
{
	const struct operators *operators = request->judge->operators;
	size_t count = 0;

	for (size_t rank = 0; rank < operators->count; rank++) {
		size_t op = request->order[rank];

		if (is_open_anywhere(request, target_count, op, type) && count++ < NAMES_SHOWN)
			buf_printf(ret_names, "%s%.*s", ret_names->len ? ", " : "", STR_ARG(operators->items[op].name));
	}
	if (count > NAMES_SHOWN)
		buf_add(ret_names, STR(" ..."));
	return count;
}

/* The verdict on every target for a program that computes in these types. */
static int answer_for(const struct question_request *request, unsigned types, struct result *result,
	struct result_answer *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	struct judge judge = *request->judge;
	struct judgement *judgements = arena_alloc(&scratch, (judge.operators->count + 1) * sizeof(judgements[0]));
	int status = 0;

	judge.arena = &scratch;
	judge.stated_types = types;
	ret->verdicts = arena_alloc(&result->arena, (result->target_count + 1) * sizeof(ret->verdicts[0]));
	for (size_t i = 0; i < result->target_count && !status; i++) {
		status = judge_all(&judge, &request->targets[i], judgements, err);
		ret->verdicts[ret->verdict_count++] = (struct result_answer_verdict){ result->targets[i].id,
			readiness_verdict(judgements, judge.operators->count,
				(struct target_doubts){
					request->hidden[i], readiness_is_slow(request->weights, judgements) }) };
	}
	return status;
}

/* The targets whose verdict the answer changes, each with the operators that may refuse the type there. */
static void put_deciding(
	const struct question_request *request, unsigned type, struct result *result, struct result_question *question)
{
	const struct result_answer *answers = question->answers;
	const struct operators *operators = request->judge->operators;
	struct arena *arena = &result->arena;

	question->deciding = arena_alloc(arena, (result->target_count + 1) * sizeof(question->deciding[0]));
	for (size_t i = 0; i < result->target_count; i++) {
		struct result_on_target deciding = { .target = result->targets[i].id };

		if (answers[0].verdicts[i].verdict == answers[1].verdicts[i].verdict)
			continue;
		deciding.operators = arena_alloc(arena, (operators->count + 1) * sizeof(deciding.operators[0]));
		for (size_t rank = 0; rank < operators->count; rank++) {
			size_t op = request->order[rank];

			if (request->judgements[i][op].open_types & type)
				deciding.operators[deciding.operator_count++] = arena_keep(
					arena, operators->items[op].name);
		}
		question->deciding[question->deciding_count++] = deciding;
	}
}

static int ask_about(const struct question_request *request, size_t which, const struct result_answer *no,
	struct result *result, struct err *err)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	unsigned type = asked_types[which].type;
	size_t count = name_operators(request, result->target_count, type, &names);
	struct result_question *question = &result->questions[result->question_count];
	int status;

	if (!count)
		return 0;
	result->question_count++;
	*question = (struct result_question){ .id = str_from(asked_types[which].id),
		.text = *MESSAGE(&result->arena, "question-dtype",
			BLANK("dtypes", dtype_name((unsigned)__builtin_ctz(type))), COPY("operators", buf_str(&names)),
			NUMBER("count", count)),
		.answers = arena_alloc(&result->arena, 2 * sizeof(question->answers[0])),
		.answer_count = 2 };
	question->answers[0].value = STR("yes");
	question->answers[1] = *no;
	status = answer_for(request, DTYPE_FP32 | type, result, &question->answers[0], err);
	if (!status)
		put_deciding(request, type, result, question);
	return status;
}

/* The verdict that all answers lead to. */
static enum verdict common_verdict(const struct result *result, size_t target)
{
	enum verdict verdict = result->questions[0].answers[0].verdicts[target].verdict;

	for (size_t i = 0; i < result->question_count; i++) {
		for (size_t j = 0; j < result->questions[i].answer_count; j++) {
			if (result->questions[i].answers[j].verdicts[target].verdict != verdict)
				return VERDICT_INCONCLUSIVE;
		}
	}
	return verdict;
}

/* Fills in result->questions, and the verdict of each target. ERR_DB_DAMAGED, ERR_LIMIT. */
static int questions_ask(const struct question_request *request, struct result *result, struct err *err)
{
	struct result_answer no = { .value = STR("no") };
	size_t kept = 0;
	int status;

	result->questions = arena_alloc(&result->arena, ARRAY_SIZE(asked_types) * sizeof(result->questions[0]));
	if (ALL(i, request->judge->operators->count, !is_open_anywhere(request, result->target_count, i, ~0u)))
		return 0;
	status = answer_for(request, DTYPE_FP32, result, &no, err);
	for (size_t i = 0; i < ARRAY_SIZE(asked_types) && !status; i++)
		status = ask_about(request, i, &no, result, err);
	for (size_t i = 0; i < result->target_count && !status; i++)
		result->targets[i].verdict = common_verdict(result, i);
	for (size_t i = 0; i < result->question_count; i++) { /* answers to the others change no verdict */
		if (result->questions[i].deciding_count)
			result->questions[kept++] = result->questions[i];
	}
	result->question_count = kept;
	return status;
}

/* --- the reason */

/* "1.2 %" of 12345 millionths. */
static struct str percent_text(struct arena *arena, int64_t ppm)
{
	enum { TENTHS_OF_PERCENT = 1000, PLACES = 1 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	if (ppm && ppm < TENTHS_OF_PERCENT / 2)
		return STR("<0.1 %");
	decimal_put(&text, (ppm + TENTHS_OF_PERCENT / 2) / TENTHS_OF_PERCENT, PLACES);
	buf_add(&text, STR(" %"));
	return arena_keep(arena, buf_str(&text));
}

static const struct {
	const char *one_cause, *several;
} sentences[] = {
	[VERDICT_WARNINGS] = { "reason-warnings", "reason-warnings-mostly" },
	[VERDICT_INCONCLUSIVE] = { "reason-inconclusive", "reason-inconclusive-mostly" },
	[VERDICT_BLOCKED] = { "reason-blocked", "reason-blocked-mostly" },
};

/* The first warning that the dumps hide operators. */
static struct str hiding_cause(const struct result *result)
{
	static const struct {
		const char *rule;
		struct str cause;
	} causes[] = {
		{ "capture-truncated", STR("row-limit") },
		{ "capture-top-level", STR("top-level") },
		{ "capture-compiled", STR("compiled") },
		{ "capture-device-uncovered", STR("uncovered") },
		{ "capture-rows-uncovered", STR("rows") },
	};

	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_capture *capture = &result->inputs[i].capture;

		for (size_t at = 0; at < capture->warning_count * ARRAY_SIZE(causes); at++) {
			if (strcmp(capture->warnings[at / ARRAY_SIZE(causes)].id,
				    causes[at % ARRAY_SIZE(causes)].rule) == 0)
				return causes[at % ARRAY_SIZE(causes)].cause;
		}
	}
	return STR("lost");
}

static struct message sentence_without_cause(const struct reason_request *request, struct result *result)
{
	const struct operators *operators = request->weights->operators;
	bool ready = result->targets[request->target].verdict == VERDICT_READY;
	struct message reason;
	int64_t host_work = 0;

	for (size_t i = 0; i < operators->count && ready; i++)
		host_work += (request->judgements[i].verdict.flags & FLAG_HOST_WORK) != 0;
	reason = message_of(host_work          ? "reason-ready-host"
			    : ready            ? "reason-ready"
			    : request->implied ? "reason-implied"
					       : "reason-capture");
	message_add_number(&reason, &result->arena, "operators", (int64_t)operators->count - host_work);
	if (host_work)
		message_add_number(&reason, &result->arena, "host", host_work);
	if (!ready && !request->implied)
		message_add(&reason, "cause", hiding_cause(result));
	return reason;
}

/* Set the reason of the target, whose verdict is there. */
static void reason_put(const struct reason_request *request, struct result *result)
{
	struct result_target *target = &result->targets[request->target];
	const struct cause_tally *most;
	struct tally tally;
	struct str share;
	bool all;

	tally_causes(request, result, &tally);
	if (!tally.count) {
		target->reason = sentence_without_cause(request, result);
		return;
	}
	most = tally_largest(&tally);
	all = most->operators == tally.operators;
	share = percent_text(&result->arena, share_ppm(tally.weight, request->weights->whole));
	target->reason = *MESSAGE(&result->arena,
		all ? sentences[target->verdict].one_cause : sentences[target->verdict].several,
		NUMBER("operators", tally.operators), BLANK("share", share), BLANK("cause", most->cause),
		COPY("operator", most->names[0]), NUMBER(all ? NULL : "part", most->operators));
}

/* --- the ranks of a run */

struct rank {
	int64_t whole, runs_lo, runs_hi, device_lo, device_hi, slow;
	bool stops, package, open;
};

static int64_t weight_of(const struct profile_use *use, enum basis basis)
{
	int64_t weight = basis == BASIS_DEVICE_TIME ? use->self_device_ns
			 : basis == BASIS_CPU_TIME  ? use->self_cpu_ns
						    : (int64_t)use->calls;

	return weight > 0 ? weight : 0;
}

/* One operator of a rank. */
static void add_judgement(struct rank *rank, const struct judgement *judgement, int64_t weight)
{
	enum op_status worst = judgement_worst(judgement);
	bool blocked = op_status_class(judgement->best) == CLASS_BLOCKED;

	if (judgement->verdict.flags & FLAG_HOST_WORK)
		return;
	rank->whole = figure_add(rank->whole, weight);
	rank->runs_lo = figure_add(rank->runs_lo, judgement_runs(worst) ? weight : 0);
	rank->runs_hi = figure_add(rank->runs_hi, judgement_runs(judgement->best) ? weight : 0);
	rank->device_lo = figure_add(rank->device_lo, judgement_runs_on_device(worst) ? weight : 0);
	rank->device_hi = figure_add(rank->device_hi, judgement_runs_on_device(judgement->best) ? weight : 0);
	if (op_status_class(judgement->best) == CLASS_CPU && worst == judgement->best)
		rank->slow = figure_add(rank->slow, weight);
	else if (judgement_runs_on_device(worst))
		rank->slow = figure_add(
			rank->slow, (int64_t)((__int128)weight * judgement->verdict.aicpu.lo_ppm / WHOLE_PPM));
	rank->stops |= blocked && judgement->verdict.status != OP_NEEDS_PACKAGE;
	rank->package |= blocked && judgement->verdict.status == OP_NEEDS_PACKAGE;
	rank->open |= op_status_class(worst) >= CLASS_BLOCKED;
}

static void add_uses(const struct reason_request *request, const struct profile *profile, struct rank *ranks)
{
	const struct operators *operators = request->weights->operators;
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);

	for (size_t i = 0; i < operators->count; i++) {
		const struct op *op = &operators->items[i];

		for (size_t j = 0; j < op->use_count; j++) {
			const struct profile_use *use = &uses[op->uses[j]];

			op_fetch_ahead(op, uses, j);
			add_judgement(
				&ranks[use->stream], &request->judgements[i], weight_of(use, request->weights->basis));
		}
	}
}

static enum headline_word word_of(const struct rank *rank, bool open, int64_t slow_ppm)
{
	return rank->stops                                      ? HEADLINE_STOPS
	       : rank->package                                  ? HEADLINE_PACKAGE
	       : rank->open || open                             ? HEADLINE_UNKNOWN
	       : share_ppm(rank->slow, rank->whole) >= slow_ppm ? HEADLINE_SLOWLY
								: HEADLINE_RUNS;
}

/* The share that line 1 of the target shows first. */
static struct result_interval share_of(const struct rank *rank, enum headline_word word)
{
	bool runs = word == HEADLINE_RUNS || word == HEADLINE_SLOWLY;

	return (struct result_interval){ share_ppm(runs ? rank->device_lo : rank->runs_lo, rank->whole),
		share_ppm(runs ? rank->device_hi : rank->runs_hi, rank->whole) };
}

/* Add the worst rank and the spread to the headline of the target, which has its word; a run of one rank has none. */
static void headline_put_ranks(
	const struct reason_request *request, const struct profile *profile, struct result *result)
{
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	struct result_target *target = &result->targets[request->target];
	struct result_headline *headline = &target->headline;
	size_t count, worst = SIZE_MAX;
	const struct profile_stream *streams = profile_streams(profile, &count);
	struct rank *ranks;
	bool runs = headline_is_run(target->verdict);
	struct result_interval spread = { WHOLE_PPM, 0 }, all = runs ? target->readiness.time : target->coverage.time;
	enum headline_word worst_word = HEADLINE_WORDS;
	int64_t worst_share = 0;

	if (count < 2)
		return;
	ranks = arena_alloc(&scratch, (count + 1) * sizeof(ranks[0]));
	add_uses(request, profile, ranks);
	for (size_t i = 0; i < count; i++) {
		enum headline_word word = word_of(
			&ranks[i], target->verdict == VERDICT_INCONCLUSIVE, request->weights->slow_ppm);
		struct result_interval share = share_of(&ranks[i], headline->word);

		if (!ranks[i].whole)
			continue;
		headline->ranks++;
		spread.lo_ppm = share.lo_ppm < spread.lo_ppm ? share.lo_ppm : spread.lo_ppm;
		spread.hi_ppm = share.hi_ppm > spread.hi_ppm ? share.hi_ppm : spread.hi_ppm;
		if (word > worst_word || (word == worst_word && share.lo_ppm >= worst_share))
			continue;
		worst = i;
		worst_word = word;
		worst_share = share.lo_ppm;
	}
	if (headline->ranks < 2) {
		headline->ranks = 0;
	} else {
		headline->rank = streams[worst].label.len ? arena_keep(&result->arena, streams[worst].label)
							  : arena_printf(&result->arena, "rank%zu", worst);
		headline->spread = spread;
		if (all.lo_ppm < spread.lo_ppm) /* time of no operator is of no rank */
			headline->spread.lo_ppm = all.lo_ppm;
	}
}

/* --- the targets */

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
