/*
 * Text tables of torch.autograd.profiler and torch.profiler within a log.
 *
 * The lines behind one prefix are one stream and have one machine: idle, after dashes, after the header, in rows,
 * after the closing dashes. A table ends at a line of dashes, at its footer, at the next header, after too many
 * foreign lines or with the text.
 */
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/scan.h"
#include "dump/common/cell.h"
#include "dump/common/format.h"
#include "dump/common/line.h"
#include "dump/table/era.h"
#include "dump/table/fallback.h"
#include "dump/table/layout.h"
#include "dump/table/prefix.h"
#include "dump/table/row.h"
#include "dump/table/row_plan.h"
#include "dump/table/unwrap.h"
#include "op/shape.h"

enum state {
	IDLE,
	DASHED, /* a line of dashes: the header should follow */
	HEADED, /* the header: its second line of dashes may follow */
	IN_ROWS,
	CLOSED, /* the closing dashes: footers may follow */
};

/* Consecutive lines of dashes before a header: one, or the pieces of a wrapped one. */
struct dash_lines {
	struct dashes last;
	bool last_parsed;
	unsigned count;
	size_t width; /* code points of the first; 0 when a later full piece differed */
	struct buf joined;
};

/* Of one header or line of dashes that is kept: there may be many streams, and a table has at most MAX_COLUMNS
   columns. */
enum { MOST_HEADER_BYTES = 64 * 1024 };

struct machine {
	struct prefix prefix;
	bool stream_known;
	unsigned stream;
	enum state state;
	struct dash_lines dashes;
	uint64_t glued_at; /* the dashes hung on foreign text: only the line of this number may be the header; 0: any */
	struct layout layout;
	struct row_plan plan;
	struct buf header; /* source of the layout */
	struct dashes header_dashes;
	struct unwrap unwrap;
	/* the table under way */
	bool begun, top_level;
	uint64_t rows, foreign, broken;
	int64_t share_ppm;
	struct table_end end;
};

struct table_reader {
	struct dump_context context;
	struct line_splitter *lines;
	struct line line;
	uint64_t lines_read;
	MEM_LIST(struct machine *) machines; /* [0] has no prefix */
	size_t last_match;                   /* the machine that took the line before */
	size_t tentative;                    /* the machine whose prefix was learnt from the last dashes; 0: none */
	struct era era;
	struct tally *tally; /* of warnings */
};

/* --- machines */

static struct machine *machine_add(struct table_reader *reader)
{
	struct machine *machine = mem_zalloc(sizeof(*machine));

	machine->dashes.joined = machine->header = BUF_INIT(MOST_HEADER_BYTES);
	MEM_PUSH(&reader->machines, machine);
	return machine;
}

static void machine_free(struct machine *machine)
{
	buf_clear(&machine->dashes.joined);
	buf_clear(&machine->header);
	unwrap_clear(&machine->unwrap);
	free(machine);
}

static unsigned machine_stream(struct table_reader *reader, struct machine *machine)
{
	struct buf label = BUF_INIT(MAX_PREFIX_BYTES);

	if (!machine->stream_known) {
		prefix_label(&machine->prefix, &label);
		machine->stream = reader->context.sink->stream(reader->context.sink->ctx, buf_str(&label));
		machine->stream_known = true;
		buf_clear(&label);
	}
	return machine->stream;
}

/* The machine for a line of dashes behind text: a known prefix, a new one, or NULL when there are too many. */
static struct machine *machine_for_prefix(struct table_reader *reader, struct str text)
{
	struct prefix prefix;
	struct machine *machine;

	if (!prefix_learn(&prefix, text))
		return NULL;
	for (size_t i = 1; i < reader->machines.count; i++) {
		if (prefix_match(&reader->machines.items[i]->prefix, text) == text.len)
			return reader->machines.items[i];
	}
	if (reader->machines.count > reader->context.limits->streams) {
		reader->context.facts->dropped_streams++;
		return NULL;
	}
	machine = machine_add(reader);
	machine->prefix = prefix;
	reader->tentative = reader->machines.count - 1;
	return machine;
}

/* --- the table under way */

