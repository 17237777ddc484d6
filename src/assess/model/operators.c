#include "assess/model/operators.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"

struct gathering {
	struct arena *arena;
	const struct profile *profile;
	const struct name_lookup *lookup;
	const struct profile_name *names;
	const struct profile_use *uses;
	size_t name_count, use_count;
	MEM_LIST(struct op) operators;
	struct map by_name;
	uint32_t *of_names, *of_uses; /* see struct operators */
	MEM_LIST(int64_t) lent;       /* see struct operators */
};

static struct str full_name(struct arena *arena, struct str ns, struct str base, const char *tail)
{
	return arena_printf(arena, "%.*s::%.*s%s", STR_ARG(ns), STR_ARG(base), tail);
}

/* The operator of that name, new or known. */
static uint32_t operator_at(struct gathering *all, struct str name, size_t ns_len)
{
	struct op op = { .name = name, .ns = str_sub(name, 0, ns_len), .base = str_skip(name, ns_len + 2) };
	uint32_t at = MAP_FIND(&all->by_name, all->operators.items, name);

	if (at != MAP_NONE)
		return at;
	map_add_name(&all->by_name, name, (uint32_t)all->operators.count);
	MEM_PUSH(&all->operators, op);
	return (uint32_t)all->operators.count - 1;
}

/* A name of which only the beginning was printed. */
static uint32_t gather_cut(struct gathering *all, const struct name *name)
{
	struct str found[MAX_COMPLETIONS];
	size_t count = 0;
	uint32_t at;
	bool one;

	if (all->lookup->completions)
		count = all->lookup->completions(all->lookup->ctx, name->ns, name->base, found, MAX_COMPLETIONS);
	one = count == 1;
	at = operator_at(
		all, full_name(all->arena, name->ns, one ? found[0] : name->base, one ? "" : "..."), name->ns.len);
	all->operators.items[at].was_cut = true;
	if (one)
		return at;
	count = count < MAX_COMPLETIONS ? count : MAX_COMPLETIONS;
	all->operators.items[at].completion_count = count;
	for (size_t i = 0; i < count; i++)
		all->operators.items[at].completions[i] = full_name(all->arena, name->ns, found[i], "");
	return at;
}

/* The operator that a recorded name stands for, or NO_OPERATOR. */
static uint32_t gather_name(struct gathering *all, const struct name *name)
{
	if (name->name_class != NAME_OPERATOR)
		return NO_OPERATOR;
	if (name->guessed && all->lookup->known && !all->lookup->known(all->lookup->ctx, name->base))
		return NO_OPERATOR;
	if (name->cut)
		return gather_cut(all, name);
	return operator_at(all, full_name(all->arena, name->ns, name->base, ""), name->ns.len);
}

static void note_place(struct op *op, const struct profile_name *name)
{
	bool known = op->line || op->offset, told = name->line || name->offset;

	if (!told || (known && (op->dump != name->dump ? op->dump < name->dump
						       : op->line + op->offset <= name->line + name->offset)))
		return;
	op->dump = name->dump;
	op->line = name->line;
	op->offset = name->offset;
}

/* Gives each operator its uses: counted first, so that each list is allocated once. */
static void gather_uses(struct gathering *all)
{
	size_t *counts = mem_zalloc((all->operators.count + 1) * sizeof(counts[0]));

	for (size_t i = 0; i < all->use_count; i++) {
		uint32_t at = all->of_uses[i] = all->of_names[all->uses[i].name];

		if (at != NO_OPERATOR)
			counts[at]++;
	}
	for (size_t i = 0; i < all->operators.count; i++)
		all->operators.items[i].uses = arena_alloc(all->arena, (counts[i] + 1) * sizeof(uint32_t));
	for (size_t i = 0; i < all->use_count; i++) {
		const struct profile_use *use = &all->uses[i];
		struct op *op;

		if (all->of_uses[i] == NO_OPERATOR)
			continue;
		op = &all->operators.items[all->of_uses[i]];
		op->uses[op->use_count++] = (uint32_t)i;
		op->calls = figure_count(op->calls, use->calls);
		op->self_cpu_ns = figure_add(op->self_cpu_ns, use->self_cpu_ns);
		op->cpu_total_ns = figure_add(op->cpu_total_ns, use->cpu_total_ns);
		op->self_device_ns = figure_add(op->self_device_ns, use->self_device_ns);
		note_place(op, &all->names[use->name]);
	}
	free(counts);
}

/* --- labels that libraries put around the work of an operator */

/* "onednn_addmm(640, 2048, 512)" and "dnnl_mm_out": what the library was called for; "" for any other label. */
static struct str library_call(struct str label)
{
	static const struct str libraries[] = { STR("onednn_"), STR("dnnl_") };
	size_t args = str_find(label, STR("("));

	label = str_sub(label, 0, args == STR_NONE ? label.len : args);
	for (size_t i = 0; i < ARRAY_SIZE(libraries); i++) {
		if (str_starts(label, libraries[i]))
			return str_skip(label, libraries[i].len);
	}
	return STR("");
}

/* The operator of aten that a library was called for, if it was recorded; NULL. */
static struct op *operator_of_call(struct gathering *all, struct str call)
{
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;
	uint32_t at;

