#include "dump/trace/ops.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/memory/arena.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/value/utf8.h"

enum { MAX_TEXT_BYTES = 24 << 20, MAX_DETAILS_BYTES = 8 << 20, MAX_DETAIL_BYTES = 4096, MAX_SHAPE_BYTES = 64 << 10 };

struct op {
	struct str raw[3]; /* name, shapes and types as they stand in the trace */
	struct str name, overload, shapes, dtypes;
	unsigned char known; /* enum name_class; small, as there may be many of these */
	bool called;
	struct trace_traits traits;
	uint32_t step; /* of the calls */
	uint64_t calls;
	uint32_t kernels;
	int64_t self_ns, total_ns, device_ns;
	uint32_t next;    /* its last follower */
	uint32_t details; /* where they stand, and one; 0: it has none */
};

/* A name, and the byte of the text at which it is first an event's. */
struct first_name {
	struct str text;
	uint64_t offset;
};

/* A text that calls of one operator may have different: the smallest in byte order is kept, and whether there were
   others. So nothing depends on the order of the calls. */
struct detail {
	char *raw; /* heap memory */
	uint32_t len, capacity;
	bool varies;
	bool clean; /* known to need no repair: it is emitted as it is */
};

struct details {
	struct detail strides, concrete;
};

struct trace_ops {
	const struct dump_context *context;
	struct arena text;
	uint64_t seed;
	MEM_LIST(struct op) list;
	struct map by_raw;
	MEM_LIST(uint32_t) called;         /* in the order of their first calls, which is that of time */
	MEM_LIST(struct first_name) names; /* distinct ones of operators and autograd nodes */
	struct map names_by_text;
	MEM_LIST(struct details) details;
	struct buf scratch, strides_text, concrete_text;
	size_t detail_room; /* bytes left for what is recorded beside */
	size_t max_ops;
	uint32_t last; /* that was asked for */
	unsigned stream, has;
	bool begun;
	uint64_t operators;
};

struct trace_ops *trace_ops_new(const struct dump_context *context)
{
	/* the limit of an event bounds the buffers */
	return MEM_NEW(struct trace_ops, .context = context, .text = ARENA_INIT(MAX_TEXT_BYTES),
		.scratch = BUF_UNLIMITED, .strides_text = BUF_UNLIMITED, .concrete_text = BUF_UNLIMITED,
		.detail_room = MAX_DETAILS_BYTES, .seed = hash_seed(),
		.max_ops = (size_t)(context->limits->shapes + context->limits->names));
}

void trace_ops_free(struct trace_ops *ops)
{
	arena_clear(&ops->text);
	map_clear(&ops->by_raw);
	map_clear(&ops->names_by_text);
	free(ops->names.items);
	buf_clear(&ops->scratch);
	buf_clear(&ops->strides_text);
	buf_clear(&ops->concrete_text);
	for (size_t i = 0; i < ops->details.count; i++) {
		free(ops->details.items[i].strides.raw);
		free(ops->details.items[i].concrete.raw);
	}
	free(ops->details.items);
	free(ops->list.items);
	free(ops->called.items);
	free(ops);
}

/* --- values as the sink wants them */

/* torch_npu writes "4,12,32;\r\n32,32;\r\n" for [[4, 12, 32], [32, 32], []]. */
static void put_npu_dims(struct buf *buf, struct str text)
{
	struct str argument, size;

	buf_byte(buf, '[');
	for (bool first = true; str_cut(&text, ';', &argument); first = false) {
		buf_add(buf, first ? STR("[") : STR(", ["));
		argument = str_trim(argument);
		for (bool first_size = true; argument.len && str_cut(&argument, ',', &size); first_size = false) {
			buf_add(buf, first_size ? STR("") : STR(", "));
			buf_add(buf, str_trim(size));
		}
		buf_byte(buf, ']');
	}
	buf_byte(buf, ']');
}

static void put_npu_types(struct buf *buf, struct str text)
{
	struct str argument;

	buf_byte(buf, '[');
	for (bool first = true; str_cut(&text, ';', &argument); first = false) {
		buf_add(buf, first ? STR("\"") : STR(", \""));
		buf_add(buf, str_trim(argument));
		buf_byte(buf, '"');
	}
	buf_byte(buf, ']');
}