static unsigned what_layout_has(const struct layout *layout)
{
	unsigned has = 0;

	has |= layout->at[ROLE_SHAPES] != NO_COLUMN ? TABLE_HAS_SHAPES : 0;
	has |= layout->at[ROLE_SELF_CPU] != NO_COLUMN ? TABLE_HAS_TIMES : 0;
	has |= layout->at[ROLE_SELF_DEVICE] != NO_COLUMN ? TABLE_HAS_DEVICE_TIMES : 0;
	has |= layout->at[ROLE_OVERLOAD] != NO_COLUMN ? TABLE_HAS_OVERLOADS : 0;
	has |= layout->old_calls || layout->at[ROLE_SELF_CPU] == NO_COLUMN ? TABLE_BARE_NAMES : 0;
	return has;
}

static void begin_table(struct table_reader *reader, struct machine *machine)
{
	unsigned has = what_layout_has(&machine->layout) | (machine->top_level ? TABLE_TOP_LEVEL : 0);
	unsigned stream = machine_stream(reader, machine);

	row_plan_make(&machine->plan, &machine->layout);
	machine->begun = true;
	machine->rows = machine->foreign = machine->broken = 0;
	machine->share_ppm = 0;
	machine->end = (struct table_end){ .footer_cpu_ns = -1, .footer_device_ns = -1, .share_ppm = -1 };
	era_narrow_by_layout(&reader->era, &machine->layout);
	device_observe(&reader->context.facts->device, machine->layout.device, "columns");
	reader->context.sink->table_begin(reader->context.sink->ctx, stream, has);
}

/* Returns whether row_limit probably cut the table: by its default and other round numbers, and the sum of shares. */
static bool looks_limited(const struct machine *machine)
{
	static const uint64_t round_limits[] = { 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 200, 500, 1000 };
	enum { DEFAULT_LIMIT = 100, NEARLY_ALL_PPM = 990000, MANY_MISSING_PPM = 950000 };

	if (machine->top_level || machine->layout.tree || machine->end.cut || !machine->rows)
		return false;
	if (machine->rows == DEFAULT_LIMIT)
		return true;
	if (machine->end.share_ppm <= 0)
		return false;
	return ANY(i, ARRAY_SIZE(round_limits),
		       machine->rows == round_limits[i] && machine->end.share_ppm < NEARLY_ALL_PPM) ||
	       machine->end.share_ppm < MANY_MISSING_PPM;
}

static void end_table(struct table_reader *reader, struct machine *machine, bool cut)
{
	struct dump_facts *facts = reader->context.facts;

	if (!machine->begun)
		return;
	machine->begun = false;
	cut &= !machine->layout.tree; /* whose end cannot be missing */
	machine->end.cut = cut;
	if (machine->layout.at[ROLE_SELF_CPU_SHARE] != NO_COLUMN)
		machine->end.share_ppm = machine->share_ppm;
	facts->tables++;
	facts->rows += machine->rows;
	facts->cut_tables += cut;
	facts->empty_tables += !machine->rows;
	facts->top_level_tables += machine->top_level;
	facts->row_limit_tables += looks_limited(machine);
	machine->top_level = false;
	reader->context.sink->table_end(reader->context.sink->ctx, machine->stream, &machine->end);
}

/* Only a cell that fills its column can have been cut; a blank at the cut is gone by now. */
static bool shapes_are_cut(const struct layout *layout, struct str shapes)
{
	const struct column *column;

	if (!shapes.len)
		return false;
	column = &layout->columns[layout->at[ROLE_SHAPES]];
	if (layout->spans && shapes.len + 1 < column->end - column->start)
		return false;
	return shape_text_is_cut(shapes);
}

static void emit_row(struct table_reader *reader, struct machine *machine, struct table_row *found)
{
	const struct event_sink *sink = reader->context.sink;
	struct op_row *row = &found->op;

	row->has_overload = machine->layout.at[ROLE_OVERLOAD] != NO_COLUMN && !str_ends(row->overload, STR("..."));
	row->name_cut = str_ends(row->name, STR("..."));
	row->line = reader->line.number;
	row->shapes_cut = shapes_are_cut(&machine->layout, row->shapes);
	reader->context.facts->cut_names += row->name_cut;
	reader->context.facts->cut_shapes += row->shapes_cut;
	era_narrow_by_row(&reader->era, found);
	device_observe_name(&reader->context.facts->device, row->name);
	machine->rows++;
	machine->foreign = 0;
	machine->share_ppm += found->self_cpu_share_ppm;
	sink->rows(sink->ctx, machine->stream, row, 1);
}