	buf_printf(&name, "aten::%.*s", STR_ARG(call));
	at = MAP_FIND(&all->by_name, all->operators.items, buf_str(&name));
	return at == MAP_NONE ? NULL : &all->operators.items[at];
}

static void add_label(struct gathering *all, struct op *op, const struct profile_use *label)
{
	size_t dump = all->names[label->name].dump;

	while (all->lent.count <= dump)
		MEM_PUSH(&all->lent, 0);
	all->lent.items[dump] = figure_add(all->lent.items[dump], label->self_device_ns);
	op->self_cpu_ns = figure_add(op->self_cpu_ns, label->self_cpu_ns);
	op->self_device_ns = figure_add(op->self_device_ns, label->self_device_ns);
}

/* An operator outside of aten may put a label of its own name around each call. */
static void add_labels_of_same_name(struct gathering *all, struct op *op, const struct map *labels)
{
	struct map_cursor at = map_start(labels, hash_str(hash_seed(), op->base));

	while (map_next(labels, &at)) {
		const struct profile_use *label = &all->uses[at.index];

		if (str_eq(all->names[label->name].text, op->base) && all->names[label->name].calls == op->calls)
			add_label(all, op, label);
	}
}

/* Kernels that run under such a label are launched by the label: their time, and its own, is the operator's. */
static void gather_labels(struct gathering *all)
{
	struct map labels = { 0 };

	for (size_t i = 0; i < all->use_count; i++) {
		const struct profile_use *use = &all->uses[i];
		struct str text = all->names[use->name].text, call;
		struct op *op = NULL;

		if (use->self_device_ns <= 0 || all->names[use->name].name.name_class != NAME_LABEL)
			continue;
		call = library_call(text);
		if (!call.len)
			map_add(&labels, hash_str(hash_seed(), text), (uint32_t)i);
		else
			op = operator_of_call(all, call);
		if (!op && str_ends(call, STR("_out")))
			op = operator_of_call(all, str_chop(call, 4));
		if (op)
			add_label(all, op, use);
	}
	for (size_t i = 0; i < all->operators.count; i++) {
		if (!str_eq(all->operators.items[i].ns, STR("aten")))
			add_labels_of_same_name(all, &all->operators.items[i], &labels);
	}
	map_clear(&labels);
}

/* --- what is no operator */

static int by_class_and_name(const void *a, const void *b)
{
	const struct result_ignored *left = a, *right = b;

	return str_cmp(word_for(&name_class_words, left->name_class), word_for(&name_class_words, right->name_class))
		       ?: str_cmp(left->name, right->name);
}

static void gather_ignored(struct gathering *all, struct operators *ret)
{
	struct result_ignored *items = arena_alloc(all->arena, (all->name_count + 1) * sizeof(items[0]));
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < all->name_count; i++) {
		const struct profile_name *name = &all->names[i];
		enum name_class class = name->name.name_class == NAME_OPERATOR ? NAME_LABEL : name->name.name_class;

		if (all->of_names[i] == NO_OPERATOR && name->calls)
			items[count++] = (struct result_ignored){ name->text, class, name->calls };
	}
	qsort(items, count, sizeof(items[0]), by_class_and_name);
	for (size_t i = 0; i < count; i++) { /* a name may have been recorded in two spellings: cut and whole */
		if (kept && by_class_and_name(&items[kept - 1], &items[i]) == 0)
			items[kept - 1].calls = figure_count(items[kept - 1].calls, items[i].calls);
		else
			items[kept++] = items[i];
	}
	ret->ignored = items;
	ret->ignored_count = kept;
}

void operators_gather(
	struct arena *arena, const struct profile *profile, const struct name_lookup *lookup, struct operators *ret)
{
	struct gathering all = { .arena = arena, .profile = profile, .lookup = lookup };

	all.names = profile_names(profile, &all.name_count);
	all.uses = profile_uses(profile, &all.use_count);
	all.of_names = ret->of_names = arena_alloc(arena, (all.name_count + 1) * sizeof(ret->of_names[0]));
	for (size_t i = 0; i < all.name_count; i++)
		all.of_names[i] = all.names[i].calls ? gather_name(&all, &all.names[i].name) : NO_OPERATOR;
	all.of_uses = ret->of_uses = arena_alloc(arena, (all.use_count + 1) * sizeof(ret->of_uses[0]));
	gather_uses(&all);
	gather_labels(&all);
	gather_ignored(&all, ret);
	ret->items = arena_alloc(arena, (all.operators.count + 1) * sizeof(ret->items[0]));
	if (all.operators.count)
		memcpy(ret->items, all.operators.items, all.operators.count * sizeof(ret->items[0]));
	ret->count = all.operators.count;
	ret->lent_count = all.lent.count;
	ret->lent_ns = arena_alloc(arena, (all.lent.count + 1) * sizeof(ret->lent_ns[0]));
	for (size_t i = 0; i < all.lent.count; i++)
		ret->lent_ns[i] = all.lent.items[i];
	free(all.lent.items);
	free(all.operators.items);
	map_clear(&all.by_name);
}
