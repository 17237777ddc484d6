#include "dump/trace/nest.h"

#include <stdlib.h>

#include "base/memory/mem.h"

/* State that applies to all that begins in a span. */
struct surroundings {
	uint32_t name;       /* of the innermost operator or autograd node, as trace_sites has it */
	uint32_t depth : 29; /* operators that are open */
	bool in_node : 1;    /* an autograd node is */
	bool in_graph : 1;   /* the launch of a captured graph is */
	bool covered : 1;    /* an operator or a collective is */
	uint32_t op, call;   /* the launcher: the innermost operator or collective, else span; TRACE_NO_OP: none */
};

struct open_span {
	int64_t end_ns, dur_ns, self_ns; /* self: without what it was found to hold so far */
	uint32_t op, call;
	struct surroundings inside;
};

/* The spans that are open on one thread, the innermost last. */
struct thread_stack {
	struct open_span *items;
	size_t count, capacity;
};

enum { FORWARD_SLOTS = 1 << 16 }; /* nodes of one step, forward to backward */

/* The operator that made the autograd node of a sequence number: operators that call each other bear the same number,
   the last of them to begin is the one. Each thread counts for itself. */
struct forward {
	uint32_t sequence, name; /* name 0: of two threads, which joins nothing */
	uint32_t thread;
};

struct trace_nest {
	const struct dump_context *context;
	const struct trace_parts *to;
	struct forward *forwards; /* of the newest numbers, by the rest of theirs; made at need */
	struct trace_sorter *sorter;
	MEM_LIST(struct thread_stack) stacks; /* by the number of the thread */
	int64_t placed_ns;                    /* the latest begin that was placed */
	bool early;                           /* spans were placed before the end of the trace */
};

struct trace_nest *trace_nest_new(const struct dump_context *context, const struct trace_parts *parts)
{
	return MEM_NEW(struct trace_nest, .context = context, .to = parts,
		.sorter = trace_sorter_new(context->limits, parts->ops), .placed_ns = INT64_MIN);
}

void trace_nest_free(struct trace_nest *nest)
{
	for (size_t i = 0; i < nest->stacks.count; i++)
		free(nest->stacks.items[i].items);
	free(nest->stacks.items);
	free(nest->forwards);
	trace_sorter_free(nest->sorter);
	free(nest);
}

/* --- the stack of a thread */

static struct thread_stack *stack_of(struct trace_nest *nest, uint16_t thread)
{
	while (nest->stacks.count <= thread)
		MEM_PUSH(&nest->stacks, ((struct thread_stack){ 0 }));
	return &nest->stacks.items[thread];
}

/* Times count when a span is closed, with its children taken off. */
static void close_innermost(struct trace_nest *nest, struct thread_stack *stack)
{
	const struct open_span *span = &stack->items[--stack->count];

	trace_ops_add_time(nest->to->ops, span->op, span->self_ns, span->dur_ns);
	trace_calls_add_times(nest->to->calls, span->call, span->self_ns, 0);
}

/* Closes what ended before a time, and takes what lies in the innermost open span off its own time. */
static struct open_span *find_parent(struct trace_nest *nest, struct thread_stack *stack, const struct trace_span *span)
{
	struct open_span *parent;
	int64_t end_ns = span->begin_ns + span->dur_ns, taken_ns;

	while (stack->count && stack->items[stack->count - 1].end_ns <= span->begin_ns)
		close_innermost(nest, stack);
	if (!stack->count)
		return NULL;
	parent = &stack->items[stack->count - 1];
	/* clocks of microseconds let inner spans end a little late */
	taken_ns = (end_ns < parent->end_ns ? end_ns : parent->end_ns) - span->begin_ns;
	if (stack->count < nest->context->limits->open_frames)
		parent->self_ns -= taken_ns < parent->self_ns ? taken_ns : parent->self_ns; /* less: not in order */
	return parent;
}

/* Calls that begin in this span are surrounded by it, too. */
static void surround(struct open_span *span, const struct trace_traits *traits, bool is_launch)
{
	struct surroundings *inside = &span->inside;

	inside->name = traits->around ? traits->around : inside->name;
	inside->depth += traits->is_operator;
	inside->in_node |= traits->is_node;
	inside->in_graph |= traits->is_graph;
	if (!is_launch && (traits->is_operator || traits->is_collective || !inside->covered)) {
		inside->op = span->op;
		inside->call = span->call;
	}
	inside->covered |= traits->is_operator || traits->is_collective;
}

/* A span too deep for the stack has no time of its own: it stays with the innermost one that is open. */
static void open_span(struct trace_nest *nest, struct thread_stack *stack, const struct open_span *span)
{
	if (stack->count < nest->context->limits->open_frames)
		MEM_PUSH(stack, *span);
	else
		trace_ops_add_time(nest->to->ops, span->op, 0, span->dur_ns);
}

/* --- what is found out */

/* The forward operator of an autograd node. Calls inside a node have none, whatever their number. */
static uint32_t forward_of(struct trace_nest *nest, const struct trace_span *span, const struct trace_traits *traits,
	const struct surroundings *around)
{
	struct forward *forward;
	bool is_known;

	if (!nest->forwards)
		nest->forwards = mem_zalloc(FORWARD_SLOTS * sizeof(nest->forwards[0]));
	forward = &nest->forwards[span->sequence % FORWARD_SLOTS];
	is_known = forward->sequence == span->sequence;
	if (traits->is_node)
		return is_known ? forward->name : 0;
	if (!around->in_node)
		*forward = (struct forward){ span->sequence,
			is_known && forward->thread != span->thread ? 0 : traits->name, span->thread };
	return 0;
}

