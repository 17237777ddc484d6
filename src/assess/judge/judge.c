#include <stdarg.h>

#include "assess/judge/judge_impl.h"
#include "assess/judge/recipes.h"
#include "base/mem.h"
#include "op/profile.h"
#include "opdb/resolve/calls.h"
#include "opdb/resolve/history.h"

bool judgement_runs_on_device(enum op_status status)
{
	return op_status_class(status) == CLASS_DEVICE;
}

bool judgement_runs(enum op_status status)
{
	return op_status_class(status) <= CLASS_CPU;
}

static enum op_status better_of(enum op_status a, enum op_status b)
{
	return a < b ? a : b;
}

static enum op_status worse_of(enum op_status a, enum op_status b)
{
	return a > b ? a : b;
}

void trial_widen(struct trial *trial, enum op_status status)
{
	struct judgement *judgement = trial->judgement;

	if (op_status_class(status) == op_status_class(judgement->status))
		return;
	judgement->best = better_of(judgement->best, status);
	judgement->worst = worse_of(judgement->worst, status);
}

void trial_become(struct trial *trial, enum op_status status)
{
	struct judgement *judgement = trial->judgement;

	judgement->status = worse_of(judgement->status, status);
	judgement->best = worse_of(judgement->best, status);
	judgement->worst = worse_of(judgement->worst, status);
}

struct message *trial_condition(struct trial *trial, const char *id)
{
	struct result_verdict *verdict = trial->verdict;
	struct message *condition;

	if (!verdict->conditions)
		verdict->conditions = arena_alloc(trial->judge->arena, MAX_CONDITIONS * sizeof(verdict->conditions[0]));
	condition = &verdict->conditions[verdict->condition_count++];
	*condition = message_of(id);
	message_add_copy(condition, trial->judge->arena, "operator", trial->op->name);
	message_add_copy(condition, trial->judge->arena, "target", str_from(trial->target->id));
	return condition;
}

void trial_via(struct trial *trial, const char *format, ...)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	va_list args;

	if (trial->judge->brief)
		return;
	buf_printf(&text, "%.*s; ", STR_ARG(trial->verdict->via));
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	trial->verdict->via = arena_keep(trial->judge->arena, buf_str(&text));
}

/* --- which reading */

/* Where an operator may have come from: what it ran inside of, as far as the dump tells, else anything that was recorded. */
struct callers {
	const struct judge *judge;
	struct str name;
};

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

struct ancestors {
	struct str items[MOST_ANCESTORS];
	size_t count;
	enum ancestry found;
};

static void add_ancestor(struct ancestors *ancestors, struct str name, struct str wanted)
{
	if (str_eq(name, wanted))
		ancestors->found = INSIDE;
	else if (!str_has(name, STR("::")) || ancestors->count == MOST_ANCESTORS)
		ancestors->found = NOT_TOLD;
	for (size_t i = 0; i < ancestors->count; i++) {
		if (str_eq(ancestors->items[i], name))
			return;
	}
	if (ancestors->count < MOST_ANCESTORS)
		ancestors->items[ancestors->count++] = name;
}

/* Whether a name ran inside of an operator. A node of autograd tells nothing: what it calls was chosen when the forward operator
   ran. */
static enum ancestry ran_inside(const struct judge *judge, struct str name, struct str wanted)
{
	struct ancestors ancestors = { .items = { name }, .count = 1 };

	for (size_t at = 0; at < ancestors.count && ancestors.found != INSIDE; at++) {
		size_t count;
		const struct op_link *parents = parents_of(judge, ancestors.items[at], &count);

		for (size_t i = 0; i < count && ancestors.found != INSIDE; i++)
			add_ancestor(&ancestors, parents[i].other, wanted);
	}
	return ancestors.found;
}

static bool is_recorded(const struct operators *operators, struct str name)
{
	for (size_t i = 0; i < operators->count; i++) {
		if (str_eq(operators->items[i].name, name))
			return true;
	}
	return false;
}

static bool may_call(void *ctx, struct str name)
{
	const struct callers *callers = ctx;
	size_t count;
	enum ancestry inside = NOT_TOLD;

	parents_of(callers->judge, callers->name, &count);
	if (count)
		inside = ran_inside(callers->judge, callers->name, name);
	return inside == NOT_TOLD ? is_recorded(callers->judge->operators, name) : inside == INSIDE;
}

static bool called_by_name(const struct judge *judge, const struct op *op)
{
	struct callers callers = { judge, op->name };

	return resolve_called_by_name(judge->resolver, op->ns, op->base, may_call, &callers);
}

