#include "assess/judge/judge.h"

#include "assess/judge/recipes.h"
#include "assess/judge/trial_limits.h"
#include "assess/judge/trial_overloads.h"
#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/value/words.h"
#include "base/view/ascii.h"
#include "op/profile_links.h"
#include "opdb/db/note.h"
#include "opdb/db/unit_fact.h"
#include "opdb/resolve/arguments.h"
#include "opdb/resolve/calls.h"
#include "opdb/resolve/history.h"
#include "opdb/resolve/unit_texts.h"

/* Operators looked at on the way up from one: PyTorch's own chains are far shorter. */
enum { MOST_ANCESTORS = 64 };

/* The links of a name; they are sorted by it. */
static const struct op_link *parents_of(const struct judge *judge, struct str name, size_t *ret_count)
{
	size_t count = 0, low = 0;
	const struct op_link *links = judge->profile ? profile_links(judge->profile, RELATION_PARENT, &count) : NULL;

	for (size_t high = count; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(links[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*ret_count = 0; low + *ret_count < count && str_eq(links[low + *ret_count].name, name); ++*ret_count)
		;
	return links ? links + low : NULL;
}

enum ancestry { NOT_INSIDE, INSIDE, NOT_TOLD };

/* The composites that choose an operator by device. */
struct composite_names {
	struct arena *arena;
	struct str items[16];
	size_t count;
};

struct ancestors {
	struct str items[MOST_ANCESTORS];
	size_t count;
	enum ancestry found;
};

static void add_ancestor(struct ancestors *ancestors, struct str name, const struct composite_names *wanted)
{
	if (STR_IS_AMONG(wanted->items, wanted->count, name) || str_eq(name, STR(LINK_COMPILED_REGION)))
		ancestors->found = INSIDE;
	else if ((!str_has(name, STR("::")) && !str_eq(name, STR(LINK_DATA_LOADER))) ||
		 ancestors->count == MOST_ANCESTORS)
		ancestors->found = NOT_TOLD;
	if (!STR_IS_AMONG(ancestors->items, ancestors->count, name) && ancestors->count < MOST_ANCESTORS)
		ancestors->items[ancestors->count++] = name;
}

/*
 * Returns whether the direct children of a parent ran inside one of the composites, or inside compiled code, which
 * may hold another one elsewhere. A node of autograd does not answer that: what it calls was chosen when the forward
 * operator ran.
 */
static enum ancestry ran_inside(const struct judge *judge, struct str parent, const struct composite_names *wanted)
{
	struct ancestors ancestors = { .found = NOT_INSIDE };

	add_ancestor(&ancestors, parent, wanted);
	for (size_t at = 0; at < ancestors.count && ancestors.found != INSIDE; at++) {
		size_t count;
		const struct op_link *parents = parents_of(judge, ancestors.items[at], &count);

		for (size_t i = 0; i < count && ancestors.found != INSIDE; i++)
			add_ancestor(&ancestors, parents[i].other, wanted);
	}
	return ancestors.found;
}

static bool take_composite(void *ctx, struct str name)
{
	struct composite_names *names = ctx;

	if (names->count < ARRAY_SIZE(names->items))
		names->items[names->count++] = arena_keep(names->arena, name);
	return false;
}

/* Returns whether a single dump with links has outermost calls of the operator. */
static bool ran_outermost(const struct judge *judge, const struct op *op, const struct op_link *parents, size_t count)
{
	size_t links = 0, streams = 0;
	uint64_t inside = 0;

	if (!judge->profile || profile_is_joined(judge->profile))
		return false;
	profile_links(judge->profile, RELATION_PARENT, &links);
	profile_streams(judge->profile, &streams);
	for (size_t i = 0; i < count; i++)
		inside += parents[i].calls;
	return links && streams == 1 && inside < op->calls;
}

/* Returns whether the program itself calls the operator, which belongs to another backend, by name: no composite in
   the dump chose it. */
static bool trial_called_by_name(const struct judge *judge, const struct op *op)
{
	struct composite_names composites = { .arena = judge->arena };
	size_t count, told = 0;
	const struct op_link *parents = parents_of(judge, op->name, &count);

	if (!resolve_called_by_name(judge->resolver, op->ns, op->base, take_composite, &composites))
		return false;
	if (ran_outermost(judge, op, parents, count))
		return true;
	for (size_t i = 0; i < count; i++) {
		enum ancestry inside = ran_inside(judge, parents[i].other, &composites);

		if (inside == NOT_INSIDE)
			return true;
		told += inside == INSIDE;
	}
	return !told && ALL(i, composites.count,
				!STR_IS_AMONG(judge->operators->items, judge->operators->count, composites.items[i]));
}

/* A composite that chose this operator may be among the rows that are missing, or not. */
static void trial_reading(struct trial *trial, const struct answer *answer)
{
	struct message *condition;

	if (answer->status != OP_EQUIVALENT || !trial->judge->rows_hidden ||
		!trial_called_by_name(trial->judge, trial->op) ||
		op_status_class(answer->explicit_status) == op_status_class(answer->status))
		return;
	trial_widen(trial, answer->explicit_status);
	condition = trial_condition(trial, "op-called-by-name");
	message_add(condition, "status", op_status_name(answer->explicit_status));
}

/* --- a name that was cut */

/* Every possible end of the name is judged: they agree, or the answer is unknown. */
static int judge_completions(struct trial *trial, struct answer *answer)
{
	const struct op *op = trial->op;
	enum op_status best = OP_UNKNOWN, worst = OP_NATIVE;
	struct message *condition;
	int status;

	for (size_t i = 0; i < op->completion_count; i++) {
		struct str base = str_skip(op->completions[i], op->ns.len + 2);

		status = resolve_base(trial->judge->resolver, trial->target,
			&(struct op_query){ .ns = op->ns, .base = base, .reading = trial->reading }, answer,
			trial->err);
		if (status)
			return status;
		best = answer->status < best ? answer->status : best;
		worst = answer->status > worst ? answer->status : worst;
	}
	if (!op->completion_count || best != worst) {
		*answer = (struct answer){ .status = OP_UNKNOWN, .via = STR(""), .detail = STR("") };
		condition = trial_condition(trial, "op-name-cut");
		message_add_number(condition, trial->judge->arena, "names", (int64_t)op->completion_count);
		best = op->completion_count ? best : OP_NATIVE;
	}
	trial_start(trial, answer->status, answer->flags | FLAG_INFERRED);
	trial->judgement->best = best;
	return 0;
}

/* --- the verdict */

/* The next release after this one that runs the operator on the device: a stable one, unless only others do. */
static const struct release *better_release(const struct history *history, const struct target *target)
{
	for (unsigned stable = 2; stable-- > 0;) {
		for (size_t i = 0; i < history->count; i++) {
			const struct transition *run = &history->transitions[i];
			const struct release *first = run->release;

			while (first <= run->last && stable && first->kind != RELEASE_FINAL)
				first++;
			if (first <= run->last && run->release->place > target->release->place &&
				judgement_runs_on_device(run->status))
				return first;
		}
	}
	return NULL;
}

static struct str release_id(const struct trial *trial, const struct release *release)
{
	return release ? arena_keep(trial->judge->arena, release->id) : STR("");
}

static int put_history(struct trial *trial)
{
	const struct op *op = trial->op;
	struct history history;
	int status;

	if (op->completion_count)
		return 0;
	if (trial->judge->skip_history && judgement_runs_on_device(trial->judgement->verdict.status))
		return 0;
	status = resolve_history(trial->judge->resolver, trial->target,
		&(struct op_query){ op->ns, op->base, trial->overload, trial->reading }, &history, trial->err);
	if (status)
		return status;
	trial->judgement->verdict.since = release_id(trial, history.since);
	trial->judgement->verdict.until = release_id(trial, history.until);
	if (!judgement_runs_on_device(trial->judgement->verdict.status))
		trial->judgement->better = better_release(&history, trial->target);
	return 0;
}

static struct message *add_advice(struct trial *trial, const char *id, const char *name, struct str value)
{
	enum { MAX_ADVICE = 6 };
	struct result_verdict *verdict = &trial->judgement->verdict;
	struct message *advice;

	if (!verdict->advice)
		verdict->advice = arena_alloc(trial->judge->arena, MAX_ADVICE * sizeof(verdict->advice[0]));
	advice = &verdict->advice[verdict->advice_count++];
	*advice = message_of(id);
	message_add_copy(advice, trial->judge->arena, name, value);
	return advice;
}

/* Facts separate several operators by ";". An operator that is among them has no other in its place. */
static void advise_equivalents(struct trial *trial, struct str list)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct str name = { 0 };

	while (list.len && str_cut(&list, ';', &name)) {
		if (str_eq(name, trial->op->base))
			return;
		buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(name));
	}
	add_advice(trial, "advice-equivalent", "operators", buf_str(&text));
}