static uint32_t add_call(struct trace_nest *nest, const struct trace_span *span, const struct trace_traits *traits,
	const struct surroundings *around)
{
	const struct trace_call call = { span->begin_ns, span->dur_ns, span->op, span->thread };
	struct trace_surrounding at = { .name = traits->name };

	if (span->sequence)
		at.forward = forward_of(nest, span, traits, around);
	if (traits->is_operator) {
		at.parent = around->name;
		at.place = span->place;
	}
	return trace_calls_add(nest->to->calls, &call, &at);
}

/* Counts the call in its step. */
static void count_call(struct trace_nest *nest, const struct trace_span *span, uint32_t depth)
{
	uint64_t process = trace_threads_at(nest->to->threads, span->thread).process;
	uint32_t step = trace_steps_at(nest->to->steps, process, span->begin_ns, nest->early);

	trace_ops_add_call(nest->to->ops, span->op, step);
	trace_order_add(nest->to->order, step, span->begin_ns, span->op, depth);
}

/* Work on an NPU is linked with the call that began it: it is the innermost operator's. */
static void note_begin(
	const struct trace_nest *nest, const struct thread_stack *stack, const struct trace_span *span, uint32_t call)
{
	struct trace_thread thread = trace_threads_at(nest->to->threads, span->thread);
	size_t depth = stack->count;
	uint32_t op = span->op;

	while (!trace_ops_traits(nest->to->ops, op).is_operator && depth) {
		op = stack->items[--depth].op;
		call = stack->items[depth].call;
	}
	trace_npu_begin(nest->to->npu, &thread, span->begin_ns, op, call);
}

/* A generated kernel may be recorded inside of a call of its own name. */
static bool is_repeated(const struct trace_nest *nest, uint32_t op, uint32_t around)
{
	return trace_ops_traits(nest->to->ops, op).is_compiled && around != TRACE_NO_OP &&
	       str_eq(trace_ops_text(nest->to->ops, op), trace_ops_text(nest->to->ops, around));
}

static void place_call(struct trace_nest *nest, const struct thread_stack *stack, const struct trace_span *span,
	struct open_span *open)
{
	struct trace_traits traits = trace_ops_traits(nest->to->ops, span->op);

	if (traits.stepped)
		count_call(nest, span, open->inside.depth);
	else if (!is_repeated(nest, span->op, open->inside.op))
		trace_ops_add_call(nest->to->ops, span->op, 0);
	if (traits.name)
		open->call = add_call(nest, span, &traits, &open->inside);
	if (nest->to->is_npu)
		note_begin(nest, stack, span, open->call);
	surround(open, &traits, false);
	if (span->link)
		trace_device_operator(nest->to->device, span->link,
			&(struct trace_launcher){ open->inside.op, open->inside.call, open->inside.covered, false });
}

static void place_launch(struct trace_nest *nest, const struct trace_span *span, struct open_span *open)
{
	struct trace_traits traits = trace_ops_traits(nest->to->ops, span->op);
	struct surroundings *inside = &open->inside;

	trace_ops_add_call(nest->to->ops, span->op, 0);
	surround(open, &traits, true);
	if (span->link)
		trace_device_launch(nest->to->device, span->link,
			&(struct trace_launcher){ inside->op, inside->call, inside->covered, inside->in_graph });
}

static void place_span(struct trace_nest *nest, const struct trace_span *span)
{
	struct thread_stack *stack = stack_of(nest, span->thread);
	struct open_span open = { .end_ns = span->begin_ns + span->dur_ns,
		.dur_ns = span->dur_ns,
		.self_ns = span->dur_ns,
		.op = span->op,
		.call = TRACE_NO_CALL };
	const struct open_span *parent = find_parent(nest, stack, span);

	open.inside = parent ? parent->inside : (struct surroundings){ .op = TRACE_NO_OP, .call = TRACE_NO_CALL };
	if (span->kind == SPAN_LAUNCH)
		place_launch(nest, span, &open);
	else
		place_call(nest, stack, span, &open);
	open_span(nest, stack, &open);
}

/* --- all of them */

static void place_all(struct trace_nest *nest)
{
	struct dump_facts *facts = nest->context->facts;
	struct trace_span span;

	while (trace_sorter_next(nest->sorter, &span)) {
		facts->unsorted_events += span.begin_ns < nest->placed_ns;
		nest->placed_ns = span.begin_ns > nest->placed_ns ? span.begin_ns : nest->placed_ns;
		if (span.kind == SPAN_WORK)
			trace_device_add_work(nest->to->device,
				&(struct trace_device_work){ span.link, span.correlation, { span.op, span.dur_ns } });
		else
			place_span(nest, &span);
	}
}

void trace_nest_add(struct trace_nest *nest, const struct trace_span *span)
{
	if (trace_sorter_add(nest->sorter, span))
		return;
	nest->early = true;
	place_all(nest);
	trace_sorter_add(nest->sorter, span);
}

void trace_nest_finish(struct trace_nest *nest)
{
	nest->early = false;
	place_all(nest);
	for (size_t i = 0; i < nest->stacks.count; i++) {
		while (nest->stacks.items[i].count)
			close_innermost(nest, &nest->stacks.items[i]);
	}
	nest->context->facts->unsorted_events += trace_sorter_lost(nest->sorter);
}
