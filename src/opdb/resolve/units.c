#include "opdb/resolve/units.h"

#include <string.h>

#include "base/memory/mem.h"
#include "opdb/model/dtype.h"

/* Facts on one type, over the overloads that may be meant. */
struct type_unit {
	enum unit unit;
	const struct unit_fact *fact;
};

struct unit_search {
	const struct question *question;
	const struct name_facts *name;
	unsigned chip;
	struct type_unit types[DTYPE_COUNT];
	bool writes;  /* into a tensor that the program gives: the last step may be a copy between layouts */
	bool nearest; /* a fact is of another version of CANN than the release's */
};

/* --- one overload */

static bool is_about(const struct unit_fact *fact, const struct overload *op, unsigned chip)
{
	return fact->chips >> chip & 1 && str_eq(fact->op, op->op);
}

static unsigned distance(const struct unit_fact *fact, unsigned place)
{
	return place < fact->first ? fact->first - place : place > fact->last ? place - fact->last : 0;
}

/* The version of CANN nearest to the release's with facts on the overload; false without one. */
static bool nearest_place(const struct unit_search *search, const struct overload *op, unsigned chip, unsigned *ret)
{
	unsigned place = search->question->release->cann_place, best = UINT32_MAX;

	for (const struct unit_fact *fact = search->name->units->items; fact; fact = fact->next) {
		unsigned away = is_about(fact, op, chip) ? distance(fact, place) : UINT32_MAX;

		if (away > best || (away == best && fact->first > place))
			continue;
		if (away != UINT32_MAX)
			*ret = place < fact->first ? fact->first : place > fact->last ? fact->last : place;
		best = away;
	}
	return best != UINT32_MAX;
}

/* The verdict on a type for calls of either kind. A type that some overload takes is not rejected. */
static struct type_unit join_units(struct type_unit a, struct type_unit b)
{
	bool slow = a.unit == UNIT_AICPU || a.unit == UNIT_MIXED || b.unit == UNIT_AICPU || b.unit == UNIT_MIXED;

	if (a.unit == UNIT_UNKNOWN || a.unit == UNIT_REJECTED || a.unit == b.unit)
		return b.unit == UNIT_UNKNOWN ? a : b;
	if (b.unit == UNIT_UNKNOWN || b.unit == UNIT_REJECTED)
		return a;
	if (!slow)
		return a.unit > b.unit ? a : b;
	return (struct type_unit){ UNIT_MIXED, a.unit == UNIT_AICPU || a.unit == UNIT_MIXED ? a.fact : b.fact };
}

/* Properties of an overload on a release: a kernel exists; it calls CANN's API, else an ACL operator; the overload
   writes into the program's tensor; programs do not call it by name. */
enum manner { MANNER_RUNS = 1 << 0, MANNER_ACL_OP = 1 << 1, MANNER_WRITES = 1 << 2, MANNER_ASIDE = 1 << 3 };

static unsigned manner_on(const struct release *release, const struct name_facts *name, const struct overload *op)
{
	const struct kernel *kernel = kernel_on(op, release, name->aten);
	const struct torch_fact *fact = torch_fact_at(op, release->torch_place);
	unsigned manner = 0;

	if (kernel && (kernel->status == KERNEL_NATIVE || kernel->status == KERNEL_JIT))
		manner |= kernel->acl_op && !kernel->op_api ? MANNER_RUNS | MANNER_ACL_OP : MANNER_RUNS;
	if (fact && fact->kind != OVERLOAD_FUNCTIONAL)
		manner |= MANNER_WRITES;
	if (fact && (fact->kind == OVERLOAD_OUT || fact->autogen_of.len))
		manner |= MANNER_ASIDE;
	return manner;
}

static void add_overload(struct unit_search *search, const struct overload *op, unsigned manner)
{
	static const struct str a3 = { "910_93", 6 };
	const struct release *release = search->question->release;
	bool acl_op = manner & MANNER_ACL_OP;
	unsigned chip = search->chip, place;

	if (!(manner & MANNER_RUNS))
		return;
	if (!nearest_place(search, op, chip, &place)) {
		if (!str_eq(chip_at(TARGET_NPU, chip)->family, a3))
			return;
		chip = (unsigned)__builtin_ctz(chips_named(TARGET_NPU, STR("910B"))); /* of the same generation */
		search->nearest = true;
		if (!nearest_place(search, op, chip, &place))
			return;
	}
	search->writes |= (manner & MANNER_WRITES) != 0;
	search->nearest |= place != release->cann_place || !release->own_cann;
	for (const struct unit_fact *fact = search->name->units->items; fact; fact = fact->next) {
		if (!is_about(fact, op, chip) || distance(fact, place) || acl_op != str_eq(fact->note, STR("acl_op")))
			continue;
		for (unsigned i = 0; i < DTYPE_COUNT; i++) {
			if (fact->dtypes >> i & 1)
				search->types[i] = join_units(search->types[i], (struct type_unit){ fact->unit, fact });
		}
	}
}

