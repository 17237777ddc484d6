#include "opdb/build.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/mem.h"
#include "opdb/fact_text.h"
#include "opdb/opdb.h"
#include "opdb/schema.h"

enum { PATH_BYTES = 4096, SHORT_DIGEST = 12, TEXT_BYTES = 256 * 1024 * 1024, FILES = 64 };

/* Recipes have a file each. */
enum { RECIPE_FILES = 512 };

/* An error of SQLite itself while writing; a broken constraint is an error in the text and has its row. */
static int output_error(const struct build *build, struct err *err)
{
	return err_set(err, ERR_OUTPUT, "cannot write the database: %s", sqlite3_errmsg(build->db));
}

struct str build_cell(const struct build *build, const struct tsv *tsv, const char *column)
{
	struct str columns = str_from(build->table->columns), name = { 0 };

	for (size_t i = 0; str_cut(&columns, ' ', &name); i++) {
		if (str_eq(name, str_from(column)))
			return tsv->cells[i];
	}
	return STR("");
}

void build_bind(struct build *build, const char *parameter, int64_t value)
{
	sqlite3_bind_int64(build->insert, sqlite3_bind_parameter_index(build->insert, parameter), value);
}

void build_bind_text(struct build *build, const char *parameter, struct str value)
{
	sqlite3_bind_text(build->insert, sqlite3_bind_parameter_index(build->insert, parameter), value.ptr,
		(int)value.len, SQLITE_STATIC);
}

void build_bind_base(struct build *build, struct str op)
{
	struct str base = op;

	str_cut(&op, '.', &base);
	build_bind_text(build, ":base", base);
}

int build_bind_source(
	struct build *build, const struct tsv *tsv, struct str name, const char *parameter, struct err *err)
{
	unsigned place;

	if (!name.len) {
		sqlite3_bind_null(build->insert, sqlite3_bind_parameter_index(build->insert, parameter));
		return 0;
	}
	if (!axis_find(&build->sources, name, &place))
		return tsv_error(tsv, err, "unknown source \"%.*s\"", STR_ARG(name));
	build_bind(build, parameter, (int64_t)place + 1);
	return 0;
}

/* Binds each cell to the parameter that is called like its column, where the statement has one. */
static void bind_cells(struct build *build, const struct tsv *tsv)
{
	struct str columns = str_from(build->table->columns), name = { 0 };
	char parameter[64];

	for (size_t i = 0; str_cut(&columns, ' ', &name); i++) {
		snprintf(parameter, sizeof(parameter), ":%.*s", STR_ARG(name));
		build_bind_text(build, parameter, tsv->cells[i]);
	}
}

int build_insert(struct build *build, const struct tsv *tsv, struct err *err)
{
	int result = sqlite3_step(build->insert);

	if (result != SQLITE_DONE && sqlite3_errcode(build->db) == SQLITE_CONSTRAINT)
		tsv_error(tsv, err, "%s", sqlite3_errmsg(build->db));
	else if (result != SQLITE_DONE)
		output_error(build, err);
	sqlite3_reset(build->insert);
	return result == SQLITE_DONE ? 0 : -err->code;
}

/* The order of the row's key against that of the row before: <0 means out of order. */
static int key_order(const struct build *build, const struct tsv *tsv)
{
	int order = 0;

	for (size_t i = 0; i < build->table->keys && !order; i++)
		order = str_cmp(tsv->cells[i], build->key[i]);
	return order;
}

/* Rows stand in the order of their keys, those of one key in the order of their spans, and no two of them overlap. */
static int check_span(struct build *build, const struct tsv *tsv, const struct axis *axis, struct span span,
	bool begins, struct err *err)
{
	int order = begins ? key_order(build, tsv) : 0;

	if (order < 0 || (begins && !order && span.first <= build->key_first))
		return tsv_error(tsv, err, "the row is out of order or there twice");
	if (order)
		memset(build->covered, 0, sizeof(build->covered));
	for (unsigned place = span.first; place <= span.last; place++) {
		if (build->covered[place])
			return tsv_error(
				tsv, err, "a row of the same key covers \"%.*s\" too", STR_ARG(axis->items[place]));
		build->covered[place] = true;
	}
	if (begins) {
		memcpy(build->key, tsv->cells, build->table->keys * sizeof(build->key[0]));
		build->key_first = span.first;
	}
	return 0;
}

static int insert_span(struct build *build, const struct tsv *tsv, struct timeline *timeline, struct span span,
	unsigned dense, struct err *err)
{
	timeline_count(timeline, span, dense);
	build_bind(build, ":first", span.first);
	build_bind(build, ":last", span.last);
	return build_insert(build, tsv, err);
}