/* "Self CPU time total: 237.027ms", "CUDA time total: 1.000s", "Self NPU time total: ...". */
static bool parse_footer(struct str text, struct table_end *end)
{
	struct str mark = STR(" time total: "), before;
	size_t at = str_find(text, mark);
	int64_t ns;

	if (at == STR_NONE || !cell_time(str_trim(str_skip(text, at + mark.len)), &ns))
		return false;
	before = str_trim(str_sub(text, 0, at));
	if (str_eq(before, STR("Self CPU")))
		end->footer_cpu_ns = ns;
	else
		end->footer_device_ns = ns;
	return true;
}

/* --- the machine's steps: each returns whether the line was used up */

static void forget_dashes(struct machine *machine)
{
	machine->dashes.count = 0;
	buf_reset(&machine->dashes.joined);
	machine->glued_at = 0;
}

static void note_dashes(struct machine *machine, struct str text, const struct dashes *parsed)
{
	struct dash_lines *lines = &machine->dashes;
	size_t points = utf8_points(text);

	if (!lines->count)
		lines->width = points;
	else if (points > lines->width)
		lines->width = 0;
	lines->count++;
	lines->last_parsed = parsed || dashes_parse(text, &lines->last);
	if (parsed)
		lines->last = *parsed;
	buf_add(&lines->joined, text);
	machine->state = DASHED;
}

/* The same dashes as if they began at the start of the line. */
static struct dashes shifted(const struct dashes *dashes)
{
	struct dashes moved = *dashes;

	for (int i = 0; i < moved.count; i++) {
		moved.runs[i].start -= dashes->offset;
		moved.runs[i].end -= dashes->offset;
	}
	moved.offset = 0;
	moved.offset_bytes = 0;
	return moved;
}

/* Dashes behind text: a prefix that every line has, or the end of a progress bar. The next line decides. */
static void dashes_behind_text(
	struct table_reader *reader, struct machine *machine, struct str text, const struct dashes *dashes)
{
	struct str before = str_sub(text, 0, dashes->offset_bytes);
	struct dashes moved = shifted(dashes);
	struct machine *behind;

	reader->tentative = 0; /* the prefix learnt from earlier dashes proved right, or does no harm */
	behind = machine->prefix.len ? NULL : machine_for_prefix(reader, before);
	if (behind) {
		forget_dashes(behind);
		note_dashes(behind, str_skip(text, dashes->offset_bytes), &moved);
	}
	forget_dashes(machine);
	note_dashes(machine, str_skip(text, dashes->offset_bytes), &moved);
	machine->glued_at = reader->lines_read + 1;
}

static bool take_dashes(struct table_reader *reader, struct machine *machine, struct str text)
{
	struct dashes dashes;

	if (!dashes_parse(text, &dashes))
		return false;
	if (str_trim(str_sub(text, 0, dashes.offset_bytes)).len) {
		dashes_behind_text(reader, machine, text, &dashes);
	} else {
		forget_dashes(machine);
		note_dashes(machine, text, &dashes);
	}
	return true;
}

/* Layouts repeat from table to table: a header is parsed once. */
static bool parse_header(struct machine *machine, struct str text, const struct dashes *dashes)
{
	struct layout layout;

	if (dashes && machine->layout.spans && str_eq(buf_str(&machine->header), text) &&
		memcmp(&machine->header_dashes, dashes, sizeof(*dashes)) == 0)
		return true;
	if (!layout_parse(text, dashes, &layout))
		return false;
	machine->layout = layout;
	buf_reset(&machine->header);
	buf_add(&machine->header, text);
	if (dashes)
		machine->header_dashes = *dashes;
	return true;
}

