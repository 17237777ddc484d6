#include "dump/npu/db.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/figure.h"
#include "base/mem.h"
#include "dump/common/decode.h"
#include "dump/npu/cann.h"

enum { MAX_DEPTH = 1024, STEPS_A_CALL = 1000 * 1000, PATH_BYTES = 16384 };

/* An operator that has not ended where the reading is. */
struct open_call {
	struct buf name, shapes;
	int64_t start_ns, end_ns, children_ns;
};

struct db_reader {
	struct dump_context context;
	sqlite3 *sqlite;
	struct decoder *decoder;
	uint64_t calls; /* of the progress handler */
	unsigned stream;
	int64_t thread;
	struct open_call *stack[MAX_DEPTH]; /* allocated once each */
	size_t depth;
	bool any_shapes;
	uint64_t row;
};

bool npu_db_sniff(struct str head)
{
	return str_starts(head, STR("SQLite format 3"));
}

/* --- the connection */

static int on_progress(void *ctx)
{
	struct db_reader *reader = ctx;

	return ++reader->calls > reader->context.limits->database_steps;
}

/* Selecting from the two tables and looking into the schema is all that may happen. */
static int allow(
	void *ctx, int action, const char *first, const char *second, const char *database, const char *trigger)
{
	static const char *const tables[] = { "PYTORCH_API", "STRING_IDS", "sqlite_master", "sqlite_schema" };

	(void)ctx;
	(void)database;
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

static void harden(struct db_reader *reader)
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

	if (code == SQLITE_INTERRUPT || code == SQLITE_TOOBIG) {
		err_set(err, ERR_LIMIT, "the database asks for too much: %s", sqlite3_errmsg(reader->sqlite));
		return err_hint(err, "raise the limit with --limit %s=N",
			code == SQLITE_TOOBIG ? "csv-cell-bytes" : "database-steps");
	}
	err_set(err, ERR_FORMAT, "this is an SQLite database that cannot be read as one of torch_npu: %s",
		shown(str_from(sqlite3_errmsg(reader->sqlite))).text);
	return err_hint(err, "use operator_details.csv, or the database as the profiler wrote it");
}

static int open_database(struct db_reader *reader, const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf uri = BUF_INIT(PATH_BYTES);

	buf_add(&uri, STR("file:"));
	for (size_t i = 0; path[i]; i++) {
		if (is_word(path[i]) || path[i] == '/' || path[i] == '.' || path[i] == '-')
			buf_byte(&uri, path[i]);
		else
			buf_printf(&uri, "%%%02x", (unsigned char)path[i]);
	}
	buf_add(&uri, STR("?immutable=1"));
	if (uri.full)
		return err_set(err, ERR_OPEN, "the path is too long");
	if (sqlite3_open_v2(buf_text(&uri), &reader->sqlite,
		    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL))
		return sqlite_failed(reader, err);
	harden(reader);
	return 0;
}

/* --- the operators */

static void emit_call(struct db_reader *reader, const struct open_call *call, int64_t total_ns)
{
	const struct event_sink *sink = reader->context.sink;
	struct op_row row = { .name = buf_str(&call->name),
		.overload = STR(""),
		.shapes = buf_str(&call->shapes),
		.dtypes = STR(""),
		.calls = 1 };

	row.cpu_total_ns = total_ns;
	row.self_cpu_ns = total_ns - (call->children_ns < total_ns ? call->children_ns : total_ns);
	reader->any_shapes |= row.shapes.len > 0;
	reader->context.facts->rows++;
	sink->rows(sink->ctx, reader->stream, &row, 1);
}

/* Emits the innermost call; its time is none of its parent's own. */
static void close_call(struct db_reader *reader)
{
	struct open_call *call = reader->stack[--reader->depth];
	int64_t total_ns = call->end_ns - call->start_ns;

	if (reader->depth)
		reader->stack[reader->depth - 1]->children_ns = figure_add(
			reader->stack[reader->depth - 1]->children_ns, total_ns);
	emit_call(reader, call, total_ns);
}

static void close_ended(struct db_reader *reader, int64_t thread, int64_t start_ns)
{
	while (reader->depth && (thread != reader->thread || reader->stack[reader->depth - 1]->end_ns <= start_ns))
		close_call(reader);
	reader->thread = thread;
}

static struct open_call *push_call(struct db_reader *reader)
{
	struct open_call *call = reader->stack[reader->depth];

	if (!call) {
		call = mem_zalloc(sizeof(*call));
		call->name = BUF_UNLIMITED; /* four times a value of the database at most */
		call->shapes = BUF_UNLIMITED;
		reader->stack[reader->depth] = call;
	}
	buf_reset(&call->name);
	buf_reset(&call->shapes);
	call->children_ns = 0;
	reader->depth++;
	return call;
}

static struct str text_of(struct db_reader *reader, sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);
	struct str value = { text ? text : "", (size_t)sqlite3_column_bytes(statement, column) };

	return utf8_is_ascii(value) ? value : decode(reader->decoder, value);
}

