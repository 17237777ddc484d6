#include "check/score/observations.h"

#include <csv.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"
#include "io/text.h"
#include "opdb/db/note.h"
#include "opdb/model/dtype.h"

enum column {
	COLUMN_TARGET,
	COLUMN_TORCH,
	COLUMN_PLUGIN,
	COLUMN_OP,
	COLUMN_OBSERVED,
	COLUMN_DETAIL,
	COLUMN_DATE,
	COLUMN_SOURCE,
	COLUMN_CHIP,
	COLUMN_DTYPE,
	COLUMN_CONFIDENCE,
	COLUMN_COUNT
};

enum { CELLS = 64, ROW_BYTES = 1 << 20, OBSERVATIONS = 1 << 20, OBSERVATION_BYTES = 512 << 20, NO_QUOTE = 0x1f };

static const struct str columns[COLUMN_COUNT] = { STR("target"), STR("torch_version"), STR("plugin_version"), STR("op"),
	STR("observed"), STR("detail"), STR("date"), STR("source"), STR("chip"), STR("dtype"), STR("confidence") };

static const bool required[COLUMN_COUNT] = { [COLUMN_TARGET] = true, [COLUMN_OP] = true, [COLUMN_OBSERVED] = true };

/* A table under way. */
struct table_reading {
	struct observations *observations;
	struct csv_parser parser;
	bool tabs, has_header;
	int place[COLUMN_COUNT]; /* of each column, -1: it is not there */
	struct str cells[CELLS];
	size_t cell_count, line, row_bytes;
	struct err *err;
	int status;
};

static int row_error(struct table_reading *reading, const char *what, struct str cell)
{
	err_set(reading->err, ERR_FORMAT, "%s '%s'", translated(what), shown(cell).text);
	reading->status = err_where(reading->err, "line %zu", reading->line);
	return reading->status;
}

static void take_cell(void *text, size_t len, void *ctx)
{
	struct table_reading *reading = ctx;
	struct str cell = str_trim((struct str){ text, len }), copy = STR("");
	size_t bad_at;

	if (reading->status)
		return;
	if (reading->tabs && str_eq(cell, STR(".")))
		cell = STR("");
	if (!utf8_valid(cell, &bad_at))
		row_error(reading, "not in UTF-8: cell", STR("?"));
	else if (reading->cell_count == CELLS || !arena_copy(&reading->observations->arena, cell, &copy))
		reading->status = err_set(reading->err, ERR_LIMIT, "the table has too many cells");
	else
		reading->cells[reading->cell_count++] = copy;
}

static void take_header(struct table_reading *reading)
{
	for (unsigned column = 0; column < COLUMN_COUNT; column++) {
		reading->place[column] = -1;
		for (size_t i = 0; i < reading->cell_count; i++) {
			struct str cell = reading->cells[i];

			if (!i && str_starts(cell, STR("# ")))
				cell = str_skip(cell, 2);
			if (str_eq(cell, columns[column]))
				reading->place[column] = (int)i;
		}
		if (required[column] && reading->place[column] < 0)
			row_error(reading, "no table of observations, the header lacks the column", columns[column]);
	}
	reading->has_header = true;
}

static struct str cell_of(const struct table_reading *reading, enum column column)
{
	int place = reading->place[column];

	return place >= 0 && (size_t)place < reading->cell_count ? reading->cells[place] : STR("");
}

/* "float32,int4": of types that no tensor of PyTorch has, a row is counted. */
static unsigned take_types(struct table_reading *reading, struct str list)
{
	struct observations *observations = reading->observations;
	struct str word = { 0 };
	bool unknown = false;
	unsigned types = 0;

	while (list.len && str_cut(&list, ',', &word)) {
		unsigned type = dtype_from(str_trim(word));

		if (!type && !observations->unknown_type_line) {
			observations->unknown_type = str_trim(word);
			observations->unknown_type_line = reading->line;
		}
		unknown |= !type;
		types |= type;
	}
	observations->unknown_types += unknown;
	return types;
}

/* "aten::add.out" */
static bool split_op(struct str op, struct observation *ret)
{
	size_t colons = str_find(op, STR("::")), dot;

	if (str_starts(op, STR("torch."))) { /* no operator: a function of PyTorch's */
		*ret = (struct observation){ .ns = STR("torch"), .base = str_skip(op, 6), .overload = STR("") };
		return true;
	}
	if (colons == STR_NONE || !colons)
		return false;
	ret->ns = str_sub(op, 0, colons);
	ret->base = str_skip(op, colons + 2);
	dot = str_find(ret->base, STR("."));
	ret->overload = dot == STR_NONE ? STR("") : str_skip(ret->base, dot + 1);
	ret->base = dot == STR_NONE ? ret->base : str_sub(ret->base, 0, dot);
	return ret->base.len > 0;
}

