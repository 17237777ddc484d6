#include "assess/judge.h"

#include "assess/recipes.h"
#include "base/mem.h"
#include "opdb/dtype.h"
#include "opdb/overlay.h"

enum { MAX_OVERLOADS = 16, MAX_CONDITIONS = 6 };

bool judgement_runs_on_device(enum op_status status)
{
	return op_status_class(status) == CLASS_DEVICE;
}

bool judgement_runs(enum op_status status)
{
	return op_status_class(status) <= CLASS_CPU;
}

/* One operator on one target, under way. */
struct trial {
	const struct judge *judge;
	const struct operator *operator;
	const struct target *target;
	struct str overload; /* "": the name as a whole */
	enum reading reading;
	struct result_verdict *verdict;
	struct judgement *judgement;
	struct err *err;
};

static enum op_status better_of(enum op_status a, enum op_status b)
{
	return a < b ? a : b;
}

static enum op_status worse_of(enum op_status a, enum op_status b)
{
	return a > b ? a : b;
}

/* Notes that the answer may be another one: statuses of one class differ in nothing that counts. */
static void widen(struct judgement *judgement, enum op_status status)
{
	judgement->best = better_of(judgement->best, status);
	judgement->worst = worse_of(judgement->worst, status);
}

static struct message *add_condition(struct trial *trial, const char *id)
{
	struct result_verdict *verdict = trial->verdict;

	if (!verdict->conditions)
		verdict->conditions = arena_alloc(trial->judge->arena, MAX_CONDITIONS * sizeof(verdict->conditions[0]));
	verdict->conditions[verdict->condition_count] = message_of(id);
	message_add_copy(&verdict->conditions[verdict->condition_count], trial->judge->arena, "operator", trial->operator->name);
	message_add_copy(&verdict->conditions[verdict->condition_count], trial->judge->arena, "target",
		str_from(trial->target->id));
	return &verdict->conditions[verdict->condition_count++];
}

/* --- which reading */

struct recorded_names {
	const struct operators *operators;
};

static bool is_recorded(void *ctx, struct str name)
{
	const struct operators *operators = ((struct recorded_names *)ctx)->operators;

	for (size_t i = 0; i < operators->count; i++) {
		if (str_eq(operators->items[i].name, name))
			return true;
	}
	return false;
}

static bool called_by_name(const struct judge *judge, const struct operator *operator)
{
	struct recorded_names names = { judge->operators };

	return resolve_called_by_name(judge->resolver, operator->ns, operator->base, is_recorded, &names);
}

/* --- overloads that the dump names */

static void add_overload(struct trial *trial, struct str name, enum op_status status)
{
	struct result_verdict *verdict = trial->verdict;

	if (!verdict->overloads)
		verdict->overloads = arena_alloc(trial->judge->arena, MAX_OVERLOADS * sizeof(verdict->overloads[0]));
	if (verdict->overload_count < MAX_OVERLOADS)
		verdict->overloads[verdict->overload_count++] =
			(struct result_overload){ arena_keep(trial->judge->arena, name), op_status_name(status) };
}

static bool listed(const struct str *names, size_t count, struct str name)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq(names[i], name))
			return true;
	}
	return false;
}

/* The different overloads that the dump names; 0 when some call does not tell its overload, or there are too many. */
static size_t named_overloads(const struct trial *trial, struct str *ret)
{
	size_t use_count, count = 0;
	const struct profile_use *uses;

	if (!trial->judge->profile)
		return 0;
	uses = profile_uses(trial->judge->profile, &use_count);
	for (size_t i = 0; i < trial->operator->use_count; i++) {
		const struct profile_use *use = &uses[trial->operator->uses[i]];

		if (!use->calls || listed(ret, count, use->overload))
			continue;
		if (!use->has_overload || count == MAX_OVERLOADS)
			return 0;
		ret[count++] = use->overload;
	}
	return count;
}

/* "add.Tensor", or "add" for the overload without a name. */
static struct str overload_name(struct arena *arena, struct str base, struct str overload)
{
	struct buf text = BUF_INIT(SIZE_MAX / 2);
	struct str name;

	buf_printf(&text, "%.*s%s%.*s", STR_ARG(base), overload.len ? "." : "", STR_ARG(overload));
	name = arena_keep(arena, buf_str(&text));
	buf_clear(&text);
	return name;
}

