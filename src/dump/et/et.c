/*
 * The reader of PyTorch's execution traces (ExecutionTraceObserver), schema 1.0.1 to 1.1.1: one stream with one stepped
 * table.
 *
 * They hold no times, but the overload of every operator. Nodes are written when they end, so a step comes after its
 * calls; ids are given when they begin: a call belongs to the step that began before it and was written behind it or
 * behind a later one. Memory is bounded by limits: event-bytes, held-calls, shapes, names.
 */
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "dump/common/format.h"
#include "dump/et/node.h"
#include "dump/et/tree.h"
#include "dump/et/values.h"
#include "dump/trace/traffic.h"
#include "json/stream.h"

enum { SHAPES, TYPES, STRIDES, VALUES, ARGUMENTS };

struct et_reader {
	struct dump_context context;
	struct json_stream *stream;
	struct trace_ops *ops;
	struct trace_sites *sites;
	struct trace_order *order;
	struct trace_steps *steps;
	struct et_tree *tree;
	struct buf arguments[ARGUMENTS]; /* of the node at hand */
	uint64_t nodes, last_id;
};

/* --- one node */

static void take_arguments(struct et_reader *reader, struct et_node *node)
{
	struct trace_event *event = &node->event;
	struct json_value *const to[ARGUMENTS] = { &event->dims, &event->types, &event->arguments[TRACE_STRIDES],
		&event->arguments[TRACE_CONCRETE] };

	for (size_t i = 0; i < ARGUMENTS; i++)
		buf_reset(&reader->arguments[i]);
	et_put_shapes(&reader->arguments[SHAPES], &node->shapes, &node->types);
	et_put_types(&reader->arguments[TYPES], &node->types);
	et_put_shapes(&reader->arguments[STRIDES], &node->strides, &node->types);
	et_put_values(&reader->arguments[VALUES], &node->values, &node->types,
		str_starts(event->name.raw, STR("_c10d_functional::"))); /* how they reduce */
	for (size_t i = 0; i < ARGUMENTS; i++) {
		if (reader->arguments[i].len)
			*to[i] = (struct json_value){ JSON_LIST, false, buf_str(&reader->arguments[i]) };
	}
	event->has_arguments = true;
}

/* A node as an event without times. The schema separates operators from labels that are spelt like one. */
static void complete_event(struct et_reader *reader, struct et_node *node)
{
	struct trace_event *event = &node->event;
	struct str name;

	take_arguments(reader, node);
	event->has_overload = et_node_operator(node, &name);
	if (event->has_overload)
		event->name.raw = name;
	else if (node->schema.kind == JSON_STRING && !node->schema.raw.len)
		event->known = event->arguments[TRACE_BACKEND].raw.len ? NAME_KERNEL : NAME_LABEL;
}

static void add_call(struct et_reader *reader, const struct et_node *node)
{
	const struct trace_event *event = &node->event;
	struct et_call call = { node->id, node->parent, node->sequence, trace_ops_of(reader->ops, event) };

	if (call.op == TRACE_NO_OP)
		trace_ops_emit_event(reader->ops, event, trace_steps_at(reader->steps, 0, (int64_t)node->id, true), 0);
	else
		trace_ops_detail(reader->ops, call.op, event);
	et_tree_add(reader->tree, &call);
}

static enum json_status take_node(void *ctx, struct json_cursor *cursor, uint64_t offset)
{
	struct et_reader *reader = ctx;
	struct et_node node;
	enum json_status status = et_node_read(cursor, &node);
	bool ends_step;

	if (status != JSON_OK)
		return status;
	reader->nodes++;
	if (node.id > reader->last_id)
		reader->last_id = node.id;
	ends_step = trace_steps_is_mark(node.event.name.raw);
	node.event.offset = offset;
	complete_event(reader, &node);
	trace_traffic_collective(&reader->context.facts->traffic, &node.event);
	/* the step ends where its node was written: what began after that has a larger id than any node so far */
	if (ends_step)
		trace_steps_add(reader->steps, 0, (int64_t)node.id, (int64_t)(reader->last_id - node.id) + 1);
	add_call(reader, &node);
	if (ends_step)
		et_tree_settle(reader->tree);
	return JSON_OK;
}

/* --- the document */

