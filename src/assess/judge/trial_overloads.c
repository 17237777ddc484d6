#include "assess/judge/trial_overloads.h"

#include "base/memory/mem.h"
#include "opdb/model/fact.h"

/* --- what may be called */

/* The answer about an overload of the operator. */
static const struct overload_answer *find_overload(const struct answer *answer, struct str overload)
{
	return FIND(
		i, answer->overloads, answer->overload_count, str_eq(overload_of(answer->overloads[i].name), overload));
}

static const struct overload_choice *choice_of(const struct trial *trial)
{
	const struct call_facts *call_facts = trial->judge->call_facts;

	return call_facts ? &call_facts->choices[trial->index] : NULL;
}

/* Every overload that some call may be; 0 when nothing is known of some call. */
static uint64_t all_fits(const struct overload_choice *choice)
{
	uint64_t fits = 0;

	for (size_t i = 0; choice && i < choice->set_count; i++) {
		if (!choice->sets[i].fits)
			return 0;
		fits |= choice->sets[i].fits;
	}
	return fits;
}

/* Returns whether every signature of an overload writes into an argument "out=". */
static bool is_out(const struct known_overloads *known, unsigned overload)
{
	bool out = false;

	for (size_t i = 0; i < known->signature_count; i++) {
		if (known->signatures[i].overload == overload && !known->signatures[i].out)
			return false;
		out |= known->signatures[i].overload == overload;
	}
	return out;
}

struct str trial_only_overload(const struct trial *trial)
{
	const struct overload_choice *choice = choice_of(trial);
	uint64_t fits = all_fits(choice);
	unsigned overload = fits ? (unsigned)__builtin_ctzll(fits) : 0;

	if (!fits || fits & (fits - 1) || choice->known.count == 1 || is_out(&choice->known, overload))
		return STR("");
	return choice->known.names[overload];
}

static void list_overload(struct trial *trial, const struct overload_answer *overload)
{
	struct result_verdict *verdict = &trial->judgement->verdict;

	if (!verdict->overloads)
		verdict->overloads = arena_alloc(trial->judge->arena, MAX_OVERLOADS * sizeof(verdict->overloads[0]));
	if (verdict->overload_count < MAX_OVERLOADS)
		verdict->overloads[verdict->overload_count++] = (struct result_overload){
			arena_keep(trial->judge->arena, overload->name), overload->status
		};
}

/* Overloads that are worse than what is reported, as the condition that one of them is meant. */
static void say_worse(
	struct trial *trial, const char *id, const struct overload_answer *const *overloads, size_t count, bool aside)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	enum op_status status = trial->judgement->verdict.status, worst = status;
	struct message *condition;

	for (size_t i = 0; i < count; i++) {
		if (overloads[i]->aside != aside || overloads[i]->status <= status ||
			op_status_class(overloads[i]->status) == op_status_class(status))
			continue;
		worst = overloads[i]->status > worst ? overloads[i]->status : worst;
		buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(overloads[i]->name));
	}
	if (!names.len)
		return;
	condition = trial_condition(trial, id);
	message_add_copy(condition, trial->judge->arena, "overloads", buf_str(&names));
	message_add(condition, "status", op_status_name(worst));
}

/* --- calls that name their overload, or show which it is */

/* Judge one set of overloads for its calls: every call is made, so the worst of the sets counts for the operator. */
struct outcome {
	enum op_status likely, best, worst;
	unsigned flags;
	struct str via;
	bool mixed;
};

static void add_status(struct outcome *ret, enum op_status status, unsigned flags, struct str via, bool likely)
{
	ret->best = status < ret->best ? status : ret->best;
	ret->worst = status > ret->worst ? status : ret->worst;
	if (likely) {
		ret->likely = status;
		ret->flags = flags;
		ret->via = via;
	}
}

/* A variant with "out=" is mostly called by the CPU kernel of another operator, which the device has its own for: it
   runs as the name does, or as the variant. */
static bool outcome_of(
	const struct trial *trial, const struct answer *answer, const struct overload_set *set, struct outcome *ret)
{
	const struct overload_choice *choice = choice_of(trial);

	*ret = (struct outcome){ .likely = OP_UNKNOWN, .best = OP_UNKNOWN, .worst = OP_NATIVE, .via = STR("") };
	for (unsigned i = 0; i < choice->known.count; i++) {
		const struct overload_answer *found;

		if (!(set->fits >> i & 1))
			continue;
		found = find_overload(answer, choice->known.names[i]);
		if (!found)
			return false; /* the release has it not: its programs call another one */
		if (found->aside && !answer->overloads[0].aside) {
			add_status(ret, answer->status, answer->flags, answer->via, i == set->likely);
			ret->worst = found->status > ret->worst ? found->status : ret->worst;
		} else {
			add_status(ret, found->status, found->flags, found->via, i == set->likely);
			ret->mixed = ret->best != ret->worst;
		}
	}
	return true;
}

