#include <stdlib.h>

#include "base/memory/mem.h"
#include "dump/common/format.h"
#include "dump/common/line.h"
#include "op/name.h"

enum { MAX_NAME_BYTES = 400 };

struct oplist_reader {
	struct dump_context context;
	struct line_splitter *lines;
	unsigned stream;
};

/* Comments and blank lines are allowed between names; labels of torch.compile begin with two number signs. */
static bool is_void(struct str line)
{
	return !line.len || (line.ptr[0] == '#' && !str_starts(line, STR("##")));
}

static bool is_cut_name(struct str name)
{
	return str_ends(name, STR("..."));
}

/*
 * Returns whether the line may be a recorded name: of bounded length, without tabs, control characters and double
 * blanks, which every table has.
 */
static bool may_be_name(struct str line)
{
	if (line.len > MAX_NAME_BYTES)
		return false;
	for (size_t i = 0; i < line.len; i++) {
		unsigned char byte = (unsigned char)line.ptr[i];

		if (byte < 0x20 || byte == 0x7f || (byte == ' ' && i + 1 < line.len && line.ptr[i + 1] == ' '))
			return false;
	}
	return true;
}

/*
 * A text is a list when every line of its beginning may be a name and at least one in four is the name of an operator,
 * with its namespace: lists that were taken from a profile hold autograd nodes and labels, too, but no log holds so
 * many such lines.
 */
static int oplist_sniff(struct str head)
{
	enum { ENOUGH = 16384 };
	struct str rest = head.len > ENOUGH ? str_sub(head, 0, ENOUGH) : head, line;
	size_t lines = 0, operators = 0;

	while (str_cut(&rest, '\n', &line)) {
		line = str_trim(line);
		if (!rest.ptr && lines && head.len > ENOUGH) /* perhaps not whole */
			break;
		if (is_void(line))
			continue;
		if (!may_be_name(line))
			return 0;
		lines++;
		operators += name_classify(line, (struct name_style){ .cut = is_cut_name(line) }).name_class ==
			     NAME_OPERATOR;
	}
	return operators && operators >= lines / 4 ? 50 : 0;
}

static void *oplist_open(const struct dump_context *context)
{
	const struct event_sink *sink = context->sink;
	struct oplist_reader *reader = MEM_NEW(struct oplist_reader, .context = *context,
		.lines = line_splitter_new(context->limits), .stream = sink->stream(sink->ctx, STR("")));

	sink->table_begin(sink->ctx, reader->stream, TABLE_NO_STEPS);
	context->facts->tables = 1;
	return reader;
}

static void take_line(struct oplist_reader *reader, const struct line *line)
{
	const struct event_sink *sink = reader->context.sink;
	struct dump_facts *facts = reader->context.facts;
	struct op_row row = { .name = str_trim(line->text), .calls = 1, .line = line->number };

	if (is_void(row.name))
		return;
	if (!may_be_name(row.name)) {
		dump_skip_row(facts, line->number, row.name);
		return;
	}
	row.name_cut = is_cut_name(row.name);
	facts->cut_names += row.name_cut;
	facts->rows++;
	sink->rows(sink->ctx, reader->stream, &row, 1);
}

static void take_lines(struct oplist_reader *reader)
{
	struct line line;

	while (line_next(reader->lines, &line))
		take_line(reader, &line);
}

static int oplist_feed(void *state, struct str chunk, struct err *err UNUSED)
{
	struct oplist_reader *reader = state;

	line_feed(reader->lines, chunk);
	take_lines(reader);
	return 0;
}

static int oplist_finish(void *state, struct err *err UNUSED)
{
	struct oplist_reader *reader = state;
	const struct event_sink *sink = reader->context.sink;
	const struct table_end end = { -1, -1, -1, false, 0 };

	line_end(reader->lines);
	take_lines(reader);
	sink->table_end(sink->ctx, reader->stream, &end);
	reader->context.facts->long_lines = line_facts(reader->lines)->long_lines;
	reader->context.facts->encoding = decoder_encoding(&line_facts(reader->lines)->decoded);
	return 0;
}

static void oplist_close(void *state)
{
	struct oplist_reader *reader = state;

	line_splitter_free(reader->lines);
	free(reader);
}

const struct dump_format dump_oplist = { "list", oplist_sniff, oplist_open, oplist_feed, oplist_finish, oplist_close };