/* Schemas that were seen; "-chakra.0.0.4" and the like behind them changed nothing. */
static bool is_known_schema(struct str version)
{
	return str_has_word(STR("1.0.1 1.0.2 1.0.3 1.0.4 1.1.0 1.1.1"), str_head(version, '-'));
}

static void take_member(void *ctx, struct str key, const struct json_value *value)
{
	struct dump_facts *facts = ((struct et_reader *)ctx)->context.facts;

	if (str_eq(key, STR("schema")) && !is_known_schema(value->raw))
		facts->unknown_schema = shown(value->raw.len ? value->raw : STR("\"\""));
}

static void take_damage(void *ctx, uint64_t offset, struct str beginning)
{
	dump_skip_event(((struct et_reader *)ctx)->context.facts, offset, beginning);
}

static int et_sniff(struct str head)
{
	static const char *const signs[] = { "\"schema\"", "\"ctrl_deps\"", "\"op_schema\"", "\"rf_id\"" };

	head = str_trim(head);
	if (!str_starts(head, STR("{")) || !str_has(head, STR("\"nodes\"")) || str_has(head, STR("\"traceEvents\"")))
		return 0;
	if (ANY(i, ARRAY_SIZE(signs), str_has(head, str_from(signs[i]))))
		return 95;
	return 0;
}

static void *et_open(const struct dump_context *context)
{
	struct et_reader *reader = mem_zalloc(sizeof(*reader));
	struct json_handler handler = { reader, STR("nodes"), take_member, take_node, take_damage };

	reader->context = *context;
	reader->stream = json_stream_new(&handler, (size_t)context->limits->event_bytes);
	reader->ops = trace_ops_new(&reader->context);
	reader->sites = trace_sites_new(&reader->context, reader->ops);
	reader->order = trace_order_new(&reader->context, reader->ops);
	reader->steps = trace_steps_new();
	reader->tree = et_tree_new(
		&reader->context, &(struct et_parts){ reader->ops, reader->steps, reader->order, reader->sites });
	for (size_t i = 0; i < ARGUMENTS; i++)
		reader->arguments[i] = BUF_UNLIMITED; /* an event bounds them */
	return reader;
}

static int et_feed(void *state, struct str chunk, struct err *err UNUSED)
{
	json_stream_feed(((struct et_reader *)state)->stream, chunk);
	return 0;
}

static int refuse_without_operators(const struct et_reader *reader, uint64_t end, struct err *err)
{
	err_set(err, ERR_NO_OPERATOR, "the execution trace of %llu nodes has no operators",
		(unsigned long long)reader->nodes);
	err_where(err, "byte %llu", (unsigned long long)end);
	return err_hint(err, "start the ExecutionTraceObserver before the steps and unregister it behind them; "
			     "`opcheck snippet` shows what else can be captured");
}

/* Emits what was gathered. */
static void emit_all(struct et_reader *reader, bool cut)
{
	uint32_t steps;
	unsigned stream;

	et_tree_settle(reader->tree);
	steps = trace_steps_count(reader->steps);
	stream = trace_ops_emit(reader->ops, steps);
	trace_sites_emit(reader->sites, NULL, stream);
	trace_order_emit(reader->order, stream, steps, cut);
	trace_ops_finish(reader->ops, steps, cut);
}

static int et_finish(void *state, struct err *err)
{
	struct et_reader *reader = state;
	struct dump_facts *facts = reader->context.facts;
	uint64_t end;
	bool whole = json_stream_finish(reader->stream, &end);

	facts->encoding = "utf-8";
	facts->cut_at = whole ? 0 : end + 1;
	facts->tables = 1;
	emit_all(reader, !whole);
	facts->unplaced_calls = trace_steps_unplaced(reader->steps);
	return trace_ops_operators(reader->ops) ? 0 : refuse_without_operators(reader, end, err);
}

static void et_close(void *state)
{
	struct et_reader *reader = state;

	json_stream_free(reader->stream);
	et_tree_free(reader->tree);
	trace_steps_free(reader->steps);
	trace_order_free(reader->order);
	trace_sites_free(reader->sites);
	trace_ops_free(reader->ops);
	for (size_t i = 0; i < ARGUMENTS; i++)
		buf_clear(&reader->arguments[i]);
	free(reader);
}

const struct dump_format dump_et = { "execution-trace", et_sniff, et_open, et_feed, et_finish, et_close };