/* The package to install, with the version for the target's PyTorch if known: a tag, else a branch or commit. */
static void advise_package(struct trial *trial, const struct answer *answer)
{
	struct str version = answer->library.version, since = answer->library.since, last = answer->library.until;
	bool tag = str_has(since, STR("."));
	const char *id = !since.len ? "advice-package"
			 : last.len ? "advice-package-between"
			 : tag      ? "advice-package-since"
				    : "advice-package-from";
	struct message *advice;

	if (version.len) {
		id = str_has(version, STR(".")) ? "advice-package-version" : "advice-package-branch";
		advice = add_advice(trial, id, "package", trial->judgement->package);
		message_add_copy(advice, trial->judge->arena, "version", version);
		message_add_copy(advice, trial->judge->arena, "torch", trial->target->release->torch);
		return;
	}
	advice = add_advice(trial, id, "package", answer->package);
	if (since.len)
		message_add_copy(advice, trial->judge->arena, "since", since);
	if (last.len)
		message_add_copy(advice, trial->judge->arena, "last", last);
}

/* "about 0.2 ms each", "9x": a number and what it counts. */
static bool is_measured(struct str text)
{
	static const struct str units[] = { STR(" ms"), STR(" us"), STR("x time") };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t at = str_find(text, units[i]);

		if (at != STR_NONE && at && is_digit(text.ptr[at - 1]))
			return true;
	}
	return false;
}