/* A list of lists of numbers or of texts, with one blank behind each comma and none elsewhere. */
static bool put_list(struct buf *buf, struct str raw, bool of_texts)
{
	bool quoted = false;

	for (size_t i = 0; i < raw.len; i++) {
		char c = raw.ptr[i];

		quoted ^= c == '"';
		if (!quoted && (c == ' ' || c == '\n' || c == '\r' || c == '\t'))
			continue;
		if (c == '\\' || (unsigned char)c < 0x20 || (!of_texts && !memchr("[],-0123456789", c, 15)))
			return false;
		buf_byte(buf, c);
		if (!quoted && c == ',')
			buf_byte(buf, ' ');
	}
	return !quoted;
}

/* A text that is often the one that was recorded, which is in the arena already. False when the arena is full. */
static bool keep_text(struct trace_ops *ops, struct str text, struct str recorded, struct str *ret)
{
	if (!str_eq(text, recorded))
		return arena_copy(&ops->text, text, ret);
	*ret = recorded;
	return true;
}

/* A value of which recorded is in the arena: "" when it is missing or no such list. False when the arena is full. */
static bool keep_list(
	struct trace_ops *ops, const struct json_value *value, bool of_texts, struct str recorded, struct str *ret)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	*ret = STR("");
	if (!value->raw.ptr || value->raw.len > MAX_SHAPE_BYTES)
		return true;
	buf_reset(&ops->scratch);
	if (value->kind == JSON_LIST) {
		if (!put_list(&text, value->raw, of_texts))
			return true;
	} else if (value->kind == JSON_STRING && value->raw.len) {
		json_text(&ops->scratch, value);
		(of_texts ? put_npu_types : put_npu_dims)(&text, buf_str(&ops->scratch));
	}
	return keep_text(ops, buf_str(&text), recorded, ret);
}

/* --- which one it is */

static uint64_t hash_of(const struct trace_ops *ops, const struct trace_event *event)
{
	uint64_t hash = hash_str(ops->seed + event->known, event->name.raw);

	if (event->dims.raw.ptr)
		hash = hash_str(hash, event->dims.raw);
	return event->types.raw.ptr ? hash_str(hash + 1, event->types.raw) : hash;
}

static bool is_same(const struct op *op, const struct trace_event *event)
{
	return op->known == event->known && str_eq(op->raw[0], event->name.raw) &&
	       str_eq(op->raw[1], event->dims.raw) && str_eq(op->raw[2], event->types.raw);
}

/* "aten::add.Tensor" becomes a name and an overload. */
static void split_overload(struct trace_ops *ops, struct op *op, const struct name *name)
{
	if (!op->traits.is_operator || !name->overload.len || !str_ends(op->name, name->overload))
		return;
	op->overload = name->overload;
	op->name = str_chop(op->name, name->overload.len + 1);
	ops->has |= TABLE_HAS_OVERLOADS;
}

/* "cudaGraphLaunch", "hipGraphLaunch", "musaGraphLaunch", "cuGraphLaunch"; "aclmdlRIExecuteAsync" of CANN. */
static bool is_graph_launch(struct str name)
{
	return str_has(name, STR("GraphLaunch")) || str_has(name, STR("aclmdlRIExecute"));
}

/* "Memcpy HtoD (Pageable -> Device)", "CopyDeviceToHost" */
static bool copies_across(struct str name)
{
	return str_has(name, STR("HtoD")) || str_has(name, STR("DtoH")) || str_has(name, STR("Host"));
}

static bool keep_texts(struct trace_ops *ops, const struct trace_event *event, struct op *op)
{
	struct name name;

	buf_reset(&ops->scratch);
	json_text(&ops->scratch, &event->name);
	if (!keep_text(ops, str_trim(buf_str(&ops->scratch)), op->raw[0], &op->name))
		return false;
	device_observe_name(&ops->context->facts->device, op->name);
	name = name_classify(op->name, (struct name_style){ .known = event->known });
	op->traits.is_operator = name.name_class == NAME_OPERATOR;
	op->traits.is_node = name.name_class == NAME_AUTOGRAD;
	op->traits.is_compiled = name.name_class == NAME_COMPILE;
	op->traits.is_region = name.region;
	op->traits.is_loader = name.loader;
	op->traits.is_label = name.name_class == NAME_LABEL;
	op->traits.is_collective = name.name_class == NAME_COLLECTIVE;
	op->traits.is_copy = name.name_class == NAME_RUNTIME && str_has(op->name, STR("Memcpy"));
	op->traits.crosses = name.name_class == NAME_MEMORY && copies_across(op->name);
	op->traits.is_graph = name.name_class == NAME_RUNTIME && is_graph_launch(op->name);
	op->traits.stepped = op->traits.is_operator || name.compiling;
	split_overload(ops, op, &name);
	if (!op->traits.is_operator)
		return true;
	ops->has |= event->has_overload ? TABLE_HAS_OVERLOADS : 0;
	return keep_list(ops, &event->dims, false, op->raw[1], &op->shapes) &&
	       keep_list(ops, &event->types, true, op->raw[2], &op->dtypes);
}