static bool in_idle(struct table_reader *reader, struct machine *machine, struct str text)
{
	struct str end = scan_chop(text);

	fallback_observe(end, &reader->context.facts->device, reader->tally);
	if (end.len && end.ptr[end.len - 1] == '-' && take_dashes(reader, machine, end))
		return true;
	if ((str_has(end, STR("Calls")) || str_has(end, STR("Occurrences"))) && parse_header(machine, end, NULL)) {
		machine->state = HEADED;
		return true;
	}
	if (layout_guess(end, &machine->layout)) {
		buf_reset(&machine->header);
		begin_table(reader, machine);
		reader->context.facts->headless_tables++;
		machine->state = IN_ROWS;
		return false;
	}
	machine->top_level |= str_has(end, STR("This report only display top-level ops statistics"));
	return true;
}

/* The pieces of a wrapped line of dashes, if that is what came: the header will come in as many. */
static bool start_unwrapping(struct table_reader *reader, struct machine *machine)
{
	enum { MIN_WIDTH = 40 };
	struct dash_lines *lines = &machine->dashes;
	struct dashes joined;

	if (lines->count < 2 || lines->width < MIN_WIDTH || !dashes_parse(buf_str(&lines->joined), &joined))
		return false;
	unwrap_start(&machine->unwrap, lines->width, lines->count, reader->context.limits->line_bytes);
	lines->last = joined;
	lines->last_parsed = true;
	lines->count = 1;
	return true;
}

/* The header shows that the dashes followed a progress bar: the text before them is not a prefix. */
static void drop_tentative(struct table_reader *reader)
{
	if (reader->tentative && reader->tentative == reader->machines.count - 1)
		machine_free(reader->machines.items[--reader->machines.count]);
	reader->tentative = 0;
}

static bool is_header(struct machine *machine, struct str text)
{
	return machine->dashes.last_parsed && parse_header(machine, text, &machine->dashes.last) &&
	       (machine->layout.spans || machine->dashes.count == 1);
}

static bool in_dashed(struct table_reader *reader, struct machine *machine, struct str text)
{
	bool expected = !machine->glued_at || machine->glued_at == reader->lines_read;

	if (expected && dashes_only(text)) {
		note_dashes(machine, text, NULL);
		return true;
	}
	if (expected && is_header(machine, text)) {
		if (machine->glued_at)
			drop_tentative(reader);
		machine->state = HEADED;
		return true;
	}
	if (expected && start_unwrapping(reader, machine))
		return !unwrap_line(&machine->unwrap, text, &text);
	unwrap_stop(&machine->unwrap);
	forget_dashes(machine);
	machine->state = IDLE;
	return false;
}

static bool in_headed(struct table_reader *reader, struct machine *machine, struct str text)
{
	begin_table(reader, machine);
	forget_dashes(machine);
	machine->state = IN_ROWS;
	return text.len && rule_only(text);
}

static bool in_rows(struct table_reader *reader, struct machine *machine, struct str text)
{
	bool ascii = reader->line.ascii && !machine->unwrap.width;
	struct table_row row;

	if ((ascii && machine->plan.usable && row_plan_run(&machine->plan, text, &row)) ||
		row_parse(&machine->layout, text, ascii, &row)) {
		emit_row(reader, machine, &row);
		return true;
	}
	if (machine->layout.tree && !str_trim(text).len) {
		machine->state = CLOSED;
		return true;
	}
	if (row_is_continuation(&machine->layout, text))
		return true;
	if (parse_footer(text, &machine->end)) {
		machine->state = CLOSED;
		return true;
	}
	if (take_dashes(reader, machine, text) || rule_only(text)) {
		machine->state = CLOSED;
		return true;
	}
	if (str_has(text, STR("Calls")) && parse_header(machine, text, NULL)) {
		end_table(reader, machine, true);
		machine->state = HEADED;
		return true;
	}
	fallback_observe(text, &reader->context.facts->device, reader->tally);
	machine->broken -= reader->context.facts->broken_rows;
	dump_skip(reader->context.facts, reader->line.number, text);
	machine->broken += reader->context.facts->broken_rows;
	if (++machine->foreign <= reader->context.limits->foreign_lines)
		return true;
	end_table(reader, machine, true);
	machine->state = IDLE;
	return true;
}