static int take_observation(struct table_reading *reading)
{
	struct observation observation = { 0 };
	struct str observed = cell_of(reading, COLUMN_OBSERVED);
	unsigned kind = 0;

	if (!split_op(cell_of(reading, COLUMN_OP), &observation))
		return row_error(
			reading, "an operator is written with its namespace, not", cell_of(reading, COLUMN_OP));
	observation.line = reading->line;
	observation.detail = cell_of(reading, COLUMN_DETAIL);
	observation.source = cell_of(reading, COLUMN_SOURCE);
	observation.loose = str_eq(cell_of(reading, COLUMN_CONFIDENCE), STR("loose"));
	observation.versions = (struct versions_named){ .torch = cell_of(reading, COLUMN_TORCH),
		.plugin = cell_of(reading, COLUMN_PLUGIN),
		.date = cell_of(reading, COLUMN_DATE) };
	if (!target_kind_from(cell_of(reading, COLUMN_TARGET), &observation.versions.target))
		return row_error(reading, "a target is npu or musa, not", cell_of(reading, COLUMN_TARGET));
	observation.chips = chips_listed(observation.versions.target, cell_of(reading, COLUMN_CHIP));
	observation.types = take_types(reading, cell_of(reading, COLUMN_DTYPE));
	if (!word_find(&observed_words, observed, &kind))
		return row_error(reading, "no observation is called", observed);
	observation.observed = (enum observed)kind;
	if (reading->observations->count == OBSERVATIONS)
		return reading->status = err_set(
			       reading->err, ERR_LIMIT, "the table has more than %d rows", OBSERVATIONS);
	MEM_PUSH(reading->observations, observation);
	return 0;
}

static void take_row(int end UNUSED, void *ctx)
{
	struct table_reading *reading = ctx;
	bool blank = !reading->cell_count || (reading->cell_count == 1 && !reading->cells[0].len);

	reading->row_bytes = 0;
	if (!reading->status && !reading->has_header)
		take_header(reading);
	else if (!reading->status && !blank)
		take_observation(reading);
	reading->cell_count = 0;
}

/* Line by line, so that an error has its line. */
static int parse_lines(struct table_reading *reading, struct str text)
{
	while (text.len && !reading->status) {
		size_t end = str_find(text, STR("\n"));
		size_t len = end == STR_NONE ? text.len : end + 1;

		reading->row_bytes += len;
		if (reading->row_bytes > ROW_BYTES) {
			err_set(reading->err, ERR_LIMIT, "a row has more than %d bytes", ROW_BYTES);
			return reading->status = err_where(reading->err, "line %zu", reading->line);
		}
		if (csv_parse(&reading->parser, text.ptr, len, take_cell, take_row, reading) != len)
			return row_error(reading, csv_strerror(csv_error(&reading->parser)), STR("quotes"));
		reading->line += end != STR_NONE;
		text = str_skip(text, len);
	}
	return reading->status;
}

static int read_all(struct text *text, struct table_reading *reading)
{
	struct str chunk;
	int more;

	while ((more = text_next(text, &chunk, reading->err)) > 0) {
		more = parse_lines(reading, chunk);
		if (more)
			return more;
	}
	if (more)
		return more;
	if (csv_fini(&reading->parser, take_cell, take_row, reading))
		return row_error(reading, "the table ends inside", STR("quotes"));
	if (!reading->status && !reading->has_header)
		return err_set(reading->err, ERR_EMPTY, "the table is empty");
	return reading->status;
}

int observations_read(struct source *source, bool tabs, struct observations *ret, struct err *err)
{
	struct table_reading reading = { .observations = ret, .tabs = tabs, .line = 1, .err = err };
	struct text *text;
	int status;

	*ret = (struct observations){ .arena = ARENA_INIT(OBSERVATION_BYTES) };
	if (csv_init(&reading.parser, tabs ? 0 : CSV_STRICT | CSV_STRICT_FINI))
		return err_set(err, ERR_INTERNAL, "the reader of CSV does not start");
	if (tabs) {
		csv_set_delim(&reading.parser, CSV_TAB);
		csv_set_quote(&reading.parser, NO_QUOTE);
	}
	text = text_new(source);
	status = read_all(text, &reading);
	text_free(text);
	csv_free(&reading.parser);
	return status;
}

void observations_clear(struct observations *observations)
{
	free(observations->items);
	arena_clear(&observations->arena);
	*observations = (struct observations){ 0 };
}