/* The position of a name, and one. */
static uint32_t name_at(struct trace_ops *ops, struct str text, uint64_t offset)
{
	uint32_t known = MAP_FIND(&ops->names_by_text, ops->names.items, text);

	if (known != MAP_NONE)
		return known + 1;
	map_add_name(&ops->names_by_text, text, (uint32_t)ops->names.count);
	MEM_PUSH(&ops->names, ((struct first_name){ text, offset }));
	return (uint32_t)ops->names.count;
}

static uint32_t add_op(struct trace_ops *ops, const struct trace_event *event, uint64_t hash)
{
	struct op op = { .known = event->known, .overload = STR(""), .shapes = STR(""), .dtypes = STR("") };

	if (ops->list.count >= ops->max_ops || !arena_copy(&ops->text, event->name.raw, &op.raw[0]) ||
		!arena_copy(&ops->text, event->dims.raw, &op.raw[1]) ||
		!arena_copy(&ops->text, event->types.raw, &op.raw[2]) || !keep_texts(ops, event, &op))
		return TRACE_NO_OP;
	if (op.traits.is_operator || op.traits.is_node)
		op.traits.name = op.traits.around = name_at(ops, op.name, event->offset);
	else if (op.traits.is_region)
		op.traits.around = name_at(ops, STR(LINK_COMPILED_REGION), 0);
	else if (op.traits.is_loader)
		op.traits.around = name_at(ops, STR(LINK_DATA_LOADER), 0);
	ops->has |= op.shapes.len ? TABLE_HAS_SHAPES : 0;
	ops->has |= op.dtypes.len ? TABLE_HAS_DTYPES : 0;
	map_add(&ops->by_raw, hash, (uint32_t)ops->list.count);
	MEM_PUSH(&ops->list, op);
	return (uint32_t)ops->list.count - 1;
}

static uint32_t find_op(struct trace_ops *ops, const struct trace_event *event)
{
	uint64_t hash = hash_of(ops, event);
	struct map_cursor at = map_start(&ops->by_raw, hash);

	while (map_next(&ops->by_raw, &at)) {
		if (is_same(&ops->list.items[at.index], event))
			return at.index;
	}
	return add_op(ops, event, hash);
}

/* Steps repeat themselves: the earlier follower is tried first. */
uint32_t trace_ops_of(struct trace_ops *ops, const struct trace_event *event)
{
	uint32_t last = ops->last, op;

	if (last < ops->list.count) {
		op = ops->list.items[last].next;
		if (op < ops->list.count && is_same(&ops->list.items[op], event)) {
			ops->last = op;
			return op;
		}
	}
	op = find_op(ops, event);
	if (last < ops->list.count)
		ops->list.items[last].next = op;
	ops->last = op;
	return op;
}

struct trace_traits trace_ops_traits(const struct trace_ops *ops, uint32_t op)
{
	return ops->list.items[op].traits;
}

struct str trace_ops_name(const struct trace_ops *ops, uint32_t name)
{
	return ops->names.items[name - 1].text;
}

struct str trace_ops_text(const struct trace_ops *ops, uint32_t op)
{
	return ops->list.items[op].name;
}

/* --- what is recorded beside it */

static struct str raw_detail(const struct detail *detail)
{
	return (struct str){ detail->raw, detail->len };
}