/* The measured cost, if known. */
static void advise_measured(struct trial *trial, const struct answer *answer)
{
	for (size_t i = 0; i < answer->note_count; i++) {
		const struct note *note = answer->notes[i].note;

		if (answer->notes[i].lost || note->kind != NOTE_AICPU || note->evidence != EVIDENCE_REPORT ||
			!is_measured(note->text))
			continue;
		message_add_copy(add_advice(trial, "advice-aicpu-measured", "report", note->text), trial->judge->arena,
			"source", note->ref);
		return;
	}
}

/* "fp32, fp16 run on the AI Core"; what decides where the types do not. */
static void advise_unit(struct trial *trial, const struct answer *answer)
{
	const struct unit_condition *when = trial->judgement->aicpu_when;
	const struct shown_types *shown = &trial->judge->call_facts->types[trial->index];
	unsigned types = 0;

	for (size_t i = 0; i < answer->units.count; i++) {
		enum unit unit = answer->units.lines[i].unit;

		types |= unit == UNIT_AICORE || unit == UNIT_HELPER || unit == UNIT_MIXED
				 ? answer->units.lines[i].dtypes
				 : 0;
	}
	if (when) {
		struct message *advice = add_advice(trial, "advice-aicpu-when", "kernel", when->kernel);

		message_add_copy(advice, trial->judge->arena, "when_en", when->en);
		message_add_copy(advice, trial->judge->arena, "when_zh", when->zh);
	} else if (types && (shown->sure | shown->maybe) & answer->slow) {
		add_advice(trial, "advice-aicore", "dtypes", dtypes_text(trial->judge->arena, types, ", "));
	}
}

static void put_advice(struct trial *trial, const struct answer *answer)
{
	const struct judgement *judgement = trial->judgement;

	if (judgement->verdict.flags & FLAG_AICPU && trial->judge->call_facts) {
		advise_unit(trial, answer);
		advise_measured(trial, answer);
	}
	if (judgement_runs_on_device(judgement->worst))
		return;
	if (judgement->verdict.status == OP_NEEDS_PACKAGE && judgement->package.len)
		advise_package(trial, answer);
	else if (judgement->verdict.status == OP_UNKNOWN && judgement->package.len)
		add_advice(trial, "advice-package-of", "package", judgement->package);
	if (answer->equivalents.len)
		advise_equivalents(trial, answer->equivalents);
	if (judgement->better)
		add_advice(trial, "advice-release", "release", judgement->better->id);
	if (judgement->verdict.status == OP_UNKNOWN && answer->known_in.len)
		add_advice(trial, "advice-known-in", "versions", answer->known_in);
}

static bool is_namespace_recorded(void *ctx, struct str ns)
{
	const struct operators *operators = ((struct trial *)ctx)->judge->operators;

	return operators && ANY(i, operators->count, str_eq(operators->items[i].ns, ns));
}

/* Asks about the only overload that the calls can be, where the release has it, else about the name as a whole. */
static int ask_database(struct trial *trial, struct answer *answer)
{
	const struct op *op = trial->op;
	struct resolver *resolver = trial->judge->resolver;
	struct op_query query = { op->ns, op->base, trial_only_overload(trial), trial->reading,
		resolve_is_of_library(resolver, op->ns, is_namespace_recorded, trial) };
	int status;

	if (query.overload.len) {
		status = resolve_base(resolver, trial->target, &query, answer, trial->err);
		if (status || answer->overload_count) {
			trial->overload = query.overload;
			return status;
		}
	}
	query.overload = trial->overload;
	status = resolve_base(resolver, trial->target, &query, answer, trial->err);
	if (!status && !trial->judge->profile)
		status = resolve_leaves(resolver, trial->target, &query, answer, trial->err);
	if (!status && !trial->judge->profile)
		status = resolve_unit_texts(resolver, trial->target, &query, answer, trial->err);
	if (!status && !trial->judge->profile)
		status = resolve_argument_texts(resolver, trial->target, answer, trial->err);
	return status;
}

