#include "dump/trace_event.h"

#include "base/mem.h"
#include "dump/json_token.h"

struct category {
	struct str name;
	enum trace_kind kind;
	enum name_class known;
};

#define NAMED(text) { text, sizeof(text) - 1 }

/* The most frequent first; what is not listed counts as other. */
static const struct category categories[] = {
	{ NAMED("cpu_op"), TRACE_OPERATOR, NAME_OPERATOR },
	{ NAMED("python_function"), TRACE_OTHER, NAME_OPERATOR },
	{ NAMED("Operator"), TRACE_OPERATOR, NAME_OPERATOR },
	{ NAMED("user_annotation"), TRACE_ANNOTATION, NAME_LABEL },
	{ NAMED("cuda_runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("cuda_driver"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("Runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("privateuse1_runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("privateuse1_driver"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("xpu_runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("xpu_driver"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("mtia_runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("glow_runtime"), TRACE_LAUNCH, NAME_RUNTIME },
	{ NAMED("kernel"), TRACE_DEVICE, NAME_KERNEL },
	{ NAMED("Kernel"), TRACE_DEVICE, NAME_KERNEL },
	{ NAMED("hpu_op"), TRACE_DEVICE, NAME_KERNEL },
	{ NAMED("mtia_ccp_events"), TRACE_DEVICE, NAME_KERNEL },
	{ NAMED("gpu_memcpy"), TRACE_DEVICE, NAME_MEMORY },
	{ NAMED("Memcpy"), TRACE_DEVICE, NAME_MEMORY },
	{ NAMED("gpu_memset"), TRACE_DEVICE, NAME_MEMORY },
	{ NAMED("Memset"), TRACE_DEVICE, NAME_MEMORY },
	{ NAMED("collective_comm"), TRACE_DEVICE, NAME_COLLECTIVE },
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
			event->old_category = i == OLD_OPERATOR;
			return;
		}
	}
}

/* --- arguments */

struct argument {
	struct str key;
	size_t offset; /* of the value in struct trace_event */
};

#define ARGUMENT(text, member) { NAMED(text), offsetof(struct trace_event, member) }

static const struct argument arguments[] = {
	ARGUMENT("External id", external),
	ARGUMENT("Input type", types),
	ARGUMENT("Input Dims", dims),
	ARGUMENT("Input dims", dims), /* 1.8 */
	ARGUMENT("correlation", correlation),
	ARGUMENT("external id", external), /* 1.8 to 1.10, of kernels */
};

static struct json_value *argument_for(struct trace_event *event, struct str key)
{
	if (key.len != 10 && key.len != 11)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(arguments); i++) {
		if (str_eq(arguments[i].key, key))
			return (struct json_value *)((char *)event + arguments[i].offset);
	}
	return NULL;
}

static enum json_status read_arguments(struct json_cursor *cursor, struct trace_event *event)
{
	enum json_status status = json_open(cursor, '{');
	struct json_value ignored, *value;
	bool closed;
	struct str key;

	while (status == JSON_OK) {
		status = json_key(cursor, &key, &closed);
		if (status != JSON_OK || closed)
			return status;
		value = argument_for(event, key);
		status = json_value(cursor, value ? value : &ignored);
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

static struct json_value *member_for(struct trace_event *event, struct str key)
{
	if (key.len == 2)
		return memcmp(key.ptr, "ts", 2) == 0 ? &event->ts : NULL;
	if (key.len == 3)
		return memcmp(key.ptr, "dur", 3) == 0 ? &event->dur :
		       memcmp(key.ptr, "pid", 3) == 0 ? &event->pid :
		       memcmp(key.ptr, "tid", 3) == 0 ? &event->tid : NULL;
	return key.len == 4 && memcmp(key.ptr, "name", 4) == 0 ? &event->name : NULL;
}

/* The phase or the category: *ret_done when the rest does not matter. */
static enum json_status read_sort(struct json_cursor *cursor, struct trace_event *event, bool is_phase, bool *ret_phase,
	bool *ret_done)
{
	struct json_value value;
	enum json_status status = json_value(cursor, &value);

	if (status != JSON_OK)
		return status;
	if (is_phase) {
		*ret_phase = true;
		*ret_done = !str_eq(value.raw, STR("X"));
	} else {
		classify(event, &value);
		*ret_done = *ret_phase && event->kind == TRACE_OTHER;
	}
	return JSON_OK;
}

/* Member by member: most stay unused, and a call to clear them all costs more than reading them. */
static inline void clear(struct trace_event *event)
{
	const struct json_value none = { .kind = JSON_WORD };

	event->kind = TRACE_OPERATOR; /* the legacy profiler writes no categories */
	event->known = NAME_OPERATOR;
	event->old_category = event->has_category = false;
	event->name = event->ts = event->dur = event->pid = event->tid = none;
	event->dims = event->types = event->external = event->correlation = none;
}

enum json_status trace_event_read(struct json_cursor *cursor, struct trace_event *event)
{
	enum json_status status = json_open(cursor, '{');
	struct json_value ignored, *value;
	bool closed = false, phase = false, done = false;
	struct str key;

	clear(event);
	while (status == JSON_OK && !done) {
		status = json_key(cursor, &key, &closed);
		if (status != JSON_OK || closed)
			break;
		value = member_for(event, key);
		if (value)
			status = json_value(cursor, value);
		else if (str_eq(key, STR("args")) && is_object(cursor))
			status = read_arguments(cursor, event);
		else if (str_eq(key, STR("ph")))
			status = read_sort(cursor, event, true, &phase, &done);
		else if (str_eq(key, STR("cat")))
			status = read_sort(cursor, event, false, &phase, &done);
		else
			status = json_value(cursor, &ignored);
	}
	if (status == JSON_OK && done) {
		event->kind = TRACE_OTHER;
		status = skip_rest(cursor);
	}
	return status == JSON_OK && !phase ? JSON_BROKEN : status;
}