int build_insert_spans(
	struct build *build, const struct tsv *tsv, struct timeline *timeline, unsigned dense, struct err *err)
{
	struct str rest = tsv->cells[tsv->count - 1], name = { 0 };
	struct span span;
	bool begins = true;
	int code = 0;

	while (!code) {
		switch (axis_span(&timeline->axis, &rest, &span, &name)) {
		case SPAN_END:
			return 0;
		case SPAN_UNKNOWN:
			return tsv_error(tsv, err, "unknown release or version \"%.*s\" in the span", STR_ARG(name));
		case SPAN_REVERSED:
			return tsv_error(tsv, err, "the span up to \"%.*s\" ends before it begins", STR_ARG(name));
		case SPAN_OK:
			break;
		}
		code = check_span(build, tsv, &timeline->axis, span, begins, err);
		if (!code)
			code = insert_span(build, tsv, timeline, span, dense, err);
		begins = false;
	}
	return code;
}

static int add_source(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str repository = build_cell(build, tsv, "repository");

	if (!str_starts(repository, STR("https://")))
		return tsv_error(tsv, err, "repository \"%.*s\" is no https address", STR_ARG(repository));
	if (!axis_add(&build->sources, tsv->cells[0]))
		return tsv_error(tsv, err, "source \"%.*s\" is there already", STR_ARG(tsv->cells[0]));
	build_bind(build, ":id", (int64_t)build->sources.count);
	return build_insert(build, tsv, err);
}

static const struct fact_table source_tables[] = {
	{
		.file = "sources.tsv",
		.columns = "source target repository ref path kind remark",
		.insert = "INSERT INTO source VALUES (:id, :source, :target, :repository, :ref, :path, :kind, :remark)",
		.row = add_source,
	},
	{ .file = NULL },
};

static const struct fact_table *const table_lists[] = { source_tables, torch_tables, release_tables, rule_tables,
	limit_tables, recipe_tables };

static int read_rows(struct build *build, struct tsv *tsv, struct err *err)
{
	int more;

	memset(build->key, 0, sizeof(build->key));
	while ((more = tsv_next(tsv, err)) > 0) {
		int code;

		if (build->insert)
			bind_cells(build, tsv);
		code = build->table->row(build, tsv, err);
		if (code)
			return code;
	}
	if (more < 0)
		return more;
	return build->table->end ? build->table->end(build, err) : 0;
}

static int read_table(struct build *build, const struct fact_table *table, struct str text, struct err *err)
{
	struct tsv tsv;
	int code = tsv_open(&tsv, str_from(table->file), text, str_from(table->columns), err);

	if (code)
		return code;
	build->table = table;
	build->insert = NULL;
	if (table->insert && sqlite3_prepare_v2(build->db, table->insert, -1, &build->insert, NULL) != SQLITE_OK)
		return output_error(build, err);
	code = read_rows(build, &tsv, err);
	sqlite3_finalize(build->insert);
	return code;
}