static int judge_answer(struct trial *trial, struct answer *answer)
{
	int status;

	if (trial->op->completion_count || str_ends(trial->op->name, STR("...")))
		return judge_completions(trial, answer);
	status = ask_database(trial, answer);
	if (status)
		return status;
	trial_start(trial, answer->status, answer->flags);
	trial->judgement->verdict.via = arena_keep(trial->judge->arena, answer->via);
	trial_overloads(trial, answer);
	trial_reading(trial, answer);
	trial_limits(trial, answer);
	return 0;
}

/* The number of what is known of data types, from 1; 0: nothing is. */
static uint32_t type_set_of(struct type_sets *all, const struct answer *answer)
{
	const struct result_types none = { 0 }, types = types_taken(answer);
	uint64_t hash = hash_str(hash_seed(), (struct str){ (const char *)&types, sizeof(types) });
	struct map_cursor at = map_start(&all->by_hash, hash);

	if (memcmp(&types, &none, sizeof(types)) == 0)
		return 0;
	while (map_next(&all->by_hash, &at)) {
		if (memcmp(&all->sets.items[at.index], &types, sizeof(types)) == 0)
			return at.index + 1;
	}
	map_add(&all->by_hash, hash, (uint32_t)all->sets.count);
	MEM_PUSH(&all->sets, types);
	return (uint32_t)all->sets.count;
}

static int judge_trial(struct trial *trial, struct answer *answer)
{
	const struct judge *judge = trial->judge;
	struct judgement *judgement = trial->judgement;
	int status;

	*answer = (struct answer){ 0 };
	*judgement = (struct judgement){
		.verdict = { .via = STR(""), .dtypes = STR(""), .since = STR(""), .until = STR("") }
	};
	status = judge_answer(trial, answer);
	if (status)
		return status;
	if (trial->reading == READING_EXPLICIT) /* no composite in the dump chose it */
		judgement->verdict.via = arena_printf(
			judge->arena, "called by name: %.*s", STR_ARG(judgement->verdict.via));
	judgement->package = answer->package;
	judgement->dense_only = answer->layouts != 0;
	if (judgement->verdict.status == OP_UNKNOWN) /* nothing is known: it may turn out to run */
		judgement->best = OP_NATIVE;
	if (judge->brief)
		return 0;
	status = put_history(trial);
	if (status)
		return status;
	judgement->verdict.target = judge->target.len ? judge->target
						      : arena_keep(judge->arena, str_from(trial->target->id));
	judgement->verdict.types = judge->type_sets ? type_set_of(judge->type_sets, answer) : 0;
	verdict_put_evidence(judge->arena, answer, &judgement->verdict);
	put_advice(trial, answer);
	recipes_advise(judge->arena, resolver_db(judge->resolver),
		&(struct recipe_case){ .name = trial->op->name,
			.release = trial->target->release,
			.off_device = !judgement_runs_on_device(judgement->worst) ||
				      (judgement->verdict.flags & FLAG_HOST_PATH),
			.by_shapes =
				!judge->profile, /* a name without a dump gets the recipes for values and dtypes, too */
			.types = judge->profile ? judgement->limited_types : DTYPE_ALL,
			.types_alone = judgement->types_alone },
		&judgement->verdict.advice, &judgement->verdict.advice_count);
	return 0;
}

int judge_operator(
	const struct judge *judge, const struct target *target, size_t index, struct judgement *ret, struct err *err)
{
	struct trial trial = { .judge = judge,
		.op = &judge->operators->items[index],
		.index = index,
		.target = target,
		.overload = STR(""),
		.reading = READING_REACHED,
		.judgement = ret,
		.err = err };
	struct answer answer;

	if (!judge->rows_hidden && trial_called_by_name(judge, trial.op))
		trial.reading = READING_EXPLICIT;
	return judge_trial(&trial, &answer);
}

int judge_name(const struct name_question *question, struct judgement *ret, struct answer *ret_answer, struct err *err)
{
	size_t ns_len = str_find(question->name, STR("::"));
	struct op op = { .name = question->name,
		.ns = str_sub(question->name, 0, ns_len),
		.base = str_skip(question->name, ns_len + 2) };
	struct judge judge = { .arena = question->arena, .resolver = question->resolver };
	struct trial trial = { .judge = &judge,
		.op = &op,
		.target = question->target,
		.overload = question->overload,
		.reading = question->reading,
		.judgement = ret,
		.err = err };

	return judge_trial(&trial, ret_answer);
}
