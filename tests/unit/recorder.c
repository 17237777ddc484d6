#include "op/profile_links.h"
#include "tests/unit/recorder.h"

#include <stdlib.h>

#include "base/value/decimal.h"
#include "base/memory/mem.h"
#include "dump/common/format.h"

struct recorder {
	struct buf *out;
	unsigned streams;
	bool stepped;  /* the table that was begun last */
	bool ordering; /* the last line is an order */
};

static void put_us(struct buf *out, int64_t ns)
{
	buf_byte(out, ' ');
	if (ns == -1)
		buf_byte(out, '-');
	else
		decimal_put(out, ns, 3);
}

static unsigned on_stream(void *ctx, struct str label)
{
	struct recorder *recorder = ctx;

	buf_printf(recorder->out, "stream %u \"%.*s\"\n", recorder->streams, STR_ARG(label));
	return recorder->streams++;
}

static void put_has(struct buf *out, unsigned has)
{
	static const char *const words[] = { " shapes", " times", " device", " overloads", " dtypes", " bare",
		" top-level", " stepped", " no-steps", " device-tasks", " host-calls" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		buf_add(out, has & 1u << i ? str_from(words[i]) : STR(""));
}

static void on_begin(void *ctx, unsigned stream, unsigned has)
{
	struct recorder *recorder = ctx;

	recorder->stepped = has & TABLE_STEPPED;
	buf_printf(recorder->out, "begin %u", stream);
	put_has(recorder->out, has);
	buf_byte(recorder->out, '\n');
}

static void put_detail(struct buf *out, const char *label, struct str text, bool varies)
{
	if (!text.len && !varies)
		return;
	buf_add(out, str_from(label));
	buf_add(out, text);
	buf_add(out, varies ? STR(" and others") : STR(""));
}

static void on_row(void *ctx, unsigned stream, const struct op_row *row)
{
	struct buf *out = ((struct recorder *)ctx)->out;

	buf_printf(out, "row %u ", stream);
	buf_add(out, row->name);
	buf_byte(out, '|');
	buf_add(out, row->has_overload ? row->overload : STR("?"));
	buf_byte(out, '|');
	buf_add(out, row->shapes);
	if (((struct recorder *)ctx)->stepped) {
		buf_byte(out, '|');
		buf_add(out, row->dtypes);
		buf_printf(out, " %u", row->step);
	}
	buf_printf(out, " %llu", (unsigned long long)row->calls);
	put_us(out, row->self_cpu_ns);
	put_us(out, row->cpu_total_ns);
	put_us(out, row->self_device_ns);
	if (row->known != NAME_OPERATOR)
		buf_printf(out, " %s", name_class_text(row->known));
	put_detail(out, " strides=", row->strides, row->strides_vary);
	put_detail(out, " concrete=", row->concrete, row->concrete_varies);
	buf_printf(out, "%s%s\n", row->name_cut ? " name-cut" : "", row->shapes_cut ? " shapes-cut" : "");
}

static void on_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		on_row(ctx, stream, &rows[i]);
}

static void on_links(void *ctx, unsigned stream, enum relation relation, const struct op_link *links, size_t count)
{
	struct buf *out = ((struct recorder *)ctx)->out;

	for (size_t i = 0; i < count; i++) {
		buf_printf(out, "%s %u ", relation_text(relation), stream);
		buf_add(out, links[i].name);
		buf_byte(out, '|');
		buf_add(out, links[i].other);
		buf_printf(out, " %llu", (unsigned long long)links[i].calls);
		put_us(out, links[i].self_cpu_ns);
		put_us(out, links[i].self_device_ns);
		buf_byte(out, '\n');
	}
}

/* One line, in however many pieces it comes. */
static void on_order(void *ctx, unsigned stream, const struct op_turn *turns, size_t count)
{
	struct recorder *recorder = ctx;
	struct buf *out = recorder->out;

	if (recorder->ordering)
		out->len--;
	else
		buf_printf(out, "order %u", stream);
	recorder->ordering = true;
	for (size_t i = 0; i < count; i++) {
		buf_byte(out, ' ');
		for (uint32_t depth = 0; depth < turns[i].depth; depth++)
			buf_byte(out, '>');
		buf_add(out, turns[i].name);
		if (turns[i].overload.len)
			buf_byte(out, turns[i].has_overload ? '.' : '?');
		buf_add(out, turns[i].overload);
		buf_add(out, turns[i].shapes);
	}
	buf_byte(out, '\n');
}

static void on_end(void *ctx, unsigned stream, const struct table_end *end)
{
	struct recorder *recorder = ctx;
	struct buf *out = recorder->out;

	recorder->ordering = false;
	buf_printf(out, "end %u", stream);
	if (recorder->stepped) {
		buf_printf(out, " %u", end->steps);
		put_has(out, end->has);
		buf_printf(out, "%s\n", end->cut ? " cut" : "");
		return;
	}
	put_us(out, end->footer_cpu_ns);
	put_us(out, end->footer_device_ns);
	buf_printf(out, " %lld%s%s\n", (long long)end->share_ppm, end->cut ? " cut" : "",
		end->lacks & TABLE_HAS_SHAPES ? " no-shapes" : "");
}

/* Feeds copies, so that views of a chunk that is gone are found. */
static int feed_all(const struct dump_format *format, void *state, struct str text, size_t chunk, struct err *err)
{
	int status = 0;

	for (size_t at = 0; at < text.len && !status; at += chunk) {
		size_t len = at + chunk < text.len ? chunk : text.len - at;
		char *copy = mem_resize(NULL, len, 1);

		memcpy(copy, text.ptr + at, len);
		status = format->feed(state, (struct str){ copy, len }, err);
		free(copy);
	}
	return status ? status : format->finish(state, err);
}

int record_dump(const struct dump_format *format, struct str text, size_t chunk, const struct limits *limits,
	struct buf *ret, struct dump_facts *ret_facts, struct err *err)
{
	struct recorder recorder = { .out = ret };
	struct event_sink sink = { &recorder, on_stream, on_begin, on_rows, on_end, on_links, on_order };
	struct dump_context context = { &sink, limits, ret_facts };
	void *state;
	int status;

	*ret_facts = (struct dump_facts){ .format = "", .encoding = "" };
	state = format->open(&context);
	status = feed_all(format, state, text, chunk ? chunk : text.len + 1, err);
	format->close(state);
	return status;
}

int record_tables(struct str text, size_t chunk, const struct limits *limits, struct buf *ret,
	struct dump_facts *ret_facts, struct err *err)
{
	return record_dump(&dump_table, text, chunk, limits, ret, ret_facts, err);
}

int record_file(
	const char *path, const struct limits *limits, struct buf *ret, struct dump_facts *ret_facts, struct err *err)
{
	struct recorder recorder = { .out = ret };
	struct event_sink sink = { &recorder, on_stream, on_begin, on_rows, on_end, on_links, on_order };
	struct dump_context context = { &sink, limits, ret_facts };
	struct source *source;
	int status = source_open(path, limits, &source, err);

	if (status)
		return status;
	status = dump_read(source, &context, err);
	source_close(source);
	return status;
}