/* False if the room for all texts is used up. */
static bool keep_detail(struct trace_ops *ops, struct detail *detail, struct str raw)
{
	enum { FIRST_BYTES = 64 };
	size_t capacity = raw.len < FIRST_BYTES ? FIRST_BYTES : raw.len;

	if (raw.len > detail->capacity) {
		if (capacity - detail->capacity > ops->detail_room)
			return false;
		ops->detail_room -= capacity - detail->capacity;
		detail->raw = mem_resize(detail->raw, capacity, 1);
		detail->capacity = (uint32_t)capacity;
	}
	memcpy(detail->raw, raw.ptr, raw.len);
	detail->len = (uint32_t)raw.len;
	detail->clean = false;
	return true;
}

/* Most texts equal the kept one. */
static void take_detail(struct trace_ops *ops, struct detail *detail, const struct json_value *value)
{
	if (!value || value->kind != JSON_LIST || str_eq(raw_detail(detail), value->raw))
		return;
	if (value->raw.len > MAX_DETAIL_BYTES) {
		ops->context->facts->dropped_details++;
		return;
	}
	detail->varies |= detail->len > 0;
	if (!detail->len || str_cmp(raw_detail(detail), value->raw) > 0)
		ops->context->facts->dropped_details += !keep_detail(ops, detail, value->raw);
}

void trace_ops_detail(struct trace_ops *ops, uint32_t index, const struct trace_event *event)
{
	struct op *op = &ops->list.items[index];
	struct details *details;
	const struct json_value *strides = trace_argument(event, TRACE_STRIDES),
				*concrete = trace_argument(event, TRACE_CONCRETE);

	if (!op->traits.is_operator || (!strides && !concrete))
		return;
	if (!op->details) {
		MEM_PUSH(&ops->details, ((struct details){ 0 }));
		op->details = (uint32_t)ops->details.count;
	}
	details = &ops->details.items[op->details - 1];
	take_detail(ops, &details->strides, strides);
	take_detail(ops, &details->concrete, concrete);
}

static bool put_strides(struct buf *buf, struct str raw)
{
	return put_list(buf, raw, false);
}

/* A list in JSON, in valid UTF-8 and with one blank behind each comma between values. */
static bool put_concrete(struct buf *buf, struct str raw)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(4 * MAX_DETAIL_BYTES);
	bool quoted = false;
	cJSON *list;
	char *printed;

	utf8_repair(&text, raw);
	list = cJSON_ParseWithLength(buf_text(&text), text.len);
	printed = cJSON_IsArray(list) ? cJSON_PrintUnformatted(list) : NULL;
	for (const char *at = printed; at && *at; at++) {
		if (quoted && *at == '\\')
			buf_byte(buf, *at++);
		else
			quoted ^= *at == '"';
		buf_byte(buf, *at);
		if (!quoted && *at == ',')
			buf_byte(buf, ' ');
	}
	cJSON_free(printed);
	cJSON_Delete(list);
	return true;
}

/* The smallest so far as it is emitted: a view of it or of text; "" for anything but such a list. */
static struct str detail_text(struct detail *detail, bool (*put)(struct buf *buf, struct str raw), struct buf *text)
{
	if (detail->clean || !detail->len)
		return raw_detail(detail);
	buf_reset(text);
	if (!put(text, raw_detail(detail)))
		return STR("");
	detail->clean = str_eq(buf_str(text), raw_detail(detail));
	return buf_str(text);
}

static void put_details(struct trace_ops *ops, const struct op *op, struct op_row *row)
{
	struct details *details;

	if (!op->details)
		return;
	details = &ops->details.items[op->details - 1];
	row->strides = detail_text(&details->strides, put_strides, &ops->strides_text);
	row->concrete = detail_text(&details->concrete, put_concrete, &ops->concrete_text);
	row->strides_vary = details->strides.varies;
	row->concrete_varies = details->concrete.varies;
	ops->context->facts->details |= (row->strides.len ? DUMP_STRIDES : 0) | (row->concrete.len ? DUMP_CONCRETE : 0);
}

/* --- counting and emitting */

static void begin_ops(struct trace_ops *ops)
{
	const struct event_sink *sink = ops->context->sink;

	if (ops->begun)
		return;
	ops->begun = true;
	ops->stream = sink->stream(sink->ctx, STR(""));
	sink->table_begin(sink->ctx, ops->stream, TABLE_STEPPED);
}

static bool has_overload(const struct trace_ops *ops, const struct op *op)
{
	return op->traits.is_operator && (ops->has & TABLE_HAS_OVERLOADS);
}