static void take_row(struct db_reader *reader, sqlite3_stmt *statement)
{
	int64_t start_ns = sqlite3_column_int64(statement, 2), end_ns = sqlite3_column_int64(statement, 3), total_ns;
	struct str name = str_trim(text_of(reader, statement, 0)), shapes;
	struct open_call *call;

	reader->row++;
	close_ended(reader, sqlite3_column_int64(statement, 4), start_ns);
	if (!name.len || __builtin_sub_overflow(end_ns, start_ns, &total_ns) || total_ns < 0 ||
		reader->depth == MAX_DEPTH) {
		dump_skip_row(reader->context.facts, reader->row, name);
		return;
	}
	call = push_call(reader);
	call->start_ns = start_ns;
	call->end_ns = end_ns;
	buf_add(&call->name, name);
	shapes = str_trim(text_of(reader, statement, 1));
	if (shapes.len && !npu_shape_put(&call->shapes, shapes)) {
		reader->depth--;
		dump_skip_row(reader->context.facts, reader->row, shapes);
	}
}

/* --- the whole */

static int prepare(struct db_reader *reader, const char *sql, sqlite3_stmt **ret, struct err *err)
{
	return sqlite3_prepare_v2(reader->sqlite, sql, -1, ret, NULL) ? sqlite_failed(reader, err) : 0;
}

/* Both must be tables: a virtual one would run code that is not ours. */
static int check_tables(struct db_reader *reader, struct err *err)
{
	static const char sql[] =
		"SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name IN ('PYTORCH_API', 'STRING_IDS')"
		" AND sql NOT LIKE 'CREATE VIRTUAL%'";
	sqlite3_stmt *statement = NULL;
	int status = prepare(reader, sql, &statement, err), step = SQLITE_DONE;
	unsigned found = 0;

	while (!status && (step = sqlite3_step(statement)) == SQLITE_ROW)
		found++;
	if (!status && step != SQLITE_DONE)
		status = sqlite_failed(reader, err);
	sqlite3_finalize(statement);
	if (!status && found != 2) {
		err_set(err, ERR_FORMAT, "this is an SQLite database without the tables PYTORCH_API and STRING_IDS");
		status = err_hint(
			err, "use ascend_pytorch_profiler_RANK.db of a run with record_op, or operator_details.csv");
	}
	return status;
}

/* Parents before children. 50001 is the type of operators; the others are queues, marks and steps. */
static int read_calls(struct db_reader *reader, struct err *err)
{
	static const char sql[] =
		"SELECT n.value, s.value, CAST(p.startNs AS INTEGER) AS began, CAST(p.endNs AS INTEGER) AS ended,"
		" p.globalTid FROM PYTORCH_API AS p LEFT JOIN STRING_IDS AS n ON n.id = p.name"
		" LEFT JOIN STRING_IDS AS s ON s.id = p.inputShapes WHERE p.type = 50001"
		" ORDER BY p.globalTid, began, ended DESC, 1, 2";
	const struct event_sink *sink = reader->context.sink;
	struct table_end end = { -1, -1, -1, false, 0 };
	sqlite3_stmt *statement = NULL;
	int status = prepare(reader, sql, &statement, err), step = SQLITE_DONE;

	if (status)
		return status;
	reader->stream = sink->stream(sink->ctx, STR(""));
	sink->table_begin(sink->ctx, reader->stream, TABLE_HAS_SHAPES | TABLE_HAS_TIMES | TABLE_NO_STEPS);
	while ((step = sqlite3_step(statement)) == SQLITE_ROW)
		take_row(reader, statement);
	if (step != SQLITE_DONE)
		status = sqlite_failed(reader, err);
	sqlite3_finalize(statement);
	while (reader->depth)
		close_call(reader);
	end.lacks = reader->any_shapes ? 0 : TABLE_HAS_SHAPES;
	sink->table_end(sink->ctx, reader->stream, &end);
	return status;
}

static void free_reader(struct db_reader *reader)
{
	for (size_t i = 0; i < MAX_DEPTH && reader->stack[i]; i++) {
		buf_clear(&reader->stack[i]->name);
		buf_clear(&reader->stack[i]->shapes);
		free(reader->stack[i]);
	}
	sqlite3_close(reader->sqlite);
	decoder_free(reader->decoder);
	free(reader);
}

int npu_db_read(const char *path, const struct dump_context *context, struct err *err)
{
	struct db_reader *reader = mem_zalloc(sizeof(*reader));
	int status;

	reader->context = *context;
	reader->decoder = decoder_new();
	context->facts->format = "npu-db";
	device_observe(&context->facts->device, DEVICE_NPU, "database");
	status = open_database(reader, path, err);
	if (!status)
		status = check_tables(reader, err);
	if (!status) {
		context->facts->tables = 1;
		status = read_calls(reader, err);
		context->facts->encoding = decoder_encoding(decoder_facts(reader->decoder));
	}
	free_reader(reader);
	return status;
}