/* A composite that chose this operator may be among the rows that are missing, or not. */
static void judge_reading(struct trial *trial, const struct answer *answer)
{
	struct message *condition;

	if (answer->status != OP_EQUIVALENT || !trial->judge->rows_hidden || !called_by_name(trial->judge, trial->op) ||
		op_status_class(answer->explicit_status) == op_status_class(answer->status))
		return;
	trial_widen(trial, answer->explicit_status);
	condition = trial_condition(trial, "op-called-by-name");
	message_add(condition, "status", op_status_name(answer->explicit_status));
}

/* --- a name that was cut */

/* Every possible end of the name is judged: they agree, or the answer is that nobody knows. */
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
		best = better_of(best, answer->status);
		worst = worse_of(worst, answer->status);
	}
	if (!op->completion_count || best != worst) {
		*answer = (struct answer){ .status = OP_UNKNOWN, .via = STR(""), .detail = STR("") };
		condition = trial_condition(trial, "op-name-cut");
		message_add_number(condition, trial->judge->arena, "names", (int64_t)op->completion_count);
		best = op->completion_count ? best : OP_NATIVE;
	}
	*trial->judgement = (struct judgement){
		.status = answer->status, .best = best, .worst = answer->status, .flags = answer->flags | FLAG_INFERRED
	};
	return 0;
}

/* --- the verdict */

void verdict_put_flags(struct arena *arena, unsigned flags, struct result_verdict *ret)
{
	ret->flags = arena_alloc(arena, OP_FLAG_COUNT * sizeof(ret->flags[0]));
	for (unsigned i = 0; i < OP_FLAG_COUNT; i++) {
		if (flags & 1u << i)
			ret->flags[ret->flag_count++] = op_flag_name(i);
	}
}

void verdict_put_evidence(struct arena *arena, const struct answer *answer, struct result_verdict *ret)
{
	ret->evidence = arena_alloc(arena, (answer->evidence_count + 1) * sizeof(ret->evidence[0]));
	for (size_t i = 0; i < answer->evidence_count; i++) {
		const struct evidence *evidence = &answer->evidence[i];

		ret->evidence[ret->evidence_count++] = (struct result_evidence){ evidence_kind_name(evidence->kind),
			arena_keep(arena, evidence->ref), arena_keep(arena, evidence->text),
			arena_keep(arena, evidence->date) };
	}
}

/* The first release of a run, or the first stable one. */
static const struct release *first_in(const struct transition *run, bool stable)
{
	for (const struct release *release = run->release; release <= run->last; release++) {
		if (!stable || release->kind == RELEASE_FINAL)
			return release;
	}
	return NULL;
}

