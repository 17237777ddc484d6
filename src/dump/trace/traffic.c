#include "dump/trace/traffic.h"

#include "base/figure.h"
#include "base/mem.h"

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
	       strcmp(a->group.text, b->group.text) == 0 && a->ranks == b->ranks;
}

void trace_traffic_collective(struct dump_traffic *traffic, const struct trace_event *event)
{
	const struct json_value *name = trace_argument(event, TRACE_COLLECTIVE);
	struct dump_collective call = { 0 };
	unsigned at = 0;

	if (!name)
		return;
	call.name = text_of(name);
	call.dtype = text_of(trace_argument(event, TRACE_DTYPE));
	call.group = text_of(trace_argument(event, TRACE_GROUP));
	call.ranks = count_of(trace_argument(event, TRACE_GROUP_SIZE));
	while (at < traffic->collective_count && !is_same(&traffic->collectives[at], &call))
		at++;
	if (at == MAX_COLLECTIVES) {
		traffic->other_collectives++;
		return;
	}
	if (at == traffic->collective_count)
		traffic->collectives[traffic->collective_count++] = call;
	traffic->collectives[at].calls++;
	traffic->collectives[at].in_elements = figure_count(
		traffic->collectives[at].in_elements, count_of(trace_argument(event, TRACE_IN_ELEMENTS)));
	traffic->collectives[at].out_elements = figure_count(
		traffic->collectives[at].out_elements, count_of(trace_argument(event, TRACE_OUT_ELEMENTS)));
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

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (str_has(name, str_from(kinds[i].text)))
			return kinds[i].kind;
	}
	return COPY_UNKNOWN;
}

void trace_traffic_copy(struct dump_traffic *traffic, const struct trace_event *event, int64_t dur_ns)
{
	enum copy_kind kind = event->known == NAME_MEMORY ? kind_of(event->name.raw) : COPY_CALL;
	struct dump_copies *copies = &traffic->copies[kind];

	copies->calls++;
	copies->bytes = figure_count(copies->bytes, count_of(trace_argument(event, TRACE_BYTES)));
	copies->ns = figure_add(copies->ns, dur_ns);
}
