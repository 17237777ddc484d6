#include "dump/npu/db.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/memory/arena.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/setup/clock.h"
#include "base/value/figure.h"
#include "dump/common/decode.h"
#include "dump/npu/cann.h"
#include "dump/npu/db_file.h"

enum { MAX_DEPTH = 1024, STEPS_A_CALL = 1000 * 1000 };

/* A row of PYTORCH_API. */
struct db_call {
	int64_t thread, start_ns, end_ns;
	uint32_t name, shapes; /* texts; 0: none */
	uint32_t row;          /* from 1 */
};

struct db_text {
	int64_t id;
	struct str text;
	bool known, broken; /* broken: not a list of shapes */
};

/* Texts that calls name by their ids in STRING_IDS. Of rows with the same id the first one counts. */
struct text_table {
	struct map by_id;
	MEM_LIST(struct db_text) items; /* the first one is not text */
};

/* An operator that has not ended where the reading is. */
struct open_call {
	const struct db_call *call;
	int64_t children_ns;
};

struct db_reader {
	struct dump_context context;
	sqlite3 *sqlite;
	struct decoder *decoder;
	uint64_t progress;   /* calls of its handler */
	int64_t deadline_ms; /* of the monotonic clock */
	bool late;
	unsigned tables; /* of the two that are read */
	MEM_LIST(struct db_call) calls;
	struct text_table names, shapes;
	struct arena text;
	unsigned stream;
	struct open_call stack[MAX_DEPTH];
	size_t depth;
	int64_t thread;
	bool any_shapes;
};

bool npu_db_sniff(struct str head)
{
	return str_starts(head, STR("SQLite format 3"));
}

/* --- the connection */

static int on_progress(void *ctx)
{
	struct db_reader *reader = ctx;

	reader->late = clock_ms() > reader->deadline_ms;
	return reader->late || ++reader->progress > reader->context.limits->database_steps;
}

/* Selecting from the two tables and looking into the schema is all that may happen. */
static int allow(void *ctx UNUSED, int action, const char *first, const char *second, const char *database UNUSED,
	const char *trigger)
{
	static const char *const tables[] = { "PYTORCH_API", "STRING_IDS", "sqlite_master", "sqlite_schema" };

	if (trigger)
		return SQLITE_DENY;
	if (action == SQLITE_SELECT || (action == SQLITE_FUNCTION && second && strcmp(second, "like") == 0))
		return SQLITE_OK;
	for (size_t i = 0; action == SQLITE_READ && i < ARRAY_SIZE(tables); i++) {
		if (sqlite3_stricmp(first, tables[i]) == 0)
			return SQLITE_OK;
	}
	return SQLITE_DENY;
}