static void emit_row(struct trace_ops *ops, struct op *op, uint32_t step)
{
	const struct event_sink *sink = ops->context->sink;
	struct op_row row = { .name = op->name,
		.overload = op->overload,
		.shapes = op->shapes,
		.dtypes = op->dtypes,
		.calls = op->calls,
		.kernels = op->kernels,
		.self_cpu_ns = op->self_ns,
		.cpu_total_ns = op->total_ns,
		.self_device_ns = op->device_ns,
		.step = step,
		.known = op->known,
		.offset = op->traits.name ? ops->names.items[op->traits.name - 1].offset : 0 };

	row.has_overload = has_overload(ops, op);
	put_details(ops, op, &row);
	begin_ops(ops);
	ops->operators += op->traits.is_operator ? op->calls : 0;
	ops->context->facts->rows += op->calls;
	sink->rows(sink->ctx, ops->stream, &row, 1);
	op->calls = op->kernels = 0;
	op->self_ns = op->total_ns = op->device_ns = 0;
}

void trace_ops_add_time(struct trace_ops *ops, uint32_t op, int64_t self_ns, int64_t total_ns)
{
	ops->list.items[op].self_ns = figure_add(ops->list.items[op].self_ns, self_ns);
	ops->list.items[op].total_ns = figure_add(ops->list.items[op].total_ns, total_ns);
	ops->has |= TABLE_HAS_TIMES;
}

void trace_ops_add_device(struct trace_ops *ops, uint32_t op, int64_t ns)
{
	ops->list.items[op].device_ns = figure_add(ops->list.items[op].device_ns, ns);
	ops->has |= TABLE_HAS_DEVICE_TIMES;
}

void trace_ops_add_kernel(struct trace_ops *ops, uint32_t op)
{
	ops->list.items[op].kernels += ops->list.items[op].kernels < UINT32_MAX;
}

void trace_ops_add_call(struct trace_ops *ops, uint32_t index, uint32_t step)
{
	struct op *op = &ops->list.items[index];

	if (op->step != step && op->calls)
		emit_row(ops, op, op->step);
	if (!op->called)
		MEM_PUSH(&ops->called, index);
	op->called = true;
	op->step = step;
	op->calls++;
}

static void swap_arena(struct trace_ops *ops, struct arena *other)
{
	struct arena mine = ops->text;

	ops->text = *other;
	*other = mine;
}

void trace_ops_emit_event(struct trace_ops *ops, const struct trace_event *event, uint32_t step, int64_t dur_ns)
{
	CLEANUP(arena_clear) struct arena own = ARENA_INIT(ARENA_UNLIMITED); /* the limit of an event bounds it */
	struct op op = { .known = event->known,
		.overload = STR(""),
		.shapes = STR(""),
		.dtypes = STR(""),
		.calls = 1,
		.self_ns = dur_ns,
		.total_ns = dur_ns };

	swap_arena(ops, &own);
	if (keep_texts(ops, event, &op))
		emit_row(ops, &op, op.traits.stepped ? step : 0);
	swap_arena(ops, &own);
}

unsigned trace_ops_emit(struct trace_ops *ops, uint32_t steps)
{
	begin_ops(ops);
	for (size_t i = 0; i < ops->called.count; i++) {
		struct op *op = &ops->list.items[ops->called.items[i]];

		emit_row(ops, op, steps || !op->traits.stepped ? op->step : 1);
	}
	return ops->stream;
}

struct op_turn trace_ops_turn(const struct trace_ops *ops, uint32_t index)
{
	const struct op *op = &ops->list.items[index];

	return (struct op_turn){ .name = op->name,
		.overload = op->overload,
		.shapes = op->shapes,
		.dtypes = op->dtypes,
		.known = op->known,
		.has_overload = has_overload(ops, op) };
}

void trace_ops_finish(struct trace_ops *ops, uint32_t steps, bool cut)
{
	const struct event_sink *sink = ops->context->sink;
	struct table_end end = { .footer_cpu_ns = -1,
		.footer_device_ns = -1,
		.share_ppm = -1,
		.has = ops->has,
		.steps = steps ? steps : ops->list.count > 0,
		.cut = cut };

	sink->table_end(sink->ctx, ops->stream, &end);
}

uint64_t trace_ops_operators(const struct trace_ops *ops)
{
	return ops->operators;
}

bool trace_ops_overloads(const struct trace_ops *ops)
{
	return ops->has & TABLE_HAS_OVERLOADS;
}
