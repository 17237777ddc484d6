#include "dump/et/tree.h"

#include <stdlib.h>

#include "base/memory/mem.h"

struct entry {
	struct et_call call;
	uint32_t name;  /* of the innermost operator or autograd node around what is in it, itself included; 0: none */
	uint32_t depth; /* how many operators that is inside of */
};

/* The last operator with a sequence number. */
struct forward {
	int64_t sequence;
	uint32_t name; /* 0: none */
};

struct et_tree {
	const struct dump_context *context;
	struct et_parts to;
	MEM_LIST(struct entry) list;
	struct forward *forwards; /* by the rest of the number */
	size_t max_entries;       /* and forwards */
};

struct et_tree *et_tree_new(const struct dump_context *context, const struct et_parts *parts)
{
	return MEM_NEW(
		struct et_tree, .context = context, .to = *parts, .max_entries = (size_t)context->limits->held_calls);
}

void et_tree_free(struct et_tree *tree)
{
	free(tree->list.items);
	free(tree->forwards);
	free(tree);
}

/* --- forward operators */

static struct forward *forward_at(struct et_tree *tree, int64_t sequence)
{
	if (!tree->forwards)
		tree->forwards = mem_zalloc(tree->max_entries * sizeof(tree->forwards[0]));
	return &tree->forwards[(uint64_t)sequence % tree->max_entries];
}

/* --- settling */

static int by_begin(const void *a, const void *b)
{
	const struct et_call *left = &((const struct entry *)a)->call, *right = &((const struct entry *)b)->call;

	return ORDER(left->id, right->id) ?: ORDER(left->parent, right->parent) ?: ORDER(left->op, right->op);
}

/* The entry with this id among the first ones. */
static const struct entry *find_entry(const struct et_tree *tree, size_t count, uint64_t id)
{
	const struct entry *items = tree->list.items;
	size_t at = BISECT(i, count, items[i].call.id >= id);

	return at < count && items[at].call.id == id ? &items[at] : NULL;
}

static void link_call(
	struct et_tree *tree, const struct et_call *call, const struct trace_traits *traits, uint32_t parent)
{
	struct trace_surrounding at = { .name = traits->name };

	if (traits->is_operator) {
		at.parent = parent;
		trace_sites_call(tree->to.sites, &at);
		if (call->sequence >= 0)
			*forward_at(tree, call->sequence) = (struct forward){ call->sequence, traits->name };
	} else if (traits->name && call->sequence >= 0) {
		const struct forward *forward = forward_at(tree, call->sequence);

		at.forward = forward->sequence == call->sequence ? forward->name : 0;
		trace_sites_call(tree->to.sites, &at);
	}
}

/* Inside: of the parent, or NULL. */
static void settle_one(struct et_tree *tree, struct entry *entry, const struct entry *inside, bool early)
{
	const struct et_call *call = &entry->call;
	struct trace_traits traits;
	uint32_t step = 0;

	entry->name = inside ? inside->name : 0;
	entry->depth = inside ? inside->depth : 0;
	if (call->op == TRACE_NO_OP)
		return;
	traits = trace_ops_traits(tree->to.ops, call->op);
	if (traits.stepped)
		step = trace_steps_at(tree->to.steps, 0, (int64_t)call->id, early);
	trace_ops_add_call(tree->to.ops, call->op, step);
	if (traits.stepped)
		trace_order_add(tree->to.order, step, (int64_t)call->id, call->op, entry->depth);
	link_call(tree, call, &traits, entry->name);
	entry->name = traits.around ? traits.around : entry->name;
	entry->depth += traits.is_operator;
}

static bool is_operator(const struct et_tree *tree, const struct et_call *call)
{
	return call->op != TRACE_NO_OP && trace_ops_traits(tree->to.ops, call->op).is_operator;
}

/* Early: what is still running was not written yet, and may be the parent of a call. */
static void settle_entries(struct et_tree *tree, bool early)
{
	size_t count = tree->list.count;

	if (count)
		qsort(tree->list.items, count, sizeof(tree->list.items[0]), by_begin);
	for (size_t i = 0; i < count; i++) {
		const struct entry *inside = find_entry(
			tree, i, tree->list.items[i].call.parent); /* a parent began before */

		tree->context->facts->unlinked_calls += early && !inside &&
							is_operator(tree, &tree->list.items[i].call);
		settle_one(tree, &tree->list.items[i], inside, early);
	}
	tree->list.count = 0;
}

void et_tree_settle(struct et_tree *tree)
{
	settle_entries(tree, false);
}

void et_tree_add(struct et_tree *tree, const struct et_call *call)
{
	if (tree->list.count >= tree->max_entries)
		settle_entries(tree, true);
	MEM_PUSH(&tree->list, ((struct entry){ .call = *call }));
}