static const struct overload_answer *find_overload(const struct answer *answer, struct str name)
{
	for (size_t i = 0; i < answer->overload_count; i++) {
		if (str_eq(answer->overloads[i].name, name))
			return &answer->overloads[i];
	}
	return NULL;
}

/* The worst of the overloads that the dump names; false when it names none that the release knows. */
static bool judge_named(struct trial *trial, const struct answer *answer)
{
	struct str names[MAX_OVERLOADS];
	size_t count = named_overloads(trial, names);
	const struct overload_answer *worst = NULL;

	for (size_t i = 0; i < count; i++) {
		struct str name = overload_name(trial->judge->arena, trial->operator->base, names[i]);
		const struct overload_answer *found = find_overload(answer, name);

		if (!found)
			return false;
		add_overload(trial, found->name, found->status);
		if (!worst || found->status > worst->status)
			worst = found;
	}
	if (!worst)
		return false;
	*trial->judgement = (struct judgement){ .status = worst->status, .best = worst->status, .worst = worst->status,
		.flags = worst->flags | (answer->flags & ~(unsigned)FLAG_MIXED_OVERLOADS) };
	trial->verdict->via = arena_keep(trial->judge->arena, worst->via);
	return true;
}

/* --- overloads that it does not name */

/* Overloads whose status is of another class than the answer's: one of them may be meant. */
static void judge_unnamed(struct trial *trial, const struct answer *answer)
{
	struct buf others = BUF_INIT(256);
	enum op_status worst = answer->status;

	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *overload = &answer->overloads[i];

		if (overload->aside || overload->status == answer->status)
			continue;
		add_overload(trial, overload->name, overload->status);
		if (op_status_class(overload->status) == op_status_class(answer->status))
			continue;
		widen(trial->judgement, overload->status);
		if (overload->status > answer->status) {
			worst = worse_of(worst, overload->status);
			buf_printf(&others, "%s%.*s", others.len ? ", " : "", STR_ARG(overload->name));
		}
	}
	if (others.len) {
		struct message *condition = add_condition(trial, "op-overload");

		message_add_copy(condition, trial->judge->arena, "overloads", buf_str(&others));
		message_add(condition, "status", op_status_name(worst));
	}
	buf_clear(&others);
}

/* A composite that chose this operator may be among the rows that are missing, or not. */
static void judge_reading(struct trial *trial, const struct answer *answer)
{
	struct message *condition;

	if (answer->status != OP_EQUIVALENT || !trial->judge->rows_hidden ||
		!called_by_name(trial->judge, trial->operator) ||
		op_status_class(answer->explicit_status) == op_status_class(answer->status))
		return;
	widen(trial->judgement, answer->explicit_status);
	condition = add_condition(trial, "op-called-by-name");
	message_add(condition, "status", op_status_name(answer->explicit_status));
}

/* --- what reports and documents say */

/* A report on this very release: what is certain, and what is possible. */
static void judge_reported(struct trial *trial, const struct answer *answer)
{
	enum op_status other = answer->certain != answer->status ? answer->certain : answer->best;

	if (other == answer->status)
		return;
	widen(trial->judgement, other);
	if (op_status_class(other) != op_status_class(answer->status))
		message_add(add_condition(trial, "op-reported"), "status", op_status_name(other));
}

/* The types of the arguments of one use, such as "['float', 'long int']"; 0 when they are not told. */
static unsigned types_in(struct str list)
{
	unsigned types = 0;

	for (size_t from = 0, to; from < list.len; from = to + 1) {
		for (to = from; to < list.len && !str_has(STR(",[]'\""), str_sub(list, to, to + 1)); to++)
			;
		types |= dtype_from(str_trim(str_sub(list, from, to)));
	}
	return types;
}

/* The types that the dump shows for the operator; 0 when some call does not tell. */
static unsigned types_shown(const struct trial *trial)
{
	unsigned types = 0;
	size_t use_count;
	const struct profile_use *uses = profile_uses(trial->judge->profile, &use_count);

	for (size_t i = 0; i < trial->operator->use_count; i++) {
		const struct profile_use *use = &uses[trial->operator->uses[i]];
		unsigned shown = types_in(use->dtypes);

		if (use->calls && !shown)
			return 0;
		types |= shown;
	}
	return types;
}

static void add_types(struct trial *trial, unsigned types)
{
	struct buf text = BUF_INIT(256);

	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		if (types >> i & 1)
			buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(dtype_name(i)));
	}
	message_add_copy(add_condition(trial, "op-dtype"), trial->judge->arena, "dtypes", buf_str(&text));
	buf_clear(&text);
}