static void join_outcome(struct outcome *all, const struct outcome *one)
{
	enum op_status best = one->best > all->best ? one->best : all->best;
	enum op_status worst = one->worst > all->worst ? one->worst : all->worst;
	bool mixed = all->mixed || one->mixed;

	if (!all->via.ptr || one->likely > all->likely)
		*all = *one;
	all->best = best;
	all->worst = worst;
	all->mixed = mixed;
}

/* "registered; overload recorded: add.Tensor", "... the only overload that fits, by shapes: view" */
static void say_how(struct trial *trial, const struct overload_choice *choice, uint64_t fits)
{
	static const char *const hows[] = { [OVERLOAD_RECORDED] = "recorded",
		[OVERLOAD_BY_TYPES] = "by dtypes and shapes",
		[OVERLOAD_BY_SHAPES] = "by shapes" };
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	const char *what = "overloads that fit, ";
	enum overload_by by = OVERLOAD_RECORDED;
	bool sure = true;

	for (unsigned i = 0; i < choice->known.count; i++) {
		struct str overload = choice->known.names[i];

		if (fits >> i & 1)
			buf_printf(&names, "%s%.*s%s%.*s", names.len ? ", " : "", STR_ARG(trial->op->base),
				overload.len ? "." : "", STR_ARG(overload));
	}
	for (size_t i = 0; i < choice->set_count; i++) {
		by = choice->sets[i].by > by ? choice->sets[i].by : by;
		sure = sure && !(choice->sets[i].fits & (choice->sets[i].fits - 1));
	}
	if (by == OVERLOAD_RECORDED)
		what = "overload ";
	else if (sure)
		what = fits & (fits - 1) ? "each the only overload that fits, " : "the only overload that fits, ";
	trial_via(trial, "%s%s: %s", what, hows[by], buf_text(&names));
}

/* False when some call does not tell, or tells an overload that the release lacks. */
static bool judge_chosen(struct trial *trial, const struct answer *answer)
{
	const struct overload_choice *choice = choice_of(trial);
	const struct overload_answer *chosen[NAME_OVERLOADS];
	size_t chosen_count = 0;
	uint64_t fits = all_fits(choice);
	struct outcome all = { .best = OP_NATIVE, .worst = OP_NATIVE }, one;
	unsigned flags = answer->flags & ~(unsigned)FLAG_MIXED_OVERLOADS;

	if (!fits)
		return false;
	for (size_t i = 0; i < choice->set_count; i++) {
		if (!outcome_of(trial, answer, &choice->sets[i], &one))
			return false;
		join_outcome(&all, &one);
	}
	trial_start(trial, all.likely, all.flags | flags | (all.mixed ? FLAG_MIXED_OVERLOADS : 0u));
	trial_widen(trial, all.best);
	trial_widen(trial, all.worst);
	if (trial->judge->brief)
		return true;
	trial->judgement->verdict.via = arena_keep(trial->judge->arena, all.via);
	if (SUM(i, choice->known.count, !is_out(&choice->known, i)) > 1) /* a call by the name may mean several */
		say_how(trial, choice, fits);
	for (unsigned i = 0; i < choice->known.count; i++) {
		if (!(fits >> i & 1))
			continue;
		chosen[chosen_count] = find_overload(answer, choice->known.names[i]);
		list_overload(trial, chosen[chosen_count++]);
	}
	say_worse(trial, "op-overload", chosen, chosen_count, false);
	say_worse(trial, "op-out-variant", chosen, chosen_count, true);
	return true;
}

/* --- calls that do not */

void trial_overloads(struct trial *trial, const struct answer *answer)
{
	const struct overload_answer *others[MAX_OVERLOADS]; /* of another status: one of them may be meant */
	size_t count = 0;

	if (judge_chosen(trial, answer))
		return;
	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *overload = &answer->overloads[i];

		if (overload->aside || overload->status == answer->status)
			continue;
		list_overload(trial, overload);
		if (!overload->wraps || overload->status > answer->status) /* it runs no better than what it calls */
			trial_widen(trial, overload->status);
		if (count < MAX_OVERLOADS)
			others[count++] = overload;
	}
	say_worse(trial, "op-overload", others, count, false);
}
