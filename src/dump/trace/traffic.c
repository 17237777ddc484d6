#include "dump/trace/traffic.h"

#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "op/call.h"

/* --- collectives */

static struct shown text_of(const struct json_value *value)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED; /* the limit of an event bounds it */

	if (value && value->kind == JSON_STRING)
		json_text(&text, value);
	return shown(buf_str(&text));
}

static uint64_t count_of(const struct json_value *value)
{
	int64_t count;

	return value && json_scaled(value, 1, &count) && count > 0 ? (uint64_t)count : 0;
}

static bool is_same(const struct dump_collective *a, const struct dump_collective *b)
{
	return strcmp(a->name.text, b->name.text) == 0 && strcmp(a->dtype.text, b->dtype.text) == 0 &&
	       strcmp(a->group.text, b->group.text) == 0 && strcmp(a->reduction.text, b->reduction.text) == 0 &&
	       a->ranks == b->ranks;
}

/* Count a call; NULL over the limit of collectives. */
static struct dump_collective *count_call(struct dump_traffic *traffic, const struct dump_collective *call)
{
	unsigned at = 0;

	while (at < traffic->collective_count && !is_same(&traffic->collectives[at], call))
		at++;
	if (at == MAX_COLLECTIVES) {
		traffic->other_collectives++;
		return NULL;
	}
	if (at == traffic->collective_count)
		traffic->collectives[traffic->collective_count++] = *call;
	traffic->collectives[at].calls++;
	return &traffic->collectives[at];
}

/* "AVG" of "avg" or "\"avg\"". */
static struct shown reduction_of(struct str word)
{
	char text[16];
	size_t length = 0;

	for (size_t i = 0; i < word.len && length < sizeof(text); i++) {
		if (is_word(word.ptr[i]))
			text[length++] = (char)(is_lower(word.ptr[i]) ? word.ptr[i] - 'a' + 'A' : word.ptr[i]);
	}
	return shown((struct str){ text, length });
}

static struct str raw_of(const struct json_value *value)
{
	return value && value->kind == JSON_LIST && value->raw.ptr ? value->raw : STR("");
}

/* all_reduce(Tensor input, str reduce_op, str group_name) and those like it: the operation is the second argument. */
static void count_functional(struct dump_traffic *traffic, const struct trace_event *event)
{
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED; /* the limit of an event bounds it */
	struct dump_collective made = { 0 };
	struct call call;

	json_text(&name, &event->name);
	if (!str_starts(buf_str(&name), STR("_c10d_functional::")) || !str_has(buf_str(&name), STR("reduce")) ||
		!call_read(raw_of(&event->dims), raw_of(&event->types), raw_of(trace_argument(event, TRACE_CONCRETE)),
			&call) ||
		call.count < 2 || !call.arguments[1].value.len)
		return;
	made.name = shown(buf_str(&name));
	made.dtype = shown(call.arguments[0].type);
	made.reduction = reduction_of(call.arguments[1].value);
	count_call(traffic, &made);
}

void trace_traffic_collective(struct dump_traffic *traffic, const struct trace_event *event)
{
	const struct json_value *name = trace_argument(event, TRACE_COLLECTIVE);
	struct dump_collective call = { 0 }, *counted;

	if (!name) {
		count_functional(traffic, event);
		return;
	}
	call.name = text_of(name);
	call.dtype = text_of(trace_argument(event, TRACE_DTYPE));
	call.group = text_of(trace_argument(event, TRACE_GROUP));
	call.ranks = count_of(trace_argument(event, TRACE_GROUP_SIZE));
	counted = count_call(traffic, &call);
	if (!counted)
		return;
	counted->in_elements = figure_count(counted->in_elements, count_of(trace_argument(event, TRACE_IN_ELEMENTS)));
	counted->out_elements = figure_count(
		counted->out_elements, count_of(trace_argument(event, TRACE_OUT_ELEMENTS)));
}

/* --- copies */

/* "Memcpy HtoD (Pageable -> Device)", "MemTransfer(d2h)", "CopyDeviceToHost", "Memset (Device)", "cudaMemcpyAsync" */
static enum copy_kind kind_of(struct str name)
{
	static const struct {
		const char *text;
		enum copy_kind kind;
	} kinds[] = {
		{ "HtoD", COPY_TO_DEVICE },
		{ "h2d", COPY_TO_DEVICE },
		{ "H2D", COPY_TO_DEVICE },
		{ "HostToDevice", COPY_TO_DEVICE },
		{ "DtoH", COPY_TO_HOST },
		{ "d2h", COPY_TO_HOST },
		{ "D2H", COPY_TO_HOST },
		{ "DeviceToHost", COPY_TO_HOST },
		{ "DtoD", COPY_ON_DEVICE },
		{ "PtoP", COPY_ON_DEVICE },
		{ "d2d", COPY_ON_DEVICE },
		{ "D2D", COPY_ON_DEVICE },
		{ "DeviceToDevice", COPY_ON_DEVICE },
		{ "HtoH", COPY_ON_HOST },
		{ "h2h", COPY_ON_HOST },
		{ "HostToHost", COPY_ON_HOST },
		{ "emset", COPY_FILL },
		{ "Fill", COPY_FILL },
	};
	size_t at = POSITION(i, ARRAY_SIZE(kinds), str_has(name, str_from(kinds[i].text)));

	return at < ARRAY_SIZE(kinds) ? kinds[at].kind : COPY_UNKNOWN;
}

void trace_traffic_copy(struct dump_traffic *traffic, const struct trace_event *event, int64_t dur_ns)
{
	enum copy_kind kind = event->known == NAME_MEMORY ? kind_of(event->name.raw) : COPY_CALL;
	struct dump_copies *copies = &traffic->copies[kind];

	copies->calls++;
	copies->bytes = figure_count(copies->bytes, count_of(trace_argument(event, TRACE_BYTES)));
	copies->ns = figure_add(copies->ns, dur_ns);
}
