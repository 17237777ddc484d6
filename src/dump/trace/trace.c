/*
 * Traces of Kineto and of the legacy autograd profiler: Chrome's trace format, as an object or as a list of events.
 *
 * Operators come with their shapes and types where recorded, the time of an operator itself from the nesting of events
 * on a thread, steps from ProfilerStep# spans, time on the device from the kernels that an operator launched. Memory
 * does not grow with the trace; what that costs is counted in the facts.
 */
#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "dump/common/format.h"
#include "dump/trace/flows.h"
#include "dump/trace/nest.h"
#include "dump/trace/traffic.h"
#include "json/stream.h"

struct trace_reader {
	struct dump_context context;
	struct json_stream *stream;
	struct trace_parts parts;
	struct trace_places *places;
	struct trace_sites *sites;
	struct trace_flows *flows;
	struct trace_nest *nest;
	struct trace_event_keys keys;
	uint64_t events;
	bool old_categories;            /* "Operator": PyTorch 1.8 to 1.10 */
	bool has_numbers, has_sequence; /* that join events: arrows are not needed */
	bool has_generated;             /* calls of generated kernels stand among the operators: those count */
	bool base_time;                 /* times are relative: 2.4 or later */
};

/* --- one event */

/* Microseconds as nanoseconds; 0 for an invalid time. A span is at most as long as a figure may be. */
static int64_t time_of(const struct json_value *value)
{
	int64_t ns;

	if (!value->raw.ptr || !json_scaled(value, 1000, &ns) || ns > INT64_MAX / 2 || ns < INT64_MIN / 2)
		return 0;
	return ns;
}

static int64_t duration_of(const struct json_value *value)
{
	int64_t ns = time_of(value);

	return ns < 0 ? 0 : ns > FIGURE_MAX ? FIGURE_MAX : ns;
}

/* 0 for none: neither kind of id is ever 0 where it means something. */
static uint64_t id_of(const struct json_value *value)
{
	int64_t id;

	return value->raw.ptr && json_scaled(value, 1, &id) && id > 0 ? (uint64_t)id : 0;
}

/* The lower half of a sequence number, and one: they count up. 0 for none, which torch_npu writes as -1. */
static uint32_t sequence_of(const struct trace_event *event)
{
	const struct json_value *value = trace_argument(event, TRACE_SEQUENCE);
	int64_t number;

	return value && json_scaled(value, 1, &number) && number >= 0 ? (uint32_t)number + 1 : 0;
}

/* The call site that an operator records itself. */
static struct trace_place call_site_of(struct trace_reader *reader, const struct trace_event *event)
{
	const struct json_value *stack = trace_argument(event, TRACE_STACK),
				*hierarchy = trace_argument(event, TRACE_HIERARCHY);
	struct trace_place place = { 0 };

	if (stack)
		place = trace_places_stack(reader->places, stack);
	if (hierarchy && hierarchy->raw.len)
		place.module = trace_places_hierarchy(reader->places, hierarchy);
	return place;
}

static void add_frame(struct trace_reader *reader, const struct trace_event *event, uint32_t text, bool is_source)
{
	struct trace_frame frame = { .begin_ns = time_of(&event->ts), .text = text, .is_source = is_source };

	frame.end_ns = frame.begin_ns + duration_of(&event->dur);
	frame.thread = trace_threads_of(reader->parts.threads, event->pid.raw, event->tid.raw);
	trace_calls_frame(reader->parts.calls, &frame);
}

static void take_frame(struct trace_reader *reader, const struct trace_event *event)
{
	uint32_t text;
	enum python_frame frame = trace_places_frame(reader->places, &event->name, &text);

	if (frame != FRAME_OTHER)
		add_frame(reader, event, text, frame == FRAME_SOURCE);
}

/* Spans of the user are parts of the module path. An event without a category may be a task of a device, unless the
   CPU is named. */
static void take_label(struct trace_reader *reader, const struct trace_event *event)
{
	uint32_t text;

	if (!event->has_category && !str_eq(event->pid.raw, STR("CPU functions")))
		return;
	text = trace_places_label(reader->places, &event->name);
	if (text)
		add_frame(reader, event, text, false);
}