static int execute(struct build *build, const char *sql, struct err *err)
{
	return sqlite3_exec(build->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : output_error(build, err);
}

static const char insert_info_text[] =
	"INSERT INTO info VALUES (:build, :built_at, :sha256, (SELECT count(*) FROM name),"
	" (SELECT count(*) FROM support))";

/* Names that Python replaces ("python-patch") are no operators. */
static const char insert_names[] =
	"INSERT INTO name SELECT 'aten', base FROM universe UNION SELECT ns, base FROM support"
	" UNION SELECT ns, base FROM package_kernel WHERE key <> 'python-patch'";

/* When the text says that it was built: RFC 3339, in a form that does not depend on when or where this runs. */
static int built_at(const struct build *build, struct buf *ret, struct err *err)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	char text[32];
	uint64_t seconds;
	struct tm tm;
	time_t when;

	if (!epoch) {
		buf_printf(ret, "%.*sT00:00:00Z", STR_ARG(build->newest_date));
		return 0;
	}
	if (!decimal_unsigned(str_from(epoch), &seconds) || seconds > INT32_MAX * (uint64_t)100)
		return err_set(err, ERR_VALUE, "SOURCE_DATE_EPOCH is no number of seconds since 1970");
	when = (time_t)seconds;
	gmtime_r(&when, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	buf_add(ret, str_from(text));
	return 0;
}

static int insert_info(struct build *build, const struct fact_text *text, struct err *err)
{
	CLEANUP(buf_clear) struct buf when = BUF_INIT(64);
	struct str sha256 = str_from(text->sha256);
	int code = built_at(build, &when, err);

	if (code)
		return code;
	if (sqlite3_prepare_v2(build->db, insert_info_text, -1, &build->insert, NULL))
		return output_error(build, err);
	build_bind_text(build, ":build", str_sub(sha256, 0, SHORT_DIGEST));
	build_bind_text(build, ":built_at", buf_str(&when));
	build_bind_text(build, ":sha256", sha256);
	if (sqlite3_step(build->insert) != SQLITE_DONE)
		code = output_error(build, err);
	sqlite3_finalize(build->insert);
	return code;
}

static int fill(struct build *build, const struct fact_text *text, struct err *err)
{
	int code = execute(
		build, "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", err);

	if (!code)
		code = execute(build, opdb_schema, err);
	for (size_t i = 0; !code && i < ARRAY_SIZE(table_lists); i++) {
		for (const struct fact_table *table = table_lists[i]; !code && table->file; table++)
			code = read_table(build, table, fact_text_find(text, str_from(table->file)), err);
	}
	if (!code)
		code = execute(build, insert_names, err);
	if (!code)
		code = insert_info(build, text, err);
	return code ? code : execute(build, "COMMIT", err);
}

static void build_clear(struct build *build)
{
	axis_clear(&build->sources);
	axis_clear(&build->rules);
	axis_clear(&build->recipes);
	axis_clear(&build->fallbacks);
	free(build->fallback.items);
	timeline_clear(&build->torch);
	timeline_clear(&build->documents);
	for (size_t i = 0; i < TARGET_COUNT; i++)
		timeline_clear(&build->releases[i]);
	for (size_t i = 0; i < TARGET_COUNT; i++)
		timeline_clear(&build->aside[i]);
	sqlite3_close(build->db);
}

static int write_database(const char *path, const struct fact_text *text, struct err *err)
{
	struct build build = { .text = text };
	int code;

	if (sqlite3_open_v2(path, &build.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		code = output_error(&build, err);
	else
		code = fill(&build, text, err);
	build_clear(&build);
	return code;
}

/* Makes what was written permanent and puts it in its place. */
static int publish(int fd, const char *temporary, const char *out_path, struct err *err)
{
	if (fsync(fd) || rename(temporary, out_path))
		return err_os(err, ERR_OUTPUT, errno, "cannot write %s", out_path);
	return 0;
}

/* An empty file beside out_path. One that a killed process of the same number left behind is removed first. */
static int make_temporary(const char *out_path, struct buf *ret, struct err *err)
{
	int fd;

	buf_printf(ret, "%s.%d.tmp", out_path, (int)getpid());
	if (ret->full)
		return err_os(err, ERR_OUTPUT, ENAMETOOLONG, "cannot write %s", out_path);
	unlink(buf_text(ret));
	fd = open(buf_text(ret), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return fd < 0 ? err_os(err, ERR_OUTPUT, errno, "cannot write %s", out_path) : fd;
}

static int load_text(const char *text_dir, struct arena *arena, struct fact_text *ret, struct err *err)
{
	struct str names[FILES + RECIPE_FILES];
	size_t count = 0;
	int code;

	for (size_t i = 0; i < ARRAY_SIZE(table_lists); i++) {
		for (const struct fact_table *table = table_lists[i]; table->file; table++)
			names[count++] = str_from(table->file);
	}
	code = recipe_files(text_dir, arena, names, ARRAY_SIZE(names), &count, err);
	return code ? code : fact_text_load(text_dir, names, count, arena, ret, err);
}

int opdb_build(const char *text_dir, const char *out_path, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(TEXT_BYTES);
	CLEANUP(buf_clear) struct buf temporary = BUF_INIT(PATH_BYTES);
	struct fact_text text;
	int fd, code = load_text(text_dir, &arena, &text, err);

	if (code)
		return code;
	fd = make_temporary(out_path, &temporary, err);
	if (fd < 0)
		return fd;
	code = write_database(temporary.ptr, &text, err);
	if (!code)
		code = publish(fd, temporary.ptr, out_path, err);
	close(fd);
	if (code)
		unlink(temporary.ptr);
	return code;
}

int opdb_text_digest(const char *text_dir, char ret_hex[OPDB_DIGEST_BYTES], struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(TEXT_BYTES);
	struct fact_text text;
	int code = load_text(text_dir, &arena, &text, err);

	if (!code)
		memcpy(ret_hex, text.sha256, sizeof(text.sha256));
	return code;
}
