/*
 * dump_events FILE: what a reader makes of a dump, one JSON value a line, for the tests that compare it with the truth.
 *
 *	{"row": [table, stream, name, overload or null, shapes, calls, self_cpu_ns]}
 *	{"stepped": [step, class that is known, dtypes, cpu_total_ns, self_device_ns]}     behind each row of a trace
 *	{"details": [strides, whether they vary, concrete, whether they vary]}             behind each row that has such
 *	{"link": [relation, name, other, calls, self_cpu_ns, self_device_ns]}
 *	{"turn": [depth, name, overload, shapes]}
 *	{"end": [table, stream, rows, footer_cpu_ns, cut, steps]}
 *	{"facts": {...}}
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "op/profile_links.h"
#include "dump/dump.h"

enum { MAX_STREAMS = 64 };

struct printer {
	unsigned streams;
	unsigned table[MAX_STREAMS], rows[MAX_STREAMS], tables;
	bool stepped;
};

static void print_line(const char *key, cJSON *value)
{
	cJSON *line = cJSON_CreateObject();
	char *text;

	cJSON_AddItemToObject(line, key, value);
	text = cJSON_PrintUnformatted(line);
	puts(text);
	free(text);
	cJSON_Delete(line);
}

static void add_text(cJSON *list, struct str text)
{
	struct buf copy = BUF_INIT(1 << 24);

	buf_add(&copy, text);
	cJSON_AddItemToArray(list, cJSON_CreateString(buf_text(&copy)));
	buf_clear(&copy);
}

static void add_number(cJSON *list, double number)
{
	cJSON_AddItemToArray(list, cJSON_CreateNumber(number));
}

static unsigned on_stream(void *ctx, struct str label)
{
	struct printer *printer = ctx;
	cJSON *list = cJSON_CreateArray();

	if (printer->streams == MAX_STREAMS)
		abort();
	add_text(list, label);
	print_line("stream", list);
	return printer->streams++;
}

static void on_begin(void *ctx, unsigned stream, unsigned has)
{
	struct printer *printer = ctx;

	printer->stepped = has & TABLE_STEPPED;
	printer->table[stream] = ++printer->tables;
	printer->rows[stream] = 0;
}

static void print_stepped(const struct op_row *row)
{
	cJSON *list = cJSON_CreateArray();

	add_number(list, row->step);
	add_text(list, str_from(name_class_text(row->known)));
	add_text(list, row->dtypes);
	add_number(list, (double)row->cpu_total_ns);
	add_number(list, (double)row->self_device_ns);
	print_line("stepped", list);
}

static void print_details(const struct op_row *row)
{
	cJSON *list = cJSON_CreateArray();

	add_text(list, row->strides);
	cJSON_AddItemToArray(list, cJSON_CreateBool(row->strides_vary));
	add_text(list, row->concrete);
	cJSON_AddItemToArray(list, cJSON_CreateBool(row->concrete_varies));
	print_line("details", list);
}

static void on_row(void *ctx, unsigned stream, const struct op_row *row)
{
	struct printer *printer = ctx;
	cJSON *list = cJSON_CreateArray();

	printer->rows[stream]++;
	add_number(list, printer->table[stream]);
	add_number(list, stream);
	add_text(list, row->name);
	if (row->has_overload)
		add_text(list, row->overload);
	else
		cJSON_AddItemToArray(list, cJSON_CreateNull());
	add_text(list, row->shapes);
	add_number(list, (double)row->calls);
	add_number(list, (double)row->self_cpu_ns);
	print_line("row", list);
	if (printer->stepped)
		print_stepped(row);
	if (row->strides.len || row->concrete.len)
		print_details(row);
}

static void on_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		on_row(ctx, stream, &rows[i]);
}

static void on_links(void *ctx, unsigned stream, enum relation relation, const struct op_link *links, size_t count)
{
	(void)ctx;
	(void)stream;
	for (size_t i = 0; i < count; i++) {
		cJSON *list = cJSON_CreateArray();

		add_text(list, str_from(relation_text(relation)));
		add_text(list, links[i].name);
		add_text(list, links[i].other);
		add_number(list, (double)links[i].calls);
		add_number(list, (double)links[i].self_cpu_ns);
		add_number(list, (double)links[i].self_device_ns);
		print_line("link", list);
	}
}

static void on_order(void *ctx, unsigned stream, const struct op_turn *turns, size_t count)
{
	(void)ctx;
	(void)stream;
	for (size_t i = 0; i < count; i++) {
		cJSON *list = cJSON_CreateArray();

		add_number(list, turns[i].depth);
		add_text(list, turns[i].name);
		add_text(list, turns[i].overload);
		add_text(list, turns[i].shapes);
		print_line("turn", list);
	}
}

static void on_end(void *ctx, unsigned stream, const struct table_end *end)
{
	struct printer *printer = ctx;
	cJSON *list = cJSON_CreateArray();

	add_number(list, printer->table[stream]);
	add_number(list, stream);
	add_number(list, printer->rows[stream]);
	add_number(list, (double)end->footer_cpu_ns);
	cJSON_AddItemToArray(list, cJSON_CreateBool(end->cut));
	add_number(list, end->steps);
	print_line("end", list);
}

static void print_facts(const struct dump_facts *facts)
{
	cJSON *all = cJSON_CreateObject();

	cJSON_AddStringToObject(all, "format", facts->format);
	cJSON_AddStringToObject(all, "encoding", facts->encoding);
	cJSON_AddStringToObject(all, "era", facts->torch_era);
	cJSON_AddNumberToObject(all, "tables", (double)facts->tables);
	cJSON_AddNumberToObject(all, "rows", (double)facts->rows);
	cJSON_AddNumberToObject(all, "row_limit_tables", (double)facts->row_limit_tables);
	cJSON_AddNumberToObject(all, "cut_tables", (double)facts->cut_tables);
	cJSON_AddNumberToObject(all, "cut_names", (double)facts->cut_names);
	cJSON_AddNumberToObject(all, "cut_shapes", (double)facts->cut_shapes);
	cJSON_AddNumberToObject(all, "skipped_lines", (double)facts->skipped_lines);
	cJSON_AddNumberToObject(all, "skipped_events", (double)facts->skipped_events);
	cJSON_AddNumberToObject(all, "first_offset", (double)facts->samples[0].offset);
	cJSON_AddNumberToObject(all, "cut_at", (double)facts->cut_at);
	cJSON_AddNumberToObject(all, "unplaced_calls", (double)facts->unplaced_calls);
	cJSON_AddNumberToObject(all, "details", facts->details);
	cJSON_AddNumberToObject(all, "dropped_details", (double)facts->dropped_details);
	cJSON_AddNumberToObject(all, "dropped_frames", (double)facts->dropped_frames);
	cJSON_AddNumberToObject(all, "unlinked_calls", (double)facts->unlinked_calls);
	cJSON_AddNumberToObject(all, "unmatched_work", (double)facts->unmatched_work);
	cJSON_AddNumberToObject(all, "unsorted_events", (double)facts->unsorted_events);
	cJSON_AddNumberToObject(all, "operators_ns", (double)facts->device_time.operators_ns);
	cJSON_AddNumberToObject(all, "graphs_ns", (double)facts->device_time.graphs_ns);
	cJSON_AddNumberToObject(all, "unlinked_ns", (double)facts->device_time.unlinked_ns);
	print_line("facts", all);
}

int main(int argc, char **argv)
{
	struct limits limits = limits_default();
	struct printer printer = { 0 };
	struct event_sink sink = { &printer, on_stream, on_begin, on_rows, on_end, on_links, on_order };
	struct dump_facts facts;
	struct dump_context context = { &sink, &limits, &facts };
	struct source *source;
	struct err err;
	int status;

	if (argc != 2 || source_open(argv[1], &limits, &source, &err))
		return 2;
	status = dump_read(source, &context, &err);
	source_close(source);
	print_facts(&facts);
	if (status)
		fprintf(stderr, "%s: %s: %s\n", err_name(err.code), err.where, err.text);
	return status ? err_exit_status(err.code) : 0;
}