/* An end of an arrow, unless the events bear numbers that say the same. */
static void take_flow(struct trace_reader *reader, const struct trace_event *event)
{
	struct trace_flow flow = { .ns = time_of(&event->ts), .is_end = event->flow_end };

	flow.kind = trace_flow_kind(event->category.raw);
	if (flow.kind == FLOW_NONE || (flow.kind == FLOW_BACKWARD ? reader->has_sequence : reader->has_numbers))
		return;
	flow.id = hash_str(0, event->id.raw); /* the same in each run: arrows are followed in this order */
	flow.thread = trace_threads_of(reader->parts.threads, event->pid.raw, event->tid.raw);
	trace_flows_add(reader->flows, &flow);
}

static void note_numbers(struct trace_reader *reader, const struct trace_span *span)
{
	reader->has_numbers |= span->link != 0;
	reader->has_sequence |= span->sequence != 0;
	reader->keys.flows = !reader->has_numbers || !reader->has_sequence || reader->parts.is_npu;
}

/* Parts of rare events. torch_npu writes work on the device without a category, the legacy profiler all events. */
static void take_extras(struct trace_reader *reader, const struct trace_event *event, const struct trace_span *span)
{
	struct trace_traits traits = trace_ops_traits(reader->parts.ops, span->op);

	if (traits.is_copy)
		trace_traffic_copy(&reader->context.facts->traffic, event, span->dur_ns);
	if (traits.is_collective)
		trace_traffic_collective(&reader->context.facts->traffic, event);
	if (!event->has_category && !traits.name && span->dur_ns)
		trace_flows_work(reader->flows, span->thread, span->begin_ns, span->dur_ns, false);
}

static void take_host_event(struct trace_reader *reader, const struct trace_event *event)
{
	struct trace_span span = { .begin_ns = time_of(&event->ts),
		.dur_ns = duration_of(&event->dur),
		.kind = event->kind == TRACE_LAUNCH ? SPAN_LAUNCH : SPAN_CALL,
		.op = trace_ops_of(reader->parts.ops, event) };
	uint64_t process;

	span.sequence = sequence_of(event);
	span.place = call_site_of(reader, event);
	span.index = (uint32_t)id_of(&event->index);
	span.link = id_of(span.kind == SPAN_LAUNCH ? &event->correlation : &event->external);
	span.thread = trace_threads_of(reader->parts.threads, event->pid.raw, event->tid.raw);
	process = trace_threads_at(reader->parts.threads, span.thread).process;
	if (trace_steps_is_mark(event->name.raw))
		trace_steps_add(reader->parts.steps, process, span.begin_ns, span.dur_ns);
	note_numbers(reader, &span);
	if (span.op == TRACE_NO_OP) { /* over the limit of distinct ones: its step is unknown until all steps are */
		trace_ops_emit_event(reader->parts.ops, event, 0, span.dur_ns);
		reader->context.facts->unplaced_calls++;
		return;
	}
	trace_nest_add(reader->nest, &span);
	take_extras(reader, event, &span);
	if (event->has_arguments)
		trace_ops_detail(reader->parts.ops, span.op, event);
	if ((event->known == NAME_LABEL || event->old_category || !event->has_category) &&
		trace_ops_traits(reader->parts.ops, span.op).is_label)
		take_label(reader, event);
}

/* Returns the op of what ran. */
static uint32_t count_device_event(struct trace_reader *reader, const struct trace_event *event)
{
	uint32_t op = trace_ops_of(reader->parts.ops, event);

	if (op == TRACE_NO_OP)
		trace_ops_emit_event(reader->parts.ops, event, 0, 0);
	else if (!reader->has_generated || !trace_ops_traits(reader->parts.ops, op).is_compiled)
		trace_ops_add_call(reader->parts.ops, op, 0);
	return op;
}

