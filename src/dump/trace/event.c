#include "dump/trace/event.h"

#include "base/memory/mem.h"
#include "dump/trace/python_frame.h"
#include "json/token.h"

struct category {
	struct str name;
	enum trace_kind kind;
	enum name_class known;
	enum device_kind device; /* that alone has such events */
};

/* The most frequent first; others count as other. */
static const struct category categories[] = {
	{ STR("cpu_op"), TRACE_OPERATOR, NAME_OPERATOR },
	{ STR("python_function"), TRACE_FRAME, NAME_OPERATOR },
	{ STR("Operator"), TRACE_OPERATOR, NAME_OPERATOR },
	{ STR("user_annotation"), TRACE_ANNOTATION, NAME_LABEL },
	{ STR("cuda_runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ STR("cuda_driver"), TRACE_LAUNCH, NAME_RUNTIME },
	{ STR("Runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ STR("privateuse1_runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ STR("privateuse1_driver"), TRACE_LAUNCH, NAME_RUNTIME },
	{ STR("xpu_runtime"), TRACE_LAUNCH, NAME_RUNTIME, DEVICE_XPU },
	{ STR("xpu_driver"), TRACE_LAUNCH, NAME_RUNTIME, DEVICE_XPU },
	{ STR("mtia_runtime"), TRACE_LAUNCH, NAME_RUNTIME, DEVICE_MTIA },
	{ STR("glow_runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ STR("kernel"), TRACE_DEVICE, NAME_KERNEL },
	{ STR("Kernel"), TRACE_DEVICE, NAME_KERNEL },
	{ STR("hpu_op"), TRACE_DEVICE, NAME_KERNEL, DEVICE_HPU },
	{ STR("mtia_ccp_events"), TRACE_DEVICE, NAME_KERNEL, DEVICE_MTIA },
	{ STR("gpu_memcpy"), TRACE_DEVICE, NAME_MEMORY },
	{ STR("Memcpy"), TRACE_DEVICE, NAME_MEMORY },
	{ STR("gpu_memset"), TRACE_DEVICE, NAME_MEMORY },
	{ STR("Memset"), TRACE_DEVICE, NAME_MEMORY },
	{ STR("collective_comm"), TRACE_DEVICE, NAME_COLLECTIVE },
};

enum { OLD_OPERATOR = 2 };

static void classify(struct trace_event *event, const struct json_value *category)
{
	event->has_category = true;
	event->kind = TRACE_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		if (str_eq(categories[i].name, category->raw)) {
			event->kind = categories[i].kind;
			event->known = categories[i].known;
			event->device = categories[i].device;
			event->old_category = i == OLD_OPERATOR;
			return;
		}
	}
}

/* --- members and arguments */

/* The number of a key is the offset of its value in struct trace_event, or one of these, which are no offsets. */
enum meaning { PHASE = 1, CATEGORY = 2, ARGUMENTS = 3, NAME = offsetof(struct trace_event, name) };

struct member {
	struct str key;
	int meaning;
};

#define MEMBER(text, member)                                                                                           \
	{                                                                                                              \
		STR(text), offsetof(struct trace_event, member)                                                        \
	}
#define FURTHER(text, which)                                                                                           \
	{                                                                                                              \
		STR(text), offsetof(struct trace_event, arguments[which])                                              \
	}

static const struct member members[] = {
	{ STR("name"), NAME },
	MEMBER("ts", ts),
	MEMBER("dur", dur),
	MEMBER("pid", pid),
	MEMBER("tid", tid),
	MEMBER("id", id),
	{ STR("ph"), PHASE },
	{ STR("cat"), CATEGORY },
	{ STR("args"), ARGUMENTS },
};

static const struct member arguments[] = {
	MEMBER("External id", external), MEMBER("Input type", types), MEMBER("Input Dims", dims),
	MEMBER("Input dims", dims), /* 1.8 */
	MEMBER("Ev Idx", index), MEMBER("correlation", correlation),
	MEMBER("external id", external), /* 1.8 to 1.10, of kernels */
	FURTHER("Input Strides", TRACE_STRIDES), FURTHER("Concrete Inputs", TRACE_CONCRETE),
	FURTHER("Sequence number", TRACE_SEQUENCE), FURTHER("Call stack", TRACE_STACK),
	FURTHER("Module Hierarchy", TRACE_HIERARCHY), FURTHER("Collective name", TRACE_COLLECTIVE),
	FURTHER("In msg nelems", TRACE_IN_ELEMENTS), FURTHER("Out msg nelems", TRACE_OUT_ELEMENTS),
	FURTHER("dtype", TRACE_DTYPE), FURTHER("Process Group Name", TRACE_GROUP),
	FURTHER("Group size", TRACE_GROUP_SIZE), FURTHER("kernel_backend", TRACE_BACKEND),
	FURTHER("Task Type", TRACE_TASK_TYPE), FURTHER("bytes", TRACE_BYTES),
	FURTHER("size", TRACE_BYTES), /* of copies on AMD */
};

static int meaning_in(const struct member *table, size_t count, struct str key)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq(table[i].key, key))
			return table[i].meaning;
	}
	return 0;
}

static int meaning_of_member(struct str key)
{
	return meaning_in(members, ARRAY_SIZE(members), key);
}

static int meaning_of_argument(struct str key)
{
	return meaning_in(arguments, ARRAY_SIZE(arguments), key);
}

void trace_event_keys_init(struct trace_event_keys *keys)
{
	json_keys_init(&keys->members, meaning_of_member);
	json_keys_init(&keys->arguments, meaning_of_argument);
}

/* Where a value with this meaning goes. */
static inline struct json_value *place_of_meaning(struct trace_event *event, int meaning, struct json_value *ignored)
{
	return meaning ? (struct json_value *)((char *)event + meaning) : ignored;
}

static enum json_status read_arguments(struct json_keys *keys, struct json_cursor *cursor, struct trace_event *event)
{
	enum json_status status = json_open(cursor, '{');
	struct json_value ignored;
	int meaning;

#pragma GCC unroll 16
	for (size_t i = 0; i < TRACE_ARGUMENT_COUNT; i++)
		event->arguments[i].raw.ptr = NULL;
	event->has_arguments = true;
	json_keys_start(keys);
	while (status == JSON_OK) {
		status = json_keys_next(keys, cursor, &meaning);
		if (status != JSON_OK || meaning == JSON_KEY_CLOSED)
			return status;
		status = json_value(cursor, place_of_meaning(event, meaning, &ignored));
	}
	return status;
}

static bool is_object(const struct json_cursor *cursor)
{
	struct json_cursor at = *cursor;

	json_skip_blanks(&at);
	return at.at < at.end && *at.at == '{';
}

/* --- the event */

/* Skips what is left of an event that does not count. */
static enum json_status skip_rest(struct json_cursor *cursor)
{
	struct json_skip skip = { .depth = 1 };
	struct str rest = { cursor->at, (size_t)(cursor->end - cursor->at) };
	enum json_status status = json_skip(&skip, &rest);

	cursor->at = rest.ptr;
	return status;
}

/* "s" and "f": the ends of an arrow. */
static bool take_flow(struct trace_event *event, struct str phase)
{
	if (!str_eq(phase, STR("s")) && !str_eq(phase, STR("f")))
		return false;
	event->kind = TRACE_FLOW;
	event->flow_end = phase.ptr[0] == 'f';
	return true;
}

/* Both say with *ret_done that the rest does not matter. */
static enum json_status read_phase(struct json_cursor *cursor, struct trace_event *event, bool flows, bool *ret_done)
{
	struct json_value value;
	enum json_status status = json_value(cursor, &value);

	if (status == JSON_OK)
		*ret_done = !str_eq(value.raw, STR("X")) && !(flows && take_flow(event, value.raw));
	return status;
}

static enum json_status read_category(
	struct json_cursor *cursor, struct trace_event *event, bool may_skip, bool *ret_done)
{
	enum json_status status = json_value(cursor, &event->category);

	if (status != JSON_OK || event->kind == TRACE_FLOW)
		return status;
	classify(event, &event->category);
	*ret_done = may_skip && event->kind == TRACE_OTHER;
	return JSON_OK;
}

/* Member by member: most stay unused, and a call to clear them all costs more than reading them. */
static inline void clear_event(struct trace_event *event)
{
	const struct json_value none = { .kind = JSON_WORD };

	event->kind = TRACE_OPERATOR; /* the legacy profiler writes no categories */
	event->known = NAME_OPERATOR;
	event->device = DEVICE_UNKNOWN;
	event->old_category = event->has_category = event->has_overload = false;
	event->category = event->id = none;
	event->name = event->ts = event->dur = event->pid = event->tid = none;
	event->dims = event->types = event->external = event->correlation = event->index = none;
	event->has_arguments = false;
}

enum json_status trace_event_read(struct trace_event_keys *keys, struct json_cursor *cursor, struct trace_event *event)
{
	enum json_status status = json_open(cursor, '{');
	struct json_value ignored;
	bool phase = false, done = false;
	int meaning;

	clear_event(event);
	json_keys_start(&keys->members);
	while (status == JSON_OK && !done) {
		status = json_keys_next(&keys->members, cursor, &meaning);
		if (status != JSON_OK || meaning == JSON_KEY_CLOSED)
			break;
		if (meaning == PHASE)
			status = read_phase(cursor, event, keys->flows, &done);
		else if (meaning == CATEGORY)
			status = read_category(cursor, event, phase && !keys->unknown, &done);
		else if (meaning == ARGUMENTS && event->kind != TRACE_FRAME && is_object(cursor))
			status = read_arguments(&keys->arguments, cursor, event);
		else
			status = json_value(
				cursor, place_of_meaning(event, meaning == ARGUMENTS ? 0 : meaning, &ignored));
		phase |= meaning == PHASE;
		if (meaning == NAME && event->kind == TRACE_FRAME && status == JSON_OK)
			done = !python_frame_may_matter(event->name.raw);
	}
	if (status == JSON_OK && done) {
		event->kind = TRACE_OTHER;
		event->has_arguments = false;
		status = skip_rest(cursor);
	}
	return status == JSON_OK && !phase ? JSON_BROKEN : status;
}