/* A limit counts where the dump shows a type that is refused. Nearly every operator refuses some type: of a dump that
   shows none nothing follows, and the limit stays with the operator, where `opcheck op` shows it. */
static void judge_types(struct trial *trial, const struct answer *answer)
{
	unsigned shown;

	if (!(answer->flags & (FLAG_DTYPE_LIMITED | FLAG_AICPU)) || !trial->judge->profile)
		return;
	shown = types_shown(trial);
	if (!(shown & answer->slow) && answer->slow != DTYPE_ALL)
		trial->judgement->flags &= ~(unsigned)FLAG_AICPU;
	if (!(shown & answer->refused)) {
		trial->judgement->flags &= ~(unsigned)FLAG_DTYPE_LIMITED;
		return;
	}
	add_types(trial, shown & answer->refused);
	widen(trial->judgement, OP_UNSUPPORTED);
}

/* A limit of the very chip that the target names; where it names none, the flag is all there is to say. */
static void judge_chip(struct trial *trial, const struct answer *answer)
{
	if (!(answer->flags & FLAG_SOC_LIMITED) || !trial->target->chip)
		return;
	add_condition(trial, "op-chip");
	widen(trial->judgement, OP_UNSUPPORTED);
}

/* --- what the site itself says */

/* What an overlay says of some types, or of a chip that nobody named, may apply, unless the dump shows other types. */
static void judge_site(struct trial *trial, const struct answer *answer)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(SIZE_MAX / 2);
	unsigned shown = answer->site_limit_count && trial->judge->profile ? types_shown(trial) : 0;

	trial->judgement->flags |= answer->site_flags;
	for (size_t i = 0; i < answer->site_limit_count; i++) {
		const struct site_limit *limit = &answer->site_limits[i];

		if (limit->dtypes && shown && !(limit->dtypes & shown))
			continue;
		buf_printf(&text, "%s%.*s", text.len ? "; " : "", STR_ARG(limit->text));
		trial->judgement->flags |= limit->flags;
		if (limit->has_status)
			widen(trial->judgement, limit->status);
	}
	if (text.len)
		message_add_copy(add_condition(trial, "op-overlay-limit"), trial->judge->arena, "limits", buf_str(&text));
}

/* --- a name that was cut */

/* Every possible end of the name is judged: they agree, or the answer is that nobody knows. */
static int judge_completions(struct trial *trial, struct answer *answer)
{
	const struct operator *operator = trial->operator;
	enum op_status best = OP_UNKNOWN, worst = OP_NATIVE;
	struct message *condition;
	int status;

	for (size_t i = 0; i < operator->completion_count; i++) {
		struct str base = str_skip(operator->completions[i], operator->ns.len + 2);

		status = resolve_base(trial->judge->resolver, trial->target, operator->ns, base, STR(""), trial->reading, answer,
			trial->err);
		if (status)
			return status;
		best = better_of(best, answer->status);
		worst = worse_of(worst, answer->status);
	}
	if (!operator->completion_count || best != worst) {
		*answer = (struct answer){ .status = OP_UNKNOWN, .via = STR(""), .detail = STR("") };
		condition = add_condition(trial, "op-name-cut");
		message_add_number(condition, trial->judge->arena, "names", (int64_t)operator->completion_count);
		best = operator->completion_count ? best : OP_NATIVE;
	}
	*trial->judgement = (struct judgement){ .status = answer->status, .best = best, .worst = answer->status,
		.flags = answer->flags | FLAG_INFERRED };
	return 0;
}

/* --- the verdict */

static void put_flags(struct trial *trial)
{
	struct result_verdict *verdict = trial->verdict;

	verdict->flags = arena_alloc(trial->judge->arena, OP_FLAG_COUNT * sizeof(verdict->flags[0]));
	for (unsigned i = 0; i < OP_FLAG_COUNT; i++) {
		if (trial->judgement->flags & (1u << i))
			verdict->flags[verdict->flag_count++] = op_flag_name(i);
	}
}

static void put_evidence(struct trial *trial, const struct answer *answer)
{
	struct result_verdict *verdict = trial->verdict;

	verdict->evidence = arena_alloc(trial->judge->arena, (answer->evidence_count + 1) * sizeof(verdict->evidence[0]));
	for (size_t i = 0; i < answer->evidence_count; i++) {
		const struct evidence *evidence = &answer->evidence[i];

		verdict->evidence[verdict->evidence_count++] = (struct result_evidence){ evidence_kind_name(evidence->kind),
			arena_keep(trial->judge->arena, evidence->ref), arena_keep(trial->judge->arena, evidence->text),
			arena_keep(trial->judge->arena, evidence->date) };
	}
}