static void harden_database(struct db_reader *reader)
{
	sqlite3 *sqlite = reader->sqlite;
	uint64_t value_bytes = reader->context.limits->csv_cell_bytes;

	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(sqlite, SQLITE_LIMIT_LENGTH, value_bytes < INT32_MAX ? (int)value_bytes : INT32_MAX);
	sqlite3_limit(sqlite, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_exec(sqlite, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
	sqlite3_set_authorizer(sqlite, allow, NULL);
	sqlite3_progress_handler(sqlite, STEPS_A_CALL, on_progress, reader);
}

static int sqlite_failed(const struct db_reader *reader, struct err *err)
{
	int code = sqlite3_errcode(reader->sqlite);

	if (code == SQLITE_NOMEM)
		mem_failed();
	if (code == SQLITE_INTERRUPT || code == SQLITE_TOOBIG) {
		err_set(err, ERR_LIMIT, "the database exceeds a limit: %s", sqlite3_errmsg(reader->sqlite));
		return err_hint(err, "raise the limit with --limit %s=N",
			code == SQLITE_TOOBIG ? "csv-cell-bytes"
			: reader->late        ? "database-seconds"
					      : "database-steps");
	}
	err_set(err, ERR_FORMAT, "this is an SQLite database that cannot be read as one of torch_npu: %s",
		shown(str_from(sqlite3_errmsg(reader->sqlite))).text);
	return err_hint(err, "use operator_details.csv, or the database as the profiler wrote it");
}

static int open_database(struct db_reader *reader, const struct source *source, struct err *err)
{
	struct file_span span;
	int fd = source_file(source, &span);

	if (npu_db_open_file(fd, &span, &reader->sqlite))
		return sqlite_failed(reader, err);
	harden_database(reader);
	return 0;
}

/* --- rows into memory */

static int check_memory(const struct db_reader *reader, struct err *err)
{
	size_t texts = reader->names.items.capacity + reader->shapes.items.capacity;

	if (reader->calls.capacity * sizeof(struct db_call) + texts * sizeof(struct db_text) +
			reader->text.used_bytes <=
		reader->context.limits->database_bytes)
		return 0;
	err_set(err, ERR_LIMIT, "the calls of the database and their texts need more than %llu bytes of memory",
		(unsigned long long)reader->context.limits->database_bytes);
	return err_hint(err, "profile fewer steps, or raise the limit with --limit database-bytes=N");
}

static uint64_t hash_id(int64_t id)
{
	return hash_mix((uint64_t)id ^ hash_seed(), 0x9e3779b97f4a7c15u);
}

/* The place of an id in the table; 0 when it is not there. */
static uint32_t find_text(const struct text_table *table, int64_t id)
{
	struct map_cursor at = map_start(&table->by_id, hash_id(id));

	while (map_next(&table->by_id, &at)) {
		if (table->items.items[at.index].id == id)
			return at.index;
	}
	return 0;
}

/* The place of the text that a column names. */
static uint32_t text_place(struct text_table *table, sqlite3_stmt *row, int column)
{
	int64_t id = sqlite3_column_int64(row, column);
	uint32_t place;

	if (sqlite3_column_type(row, column) == SQLITE_NULL)
		return 0;
	place = find_text(table, id);
	if (place)
		return place;
	place = (uint32_t)table->items.count;
	map_add(&table->by_id, hash_id(id), place);
	MEM_PUSH(&table->items, ((struct db_text){ .id = id, .text = STR("") }));
	return place;
}

static int hold_call(struct db_reader *reader, sqlite3_stmt *row, struct err *err)
{
	struct db_call call = { .thread = sqlite3_column_int64(row, 2),
		.start_ns = sqlite3_column_int64(row, 0),
		.end_ns = sqlite3_column_int64(row, 1),
		.name = text_place(&reader->names, row, 3),
		.shapes = text_place(&reader->shapes, row, 4),
		.row = (uint32_t)reader->calls.count + 1 };

	MEM_PUSH(&reader->calls, call);
	return check_memory(reader, err);
}

/* Invalid shapes stay as they are, to be shown. */
static struct str hold_shapes(struct db_reader *reader, struct db_text *text, struct str value)
{
	CLEANUP(buf_clear) struct buf shapes = BUF_UNLIMITED; /* four times a value of the database at most */

	text->broken = value.len && !npu_shape_put(&shapes, value);
	return arena_keep(&reader->text, text->broken ? value : buf_str(&shapes));
}

static int hold_text(struct db_reader *reader, sqlite3_stmt *row, struct err *err)
{
	struct text_table *const tables[] = { &reader->names, &reader->shapes };
	int64_t id = sqlite3_column_int64(row, 0);

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct db_text *text = &tables[i]->items.items[find_text(tables[i], id)];
		const void *bytes;
		struct str value;

		if (text == tables[i]->items.items || text->known)
			continue;
		bytes = sqlite3_column_type(row, 1) == SQLITE_TEXT ? sqlite3_column_blob(row, 1)
								   : sqlite3_column_text(row, 1);
		if (!bytes && sqlite3_errcode(reader->sqlite) == SQLITE_NOMEM)
			return sqlite_failed(reader, err);
		value = (struct str){ bytes ? bytes : "", (size_t)sqlite3_column_bytes(row, 1) };
		text->known = true;
		value = str_trim(utf8_is_ascii(value) ? value : decode(reader->decoder, value));
		text->text = tables[i] == &reader->shapes ? hold_shapes(reader, text, value)
							  : arena_keep(&reader->text, value);
	}
	return check_memory(reader, err);
}

/* --- the operators */

/* Emit the innermost call; its time is not part of its parent's own. */
static void close_call(struct db_reader *reader)
{
	const struct event_sink *sink = reader->context.sink;
	const struct open_call *open = &reader->stack[--reader->depth];
	int64_t total_ns = open->call->end_ns - open->call->start_ns;
	struct op_row row = { .name = reader->names.items.items[open->call->name].text,
		.shapes = reader->shapes.items.items[open->call->shapes].text,
		.calls = 1,
		.cpu_total_ns = total_ns };

	row.self_cpu_ns = total_ns - (open->children_ns < total_ns ? open->children_ns : total_ns);
	if (reader->depth)
		reader->stack[reader->depth - 1].children_ns = figure_add(
			reader->stack[reader->depth - 1].children_ns, total_ns);
	reader->any_shapes |= row.shapes.len > 0;
	reader->context.facts->rows++;
	sink->rows(sink->ctx, reader->stream, &row, 1);
}

static void close_ended(struct db_reader *reader, int64_t thread, int64_t start_ns)
{
	while (reader->depth && (thread != reader->thread || reader->stack[reader->depth - 1].call->end_ns <= start_ns))
		close_call(reader);
	reader->thread = thread;
}

static void open_call(struct db_reader *reader, const struct db_call *call)
{
	struct str name = reader->names.items.items[call->name].text;
	const struct db_text *shapes = &reader->shapes.items.items[call->shapes];
	int64_t total_ns;

	close_ended(reader, call->thread, call->start_ns);
	if (!name.len || __builtin_sub_overflow(call->end_ns, call->start_ns, &total_ns) || total_ns < 0 ||
		reader->depth == MAX_DEPTH || shapes->broken)
		dump_skip_row(reader->context.facts, call->row, shapes->broken ? shapes->text : name);
	else
		reader->stack[reader->depth++] = (struct open_call){ call, 0 };
}

/* Parents before children, threads one after the other. */
static int by_nesting(const void *a, const void *b)
{
	const struct db_call *left = a, *right = b;

	return ORDER(left->thread, right->thread) ?: ORDER(left->start_ns, right->start_ns)
	       ?: ORDER(right->end_ns, left->end_ns) ?: ORDER(left->row, right->row);
}

static void emit_calls(struct db_reader *reader)
{
	const struct event_sink *sink = reader->context.sink;
	struct table_end end = { -1, -1, -1, false, 0 };

	MEM_SORT(&reader->calls, by_nesting);
	reader->stream = sink->stream(sink->ctx, STR(""));
	sink->table_begin(sink->ctx, reader->stream, TABLE_HAS_SHAPES | TABLE_HAS_TIMES | TABLE_NO_STEPS);
	for (size_t i = 0; i < reader->calls.count; i++)
		open_call(reader, &reader->calls.items[i]);
	while (reader->depth)
		close_call(reader);
	end.lacks = reader->any_shapes ? 0 : TABLE_HAS_SHAPES;
	sink->table_end(sink->ctx, reader->stream, &end);
}

/* --- the whole */

/* Every row of a query goes to hold. */
static int read_rows(struct db_reader *reader, const char *sql,
	int (*hold)(struct db_reader *reader, sqlite3_stmt *row, struct err *err), struct err *err)
{
	sqlite3_stmt *statement = NULL;
	int status = 0, step = SQLITE_ROW;

	if (sqlite3_prepare_v2(reader->sqlite, sql, -1, &statement, NULL))
		return sqlite_failed(reader, err);
	while (!status && (step = sqlite3_step(statement)) == SQLITE_ROW)
		status = hold(reader, statement, err);
	if (!status && step != SQLITE_DONE)
		status = sqlite_failed(reader, err);
	sqlite3_finalize(statement);
	return status;
}

static int count_table(struct db_reader *reader, sqlite3_stmt *row UNUSED, struct err *err UNUSED)
{
	reader->tables++;
	return 0;
}

/* Both must be tables: a virtual one would run code that is not ours. */
static int check_tables(struct db_reader *reader, struct err *err)
{
	static const char sql[] =
		"SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name IN ('PYTORCH_API', 'STRING_IDS')"
		" AND sql NOT LIKE 'CREATE VIRTUAL%'";
	int status = read_rows(reader, sql, count_table, err);

	if (status || reader->tables == 2)
		return status;
	err_set(err, ERR_FORMAT, "this is an SQLite database without the tables PYTORCH_API and STRING_IDS");
	return err_hint(err, "use ascend_pytorch_profiler_RANK.db of a run with record_op, or operator_details.csv");
}

/* Each table is read once, in its own order, and nothing is asked of SQLite but that: a join or an order over texts is
   work that a small file can make endless. 50001 is the type of operators; the others are queues, marks and steps. */
static int read_tables(struct db_reader *reader, struct err *err)
{
	static const char calls[] =
		"SELECT CAST(startNs AS INTEGER), CAST(endNs AS INTEGER), globalTid, name, inputShapes"
		" FROM PYTORCH_API NOT INDEXED WHERE type = 50001";
	int status = read_rows(reader, calls, hold_call, err);

	return status ? status : read_rows(reader, "SELECT id, value FROM STRING_IDS NOT INDEXED", hold_text, err);
}

static void clear_texts(struct text_table *table)
{
	map_clear(&table->by_id);
	free(table->items.items);
}

static void free_reader(struct db_reader *reader)
{
	sqlite3_close(reader->sqlite);
	decoder_free(reader->decoder);
	free(reader->calls.items);
	clear_texts(&reader->names);
	clear_texts(&reader->shapes);
	arena_clear(&reader->text);
	free(reader);
}

static struct db_reader *reader_new(const struct dump_context *context)
{
	struct db_reader *reader = mem_zalloc(sizeof(*reader));

	reader->context = *context;
	reader->decoder = decoder_new();
	reader->text = ARENA_INIT(ARENA_UNLIMITED); /* check_memory bounds it */
	reader->deadline_ms = clock_ms() + (int64_t)context->limits->database_seconds * 1000;
	MEM_PUSH(&reader->names.items, ((struct db_text){ .text = STR("") }));
	MEM_PUSH(&reader->shapes.items, ((struct db_text){ .text = STR("") }));
	return reader;
}

int npu_db_read(const struct source *source, const struct dump_context *context, struct err *err)
{
	struct db_reader *reader = reader_new(context);
	int status = open_database(reader, source, err);

	context->facts->format = "npu-db";
	device_observe(&context->facts->device, DEVICE_NPU, "database");
	if (!status)
		status = check_tables(reader, err);
	if (!status)
		status = read_tables(reader, err);
	if (!status) {
		context->facts->tables = 1;
		emit_calls(reader);
		context->facts->encoding = decoder_encoding(decoder_facts(reader->decoder));
	}
	free_reader(reader);
	return status;
}
