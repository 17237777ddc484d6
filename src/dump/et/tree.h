#pragma once
/*
 * The nodes of an execution trace until it is known what they ran in.
 *
 * A node names its parent, which is written behind it. So nodes are kept up to the end of a step, or up to
 * limits.held_calls, and settled in the order in which they began: parents first. Then calls are counted and linked
 * with the innermost operator or autograd node around them, and autograd nodes with the last operator of their sequence
 * number.
 */
#include "dump/trace/order.h"
#include "dump/trace/sites.h"
#include "dump/trace/steps.h"

struct et_call {
	uint64_t id, parent;
	int64_t sequence; /* -1: none */
	uint32_t op;      /* of trace_ops, or TRACE_NO_OP */
};

struct et_tree;

/* To whom a settled node is of interest. */
struct et_parts {
	struct trace_ops *ops;
	struct trace_steps *steps;
	struct trace_order *order;
	struct trace_sites *sites;
};

struct et_tree *et_tree_new(const struct dump_context *context, const struct et_parts *parts);
void et_tree_free(struct et_tree *tree);

void et_tree_add(struct et_tree *tree, const struct et_call *call);

/* Counts and links all that was added. */
void et_tree_settle(struct et_tree *tree);