/* The next release after this one that runs the operator on the device. */
static const struct release *better_release(const struct history *history, const struct target *target)
{
	for (size_t i = 0; i < history->count; i++) {
		const struct transition *transition = &history->transitions[i];

		if (transition->release->place > target->release->place && judgement_runs_on_device(transition->status))
			return transition->release;
	}
	return NULL;
}

static struct str release_id(const struct trial *trial, const struct release *release)
{
	return release ? arena_keep(trial->judge->arena, release->id) : STR("");
}

static int put_history(struct trial *trial)
{
	const struct operator *operator = trial->operator;
	struct history history;
	int status;

	if (operator->completion_count)
		return 0;
	if (trial->judge->skip_history && judgement_runs_on_device(trial->judgement->status))
		return 0;
	status = resolve_history(trial->judge->resolver, trial->target, operator->ns, operator->base, trial->overload,
		trial->reading, &history, trial->err);
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
	CLEANUP(buf_clear) struct buf text = BUF_INIT(SIZE_MAX / 2);

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
	struct recipe_case what = { .name = trial->operator->name, .release = trial->target->release,
		.off_device = !judgement_runs_on_device(trial->judgement->worst) || (trial->judgement->flags & FLAG_HOST_PATH),
		.by_shapes = !judge->profile,
		.by_dtype = !judge->profile || (trial->judgement->flags & limits) };

	recipes_advise(judge->arena, resolver_db(judge->resolver), &what, &trial->verdict->advice,
		&trial->verdict->advice_count);
}

static int ask(struct trial *trial, struct answer *answer)
{
	const struct operator *operator = trial->operator;
	int status;

	if (operator->completion_count || str_ends(operator->name, STR("...")))
		return judge_completions(trial, answer);
	status = resolve_base(trial->judge->resolver, trial->target, operator->ns, operator->base, trial->overload, trial->reading,
		answer, trial->err);
	if (status)
		return status;
	if (!trial->judge->profile)
		status = resolve_leaves(trial->judge->resolver, trial->target, operator->ns, operator->base, trial->overload,
			trial->reading, answer, trial->err);
	if (status)
		return status;
	*trial->judgement = (struct judgement){ .status = answer->status, .best = answer->status, .worst = answer->status,
		.flags = answer->flags };
	trial->verdict->via = arena_keep(trial->judge->arena, answer->via);
	if (!judge_named(trial, answer)) {
		trial->verdict->overload_count = 0;
		judge_unnamed(trial, answer);
	}
	judge_reading(trial, answer);
	judge_reported(trial, answer);
	judge_types(trial, answer);
	judge_chip(trial, answer);
	judge_site(trial, answer);
	return 0;
}

/* A name of another backend that no composite in the dump chose is judged as called by the program, and says so. */
static void say_reading(struct trial *trial)
{
	struct buf text = BUF_INIT(SIZE_MAX / 2);

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
	put_flags(trial);
	put_evidence(trial, &answer);
	put_advice(trial);
	put_recipes(trial);
	return 0;
}

int judge_operator(const struct judge *judge, size_t index, const struct target *target, struct result_verdict *ret,
	struct judgement *ret_judgement, struct err *err)
{
	struct trial trial = { .judge = judge, .operator = &judge->operators->items[index], .target = target,
		.overload = STR(""), .reading = READING_REACHED, .verdict = ret, .judgement = ret_judgement, .err = err };

	if (!judge->rows_hidden && called_by_name(judge, trial.operator))
		trial.reading = READING_EXPLICIT;
	return judge_trial(&trial);
}

int judge_name(struct arena *arena, struct resolver *resolver, const struct target *target, struct str name,
	struct str overload, enum reading reading, struct result_verdict *ret, struct judgement *ret_judgement,
	struct err *err)
{
	size_t ns_len = str_find(name, STR("::"));
	struct operator operator = { .name = name, .ns = str_sub(name, 0, ns_len), .base = str_skip(name, ns_len + 2) };
	struct judge judge = { .arena = arena, .resolver = resolver };
	struct trial trial = { .judge = &judge, .operator = &operator, .target = target, .overload = overload,
		.reading = reading, .verdict = ret, .judgement = ret_judgement, .err = err };

	return judge_trial(&trial);
}