/* The next release after this one that runs the operator on the device: a stable one, unless only others do. */
static const struct release *better_release(const struct history *history, const struct target *target)
{
	for (unsigned stable = 2; stable-- > 0;) {
		for (size_t i = 0; i < history->count; i++) {
			const struct transition *run = &history->transitions[i];
			const struct release *first = first_in(run, stable);

			if (first && run->release->place > target->release->place &&
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
	if (trial->judge->skip_history && judgement_runs_on_device(trial->judgement->status))
		return 0;
	status = resolve_history(trial->judge->resolver, trial->target,
		&(struct op_query){ op->ns, op->base, trial->overload, trial->reading }, &history, trial->err);
	if (status)
		return status;
	trial->verdict->since = release_id(trial, history.since);
	trial->verdict->until = release_id(trial, history.until);
	if (!judgement_runs_on_device(trial->judgement->status))
		trial->judgement->better = better_release(&history, trial->target);
	return 0;
}

static void add_advice(struct trial *trial, const char *id, const char *name, struct str value)
{
	enum { MAX_ADVICE = 4 };
	struct result_verdict *verdict = trial->verdict;

	if (!verdict->advice)
		verdict->advice = arena_alloc(trial->judge->arena, MAX_ADVICE * sizeof(verdict->advice[0]));
	verdict->advice[verdict->advice_count] = message_of(id);
	message_add_copy(&verdict->advice[verdict->advice_count++], trial->judge->arena, name, value);
}

/* Facts separate several operators by ";". */
static void advise_equivalents(struct trial *trial, struct str list)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < list.len; i++)
		buf_add(&text, list.ptr[i] == ';' ? STR(", ") : str_sub(list, i, i + 1));
	add_advice(trial, "advice-equivalent", "operators", buf_str(&text));
}

static void put_advice(struct trial *trial)
{
	const struct judgement *judgement = trial->judgement;

	if (judgement_runs_on_device(judgement->worst))
		return;
	if (judgement->status == OP_NEEDS_PACKAGE && judgement->package.len)
		add_advice(trial, judgement->flags & FLAG_INFERRED ? "advice-package-of" : "advice-package", "package",
			judgement->package);
	if (judgement->equivalents.len)
		advise_equivalents(trial, judgement->equivalents);
	if (judgement->better)
		add_advice(trial, "advice-release", "release", judgement->better->id);
	if (judgement->status == OP_UNKNOWN && judgement->known_in.len)
		add_advice(trial, "advice-known-in", "versions", judgement->known_in);
}

/* Whoever asks about a name without a dump sees the recipes for values and dtypes, too. */
static void put_recipes(struct trial *trial)
{
	const struct judge *judge = trial->judge;
	unsigned limits = FLAG_DTYPE_LIMITED | FLAG_REPORTED_BROKEN | FLAG_AICPU;
	struct recipe_case what = { .name = trial->op->name,
		.release = trial->target->release,
		.off_device = !judgement_runs_on_device(trial->judgement->worst) ||
			      (trial->judgement->flags & FLAG_HOST_PATH),
		.by_shapes = !judge->profile,
		.by_dtype = !judge->profile || (trial->judgement->flags & limits) };

	recipes_advise(judge->arena, resolver_db(judge->resolver), &what, &trial->verdict->advice,
		&trial->verdict->advice_count);
}

/* Asks about the only overload that the calls can be, where the release has it, else about the name as a whole. */
static int ask_database(struct trial *trial, struct answer *answer)
{
	const struct op *op = trial->op;
	struct resolver *resolver = trial->judge->resolver;
	struct op_query query = { op->ns, op->base, judge_only_overload(trial), trial->reading };
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
	return status;
}

static int ask(struct trial *trial, struct answer *answer)
{
	int status;

	if (trial->op->completion_count || str_ends(trial->op->name, STR("...")))
		return judge_completions(trial, answer);
	status = ask_database(trial, answer);
	if (status)
		return status;
	*trial->judgement = (struct judgement){
		.status = answer->status, .best = answer->status, .worst = answer->status, .flags = answer->flags
	};
	trial->verdict->via = arena_keep(trial->judge->arena, answer->via);
	judge_overloads(trial, answer);
	judge_reading(trial, answer);
	judge_limits(trial, answer);
	return 0;
}

/* A name of another backend that no composite in the dump chose is judged as called by the program, and says so. */
static void say_reading(struct trial *trial)
{
	struct buf text = BUF_UNLIMITED;

	if (trial->reading != READING_EXPLICIT)
		return;
	buf_printf(&text, "called by name: %.*s", STR_ARG(trial->verdict->via));
	trial->verdict->via = arena_keep(trial->judge->arena, buf_str(&text));
	buf_clear(&text);
}

static int judge_trial(struct trial *trial)
{
	struct judgement *judgement = trial->judgement;
	struct answer answer = { 0 };
	int status;

	*trial->verdict = (struct result_verdict){ .via = STR(""), .since = STR(""), .until = STR("") };
	status = ask(trial, &answer);
	if (status)
		return status;
	say_reading(trial);
	judgement->explicit_status = answer.explicit_status;
	judgement->package = answer.package;
	judgement->package_has_it = answer.package_has_it;
	judgement->equivalents = answer.equivalents;
	judgement->known_in = answer.known_in;
	if (judgement->status == OP_UNKNOWN) /* nothing is known: it may turn out to run */
		judgement->best = OP_NATIVE;
	if (trial->judge->brief)
		return 0;
	status = put_history(trial);
	if (status)
		return status;
	trial->verdict->target = arena_keep(trial->judge->arena, str_from(trial->target->id));
	trial->verdict->status = op_status_name(judgement->status);
	verdict_put_flags(trial->judge->arena, trial->judgement->flags, trial->verdict);
	verdict_put_evidence(trial->judge->arena, &answer, trial->verdict);
	put_advice(trial);
	put_recipes(trial);
	return 0;
}

int judge_operator(const struct judge *judge, size_t index, const struct target *target, struct result_verdict *ret,
	struct judgement *ret_judgement, struct err *err)
{
	struct trial trial = { .judge = judge,
		.op = &judge->operators->items[index],
		.index = index,
		.target = target,
		.overload = STR(""),
		.reading = READING_REACHED,
		.verdict = ret,
		.judgement = ret_judgement,
		.err = err };

	if (!judge->rows_hidden && called_by_name(judge, trial.op))
		trial.reading = READING_EXPLICIT;
	return judge_trial(&trial);
}

int judge_name(struct arena *arena, struct resolver *resolver, const struct target *target, struct str name,
	struct str overload, enum reading reading, struct result_verdict *ret, struct judgement *ret_judgement,
	struct err *err)
{
	size_t ns_len = str_find(name, STR("::"));
	struct op op = { .name = name, .ns = str_sub(name, 0, ns_len), .base = str_skip(name, ns_len + 2) };
	struct judge judge = { .arena = arena, .resolver = resolver };
	struct trial trial = { .judge = &judge,
		.op = &op,
		.target = target,
		.overload = overload,
		.reading = reading,
		.verdict = ret,
		.judgement = ret_judgement,
		.err = err };

	return judge_trial(&trial);
}