static bool in_closed(struct table_reader *reader, struct machine *machine, struct str text)
{
	if (parse_footer(text, &machine->end) || !str_trim(text).len)
		return true;
	end_table(reader, machine, false);
	/* the closing dashes of a table may be the opening ones of the next */
	machine->state = machine->dashes.count ? DASHED : IDLE;
	if (machine->state == IDLE)
		unwrap_stop(&machine->unwrap);
	return false;
}

static void run_machine(struct table_reader *reader, struct machine *machine, struct str text)
{
	static bool (*const steps[])(struct table_reader *, struct machine *, struct str) = {
		[IDLE] = in_idle,
		[DASHED] = in_dashed,
		[HEADED] = in_headed,
		[IN_ROWS] = in_rows,
		[CLOSED] = in_closed,
	};

	if (machine->unwrap.width && !unwrap_line(&machine->unwrap, text, &text))
		return;
	while (!steps[machine->state](reader, machine, text))
		;
}

/* --- lines */

static struct machine *machine_of(struct table_reader *reader, struct str text, struct str *ret_text)
{
	size_t count = reader->machines.count, len;

	*ret_text = text;
	for (size_t i = 0; i + 1 < count; i++) {
		/* the prefix of the line before first: [1, count) in a ring */
		size_t at = 1 + (reader->last_match + i) % (count - 1);

		len = prefix_match(&reader->machines.items[at]->prefix, text);
		if (len != STR_NONE) {
			reader->last_match = at - 1;
			*ret_text = str_skip(text, len);
			return reader->machines.items[at];
		}
	}
	return reader->machines.items[0];
}

static void take_lines(struct table_reader *reader)
{
	while (line_next(reader->lines, &reader->line)) {
		struct str text = reader->line.text;
		struct machine *machine = reader->machines.items[0];

		reader->lines_read++;
		if (reader->machines.count > 1)
			machine = machine_of(reader, text, &text);
		run_machine(reader, machine, text);
	}
}

/* --- the format */

static int table_sniff(struct str head)
{
	return head.len ? 1 : 0; /* any text may hold a table further down */
}

static void *table_open(const struct dump_context *context)
{
	struct table_reader *reader = MEM_NEW(struct table_reader, .context = *context,
		.lines = line_splitter_new(context->limits), .era = era_any(), .tally = tally_new(context));

	machine_add(reader);
	return reader;
}

static int table_feed(void *state, struct str chunk, struct err *err UNUSED)
{
	struct table_reader *reader = state;

	line_feed(reader->lines, chunk);
	take_lines(reader);
	return 0;
}

static int table_finish(void *state, struct err *err)
{
	struct table_reader *reader = state;
	struct dump_facts *facts = reader->context.facts;

	line_end(reader->lines);
	take_lines(reader);
	for (size_t i = 0; i < reader->machines.count; i++) {
		struct machine *machine = reader->machines.items[i];

		if (machine->begun && machine->state != CLOSED && !machine->layout.tree) {
			facts->torn_tables++;
			facts->torn_rows += machine->broken;
		}
		end_table(reader, machine, machine->state != CLOSED);
	}
	facts->long_lines = line_facts(reader->lines)->long_lines;
	facts->encoding = decoder_encoding(&line_facts(reader->lines)->decoded);
	if (!facts->tables) {
		err_set(err, ERR_NO_TABLE, "no profiler table found (%llu line%s read)",
			(unsigned long long)reader->lines_read, reader->lines_read == 1 ? "" : "s");
		return err_hint(err,
			"print prof.key_averages(group_by_input_shape=True).table(row_limit=-1) into the log; "
			"`opcheck snippet` shows how");
	}
	era_text(&reader->era, facts->torch_era, sizeof(facts->torch_era));
	tally_emit(reader->tally);
	return 0;
}

static void table_close(void *state)
{
	struct table_reader *reader = state;

	for (size_t i = 0; i < reader->machines.count; i++)
		machine_free(reader->machines.items[i]);
	free(reader->machines.items);
	line_splitter_free(reader->lines);
	tally_free(reader->tally);
	free(reader);
}

const struct dump_format dump_table = { "table", table_sniff, table_open, table_feed, table_finish, table_close };