/* --- the answer */

const struct unit_condition *unit_condition_of(const struct opdb *db, struct str kernel)
{
	return FIND(i, db->unit_conditions.items, db->unit_conditions.count,
		str_eq(db->unit_conditions.items[i].kernel, kernel));
}

static bool same_line(const struct type_unit *a, const struct type_unit *b)
{
	return a->unit == b->unit && str_eq(a->fact->kernels, b->fact->kernels) && str_eq(a->fact->note, b->fact->note);
}

/* One line of the answer for all types that share a verdict. */
static void put_lines(const struct unit_search *search, struct answer *ret)
{
	struct unit_answer lines[DTYPE_COUNT];
	unsigned done = 0;

	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		const struct type_unit *type = &search->types[i];
		struct unit_answer *line = &lines[ret->units.count];

		if (done >> i & 1 || type->unit == UNIT_UNKNOWN)
			continue;
		*line = (struct unit_answer){ .unit = type->unit,
			.kernels = type->fact->kernels,
			.note = type->fact->note,
			.when_en = STR(""),
			.when_zh = STR("") };
		for (unsigned k = i; k < DTYPE_COUNT; k++) {
			if (search->types[k].unit != UNIT_UNKNOWN && same_line(&search->types[k], type))
				line->dtypes |= 1u << k;
		}
		done |= line->dtypes;
		ret->units.count++;
	}
	ret->units.lines = resolver_keep(search->question->resolver, lines, ret->units.count * sizeof(lines[0]));
	ret->units.count = ret->units.lines ? ret->units.count : 0;
}

/* Returns whether each of the kernels runs on the AI CPU for strides alone. */
static bool by_stride(const struct unit_search *search, struct str kernels)
{
	const struct opdb *db = search->question->resolver->db;
	struct str kernel = { 0 };
	bool all = kernels.len;

	while (all && kernels.len && str_cut(&kernels, ' ', &kernel)) {
		const struct unit_condition *condition = unit_condition_of(db, kernel);

		all = condition && str_eq(condition->decided, STR("stride"));
	}
	return all;
}

static void put_masks(const struct unit_search *search, struct answer *ret)
{
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		enum unit unit = search->types[i].unit;
		unsigned type = 1u << i;

		if (unit == UNIT_UNKNOWN || unit == UNIT_VARIES || unit == UNIT_UNDECLARED)
			continue;
		ret->units.types |= type;
		ret->units.refused |= unit == UNIT_REJECTED ? type : 0;
		ret->slow |= unit == UNIT_AICPU ? type : 0;
		if (unit == UNIT_MIXED && by_stride(search, search->types[i].fact->kernels))
			ret->strided |= type;
		else if (unit == UNIT_MIXED || unit == UNIT_HELPER)
			ret->maybe_slow |= type;
		ret->strided |= search->writes && unit != UNIT_REJECTED && unit != UNIT_AICPU ? type : 0;
		/* a document that is silent, or another version of CANN, leaves a doubt */
		if (unit == UNIT_REJECTED && !search->nearest && !search->types[i].fact->note.len)
			ret->barred |= type;
	}
	ret->units.cann = search->question->resolver->db->cann.items[search->question->release->cann_place].name;
	ret->units.nearest = search->nearest;
}

/* The cached result of a question, copied into the next answer: computing it takes longer than the rest. */
struct unit_memo {
	struct unit_memo *next;
	const struct release *release;
	const struct chip *chip;
	struct str overload;
	bool unnamed;
	const struct answer *answer; /* its masks and its report of units; of other memos, too */
};

static struct unit_memo **memos_of(const struct question *question, const struct name_facts *name)
{
	return &name->units->memos[question->release->cann_place % ARRAY_SIZE(name->units->memos)];
}

/* Returns whether two releases have the same units: both use one version of CANN and do the same with every
   overload. */
static bool same_units(const struct name_facts *name, const struct release *a, const struct release *b)
{
	bool same = a->cann_place == b->cann_place && a->own_cann == b->own_cann;

	for (const struct overload *op = name->overloads; op && same; op = op->next)
		same = manner_on(a, name, op) == manner_on(b, name, op);
	return same;
}