static void take_device_event(struct trace_reader *reader, const struct trace_event *event)
{
	struct trace_span work = { .begin_ns = time_of(&event->ts),
		.dur_ns = duration_of(&event->dur),
		.link = id_of(&event->external),
		.correlation = id_of(&event->correlation),
		.kind = SPAN_WORK };

	work.op = count_device_event(reader, event);
	if (event->known == NAME_MEMORY)
		trace_traffic_copy(&reader->context.facts->traffic, event, work.dur_ns);
	if (work.link || work.correlation) {
		trace_nest_add(reader->nest, &work);
		return;
	}
	work.thread = trace_threads_of(reader->parts.threads, event->pid.raw, event->tid.raw);
	trace_flows_work(reader->flows, work.thread, work.begin_ns, work.dur_ns, true);
}

/* The legacy profiler puts what ran on the device under a process of that name. */
static bool is_on_device(const struct trace_event *event)
{
	return !event->has_category && event->pid.kind == JSON_STRING && str_ends(event->pid.raw, STR(" functions")) &&
	       !str_eq(event->pid.raw, STR("CPU functions"));
}

static enum json_status take_event(void *ctx, struct json_cursor *cursor, uint64_t offset)
{
	struct trace_reader *reader = ctx;
	struct trace_event event;
	enum json_status status = trace_event_read(&reader->keys, cursor, &event);

	if (status != JSON_OK)
		return status;
	event.offset = offset;
	reader->events++;
	if (event.ts.kind == JSON_STRING) /* torch_npu's trace_view.json has times as texts */
		reader->parts.is_npu = reader->keys.unknown = reader->keys.flows = true;
	if (reader->parts.is_npu && (event.kind == TRACE_OTHER || event.kind == TRACE_FLOW || !event.has_category) &&
		trace_npu_event(reader->parts.npu, &event)) {
		event.known = NAME_KERNEL;
		count_device_event(reader, &event);
		return JSON_OK;
	}
	if (event.kind == TRACE_FLOW) {
		take_flow(reader, &event);
		return JSON_OK;
	}
	if (event.kind == TRACE_OTHER || event.name.kind != JSON_STRING || !event.name.raw.ptr)
		return JSON_OK;
	reader->old_categories |= event.old_category;
	device_observe(&reader->context.facts->device, event.device, "events");
	if (trace_argument(&event, TRACE_BACKEND)) {
		event.known = NAME_KERNEL; /* of Triton, filed under operators */
		reader->has_generated = true;
	}
	if (event.kind == TRACE_FRAME)
		take_frame(reader, &event);
	else if (event.kind == TRACE_DEVICE || is_on_device(&event))
		take_device_event(reader, &event);
	else
		take_host_event(reader, &event);
	return JSON_OK;
}

/* --- the document */

static void take_member(void *ctx, struct str key, const struct json_value *value)
{
	struct trace_reader *reader = ctx;

	device_observe_member(&reader->context.facts->device, key, value);
	reader->base_time |= str_eq(key, STR("baseTimeNanoseconds"));
}

static void take_damage(void *ctx, uint64_t offset, struct str beginning)
{
	dump_skip_event(((struct trace_reader *)ctx)->context.facts, offset, beginning);
}

static int trace_sniff(struct str head)
{
	static const char *const signs[] = { "\"traceEvents\"", "\"ph\"", "\"schemaVersion\"", "\"deviceProperties\"" };

	head = str_trim(head);
	if (!head.len || (head.ptr[0] != '{' && head.ptr[0] != '['))
		return 0;
	if (ANY(i, ARRAY_SIZE(signs), str_has(head, str_from(signs[i]))))
		return 90;
	return 0;
}