/* The memo of the question, or of one about a release with the same units. */
static const struct unit_memo *find_memo(
	const struct question *question, const struct name_facts *name, struct str overload, bool same_release)
{
	const struct unit_memo *memo = *memos_of(question, name);

	while (memo && !(memo->chip == question->chip && memo->unnamed == question->unnamed &&
			       str_eq(memo->overload, overload) &&
			       (same_release ? memo->release == question->release
					     : same_units(name, memo->release, question->release))))
		memo = memo->next;
	return memo;
}

static bool name_converts(const struct opdb *db, const struct name_facts *name)
{
	const struct operator_rule *rules = db->operator_rules.items;

	return name->aten && ANY(i, db->operator_rules.count,
				     rules[i].kind == RULE_CONVERTS && str_starts(rules[i].name, STR("aten::")) &&
					     str_eq(str_skip(rules[i].name, strlen("aten::")), name->base));
}

/* Casts of one that copies between types; NULL for any other. */
static const unsigned *slow_casts_of(const struct unit_search *search)
{
	struct resolver *resolver = search->question->resolver;
	const struct opdb *db = resolver->db;
	unsigned place = search->question->release->cann_place, *types;

	if (!name_converts(db, search->name))
		return NULL;
	types = resolver_alloc(resolver, DTYPE_COUNT * sizeof(types[0]));
	for (size_t i = 0; types && i < db->slow_casts.count; i++) {
		const struct slow_cast *cast = &db->slow_casts.items[i];

		if (!(cast->chips >> search->chip & 1) || place < cast->first || place > cast->last)
			continue;
		for (unsigned type = 0; type < DTYPE_COUNT; type++)
			types[type] |= cast->from >> type & 1 ? cast->to : 0;
	}
	return types;
}

static struct answer *search_units(const struct question *question, const struct name_facts *name, struct str overload)
{
	struct unit_search search = { .question = question, .name = name };
	struct answer *answer = resolver_alloc(question->resolver, sizeof(*answer));
	bool any = false;

	if (!answer)
		return NULL;
	answer->units.cann = STR("");
	search.chip = (unsigned)__builtin_ctz(
		chips_named(TARGET_NPU, question->chip ? question->chip->family : STR("910B")));
	/* every overload that programs call by the name, else those aside; or the one that is asked for */
	for (unsigned aside = 0; aside < 2 && !any; aside++) {
		for (const struct overload *op = name->overloads; op; op = op->next) {
			unsigned manner = manner_on(question->release, name, op);

			if (overload.len || question->unnamed ? str_eq(op->overload, overload)
							      : !(manner & MANNER_ASIDE) == !aside)
				add_overload(&search, op, manner);
		}
		for (unsigned i = 0; i < DTYPE_COUNT; i++)
			any |= search.types[i].unit != UNIT_UNKNOWN;
	}
	if (!any)
		return answer;
	put_masks(&search, answer);
	put_lines(&search, answer);
	answer->units.slow_casts = slow_casts_of(&search);
	return answer;
}

static const struct unit_memo *make_memo(
	const struct question *question, const struct name_facts *name, struct str overload)
{
	struct resolver *resolver = question->resolver;
	const struct unit_memo *like = find_memo(question, name, overload, false);
	struct unit_memo *memo = resolver_alloc(resolver, sizeof(*memo));

	if (!memo)
		return NULL;
	memo->answer = like ? like->answer : search_units(question, name, overload);
	resolver->full |= !arena_copy(&resolver->arena, overload, &memo->overload);
	if (!memo->answer || resolver->full)
		return NULL;
	memo->release = question->release;
	memo->chip = question->chip;
	memo->unnamed = question->unnamed;
	memo->next = *memos_of(question, name);
	*memos_of(question, name) = memo;
	return memo;
}

void units_apply(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret)
{
	struct resolver *resolver = question->resolver;
	const struct unit_memo *memo;

	if (!question->release->has_units || op_status_class(ret->status) != CLASS_DEVICE ||
		facts_units(&resolver->facts, name, false, &resolver->failure) || !name->units->items)
		return;
	memo = find_memo(question, name, overload, true);
	if (!memo)
		memo = make_memo(question, name, overload);
	if (!memo)
		return;
	ret->slow |= memo->answer->slow;
	ret->maybe_slow |= memo->answer->maybe_slow;
	ret->strided |= memo->answer->strided;
	ret->barred |= memo->answer->barred;
	ret->units = memo->answer->units;
}