static void *trace_open(const struct dump_context *context)
{
	struct trace_reader *reader = mem_zalloc(sizeof(*reader));
	struct trace_parts *parts = &reader->parts;
	struct json_handler handler = { reader, STR("traceEvents"), take_member, take_event, take_damage };

	reader->context = *context;
	reader->stream = json_stream_new(&handler, (size_t)context->limits->event_bytes);
	trace_event_keys_init(&reader->keys);
	reader->keys.flows = true;
	parts->ops = trace_ops_new(&reader->context);
	reader->places = trace_places_new(&reader->context);
	reader->sites = trace_sites_new(&reader->context, parts->ops);
	parts->calls = trace_calls_new(&reader->context, parts->ops, reader->sites, reader->places);
	parts->order = trace_order_new(&reader->context, parts->ops);
	parts->steps = trace_steps_new();
	parts->threads = trace_threads_new(context->limits->threads);
	parts->device = trace_device_new(&reader->context, parts->calls);
	parts->npu = trace_npu_new(&reader->context, parts->ops, parts->calls);
	reader->flows = trace_flows_new(&reader->context, parts->calls, parts->threads);
	reader->nest = trace_nest_new(&reader->context, parts);
	return reader;
}

static int trace_feed(void *state, struct str chunk, struct err *err UNUSED)
{
	struct trace_reader *reader = state;

	json_stream_feed(reader->stream, chunk);
	return 0;
}

static void era_of(const struct trace_reader *reader, struct dump_facts *facts)
{
	const char *era = reader->old_categories                   ? "1.8-1.10"
			  : trace_ops_overloads(reader->parts.ops) ? "2.8+"
			  : reader->base_time                      ? "2.4+"
								   : "";

	memcpy(facts->torch_era, era, strlen(era) + 1);
}

static int refuse_without_operators(const struct trace_reader *reader, uint64_t end, struct err *err)
{
	err_set(err, ERR_NO_OPERATOR, "the trace of %llu events has no operators", (unsigned long long)reader->events);
	err_where(err, "byte %llu", (unsigned long long)end);
	return err_hint(err,
		"profile with activities=[ProfilerActivity.CPU] at least and record_shapes=True; `opcheck snippet` "
		"shows how");
}

static void follow_flows(struct trace_reader *reader)
{
	unsigned wanted = 0;

	if (!reader->has_sequence)
		wanted |= 1u << FLOW_BACKWARD;
	if (!reader->has_numbers)
		wanted |= 1u << FLOW_WORK | 1u << FLOW_NODE;
	trace_flows_follow(reader->flows, wanted);
}

/* Emits what was gathered. */
static void emit_all(struct trace_reader *reader, bool cut)
{
	const struct trace_parts *parts = &reader->parts;
	uint32_t steps = trace_steps_count(parts->steps);
	unsigned stream = trace_ops_emit(parts->ops, steps);

	trace_calls_emit(parts->calls, stream);
	trace_order_emit(parts->order, stream, steps, cut);
	trace_ops_finish(parts->ops, steps, cut);
}

static int trace_finish(void *state, struct err *err)
{
	struct trace_reader *reader = state;
	struct dump_facts *facts = reader->context.facts;
	uint64_t end;
	bool whole = json_stream_finish(reader->stream, &end);

	trace_nest_finish(reader->nest);
	trace_device_finish(reader->parts.device);
	follow_flows(reader);
	facts->encoding = "utf-8";
	facts->cut_at = whole ? 0 : end + 1;
	facts->tables = 1;
	trace_npu_settle(reader->parts.npu);
	emit_all(reader, !whole);
	facts->unplaced_calls += trace_steps_unplaced(reader->parts.steps);
	era_of(reader, facts);
	return trace_ops_operators(reader->parts.ops) ? 0 : refuse_without_operators(reader, end, err);
}

static void trace_close(void *state)
{
	struct trace_reader *reader = state;

	json_stream_free(reader->stream);
	trace_nest_free(reader->nest);
	trace_device_free(reader->parts.device);
	trace_npu_free(reader->parts.npu);
	trace_steps_free(reader->parts.steps);
	trace_order_free(reader->parts.order);
	trace_threads_free(reader->parts.threads);
	trace_flows_free(reader->flows);
	trace_calls_free(reader->parts.calls);
	trace_sites_free(reader->sites);
	trace_places_free(reader->places);
	trace_ops_free(reader->parts.ops);
	free(reader);
}

const struct dump_format dump_trace = { "kineto-trace", trace_sniff, trace_open, trace_feed, trace_finish,
	trace_close };
