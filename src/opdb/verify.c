#include "opdb/verify.h"

#include <sqlite3.h>

#include "base/memory/buf.h"
#include "base/view/ascii.h"
#include "opdb/db/row.h"

enum { LINE_BYTES = 4096, SQL_TEXT_BYTES = 8192 };

struct checking {
	const struct opdb *db;
	void (*each)(void *ctx, struct str broken);
	void *ctx;
	size_t broken;
	struct err *err;
};

/* Queries that give one text for each broken row, with the sentence that counts them. */
static const struct {
	const char *what, *sql;
} invariants[] = {
	{ "the digest is no SHA-256, or the build is not its beginning",
		"SELECT build FROM info WHERE length(sha256) <> 64 OR sha256 GLOB '*[^0-9a-f]*' OR build <> "
		"substr(sha256, 1, 12)" },
	{ "the number of names is not what was built",
		"SELECT names FROM info WHERE names <> (SELECT count(*) FROM name)" },
	{ "the number of facts is not what was built",
		"SELECT facts FROM info WHERE facts <> (SELECT count(*) FROM support)" },
	{ "PyTorch without operators",
		"SELECT version FROM torch"
		" WHERE NOT EXISTS (SELECT 1 FROM universe WHERE place BETWEEN first AND last)" },
	{ "release whose PyTorch is not known",
		"SELECT target || '@' || ref FROM release"
		" WHERE NOT EXISTS (SELECT 1 FROM universe WHERE release.torch BETWEEN first AND last)" },
	{ "release without a registration",
		"SELECT target || '@' || ref FROM release WHERE NOT EXISTS (SELECT 1 FROM support"
		" WHERE support.target = release.target AND place BETWEEN first AND last)" },
	{ "fact about a release that is not there",
		"SELECT ns || '::' || op || ' on ' || target FROM support"
		" WHERE last > (SELECT max(place) FROM release WHERE release.target = support.target) OR first < 0" },
	{ "branch on a chip in a release that is not there",
		"SELECT kernel FROM chip_branch WHERE last > (SELECT max(place) FROM release WHERE target = 'npu')" },
	{ "list of autocast of a release that is not there",
		"SELECT op || ' on ' || target FROM autocast"
		" WHERE last > (SELECT max(place) FROM release WHERE release.target = autocast.target)" },
	{ "operator of a PyTorch that is not there",
		"SELECT op FROM universe WHERE last > (SELECT max(place) FROM torch)" },
	{ "signature of a PyTorch that is not there",
		"SELECT op FROM signature WHERE last > (SELECT max(place) FROM torch)" },
	{ "delegate that is not there",
		"SELECT u.op || ' to ' || u.structured_delegate || ' in PyTorch ' || version FROM universe u"
		" JOIN torch ON place BETWEEN u.first AND u.last WHERE u.structured_delegate <> '' AND NOT EXISTS"
		" (SELECT 1 FROM universe d WHERE d.base = substr(u.structured_delegate, 1,"
		" instr(u.structured_delegate || '.', '.') - 1) AND d.op = u.structured_delegate"
		" AND place BETWEEN d.first AND d.last)" },
	{ "generated operator whose origin is not there",
		"SELECT u.op || ' from ' || u.autogen_of || ' in PyTorch ' || version FROM universe u"
		" JOIN torch ON place BETWEEN u.first AND u.last WHERE u.autogen_of <> '' AND NOT EXISTS"
		" (SELECT 1 FROM universe d WHERE d.base = substr(u.autogen_of, 1, instr(u.autogen_of || '.', '.') - 1)"
		" AND d.op = u.autogen_of AND place BETWEEN d.first AND d.last)" },
	{ "published version of a release that is not there",
		"SELECT pip || ' ' || cann FROM package_version WHERE known AND NOT EXISTS"
		" (SELECT 1 FROM release WHERE target = 'npu' AND name = package_version.release)" },
	{ "operator that no name leads to",
		"SELECT ns || '::' || base FROM support WHERE NOT EXISTS"
		" (SELECT 1 FROM name WHERE name.ns = support.ns AND name.base = support.base)" },
	{ "fact that holds for other types than its columns",
		"SELECT op FROM universe WHERE typeof(first) <> 'integer' OR typeof(op) <> 'text'" },
};

static int query_failed(struct checking *checking)
{
	return db_failed(checking->db, checking->err);
}

static void finish_statement(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}

static void report_broken(struct checking *checking, const char *what, int64_t count, struct str first)
{
	CLEANUP(buf_clear) struct buf line = BUF_INIT(LINE_BYTES);

	buf_printf(&line, "%s", what);
	if (count > 1)
		buf_printf(&line, " (%lld times, the first: %.*s)", (long long)count, STR_ARG(first));
	else
		buf_printf(&line, ": %.*s", STR_ARG(first));
	checking->broken++;
	checking->each(checking->ctx, buf_str(&line));
}

static struct str column_of(sqlite3_stmt *statement, int number)
{
	const char *text = (const char *)sqlite3_column_text(statement, number);

	return text ? (struct str){ text, (size_t)sqlite3_column_bytes(statement, number) } : STR("");
}

/* Reports what a query of broken rows gives, if it gives any. */
static int check_query(struct checking *checking, const char *what, const char *sql)
{
	CLEANUP(buf_clear) struct buf counted = BUF_INIT(SQL_TEXT_BYTES);
	CLEANUP(finish_statement) sqlite3_stmt *statement = NULL;

	buf_printf(&counted, "WITH broken(row) AS (%s) SELECT count(*), min(row) FROM broken", sql);
	if (counted.full || sqlite3_prepare_v2(checking->db->sqlite, buf_text(&counted), -1, &statement, NULL) ||
		sqlite3_step(statement) != SQLITE_ROW)
		return query_failed(checking);
	if (sqlite3_column_int64(statement, 0))
		report_broken(checking, what, sqlite3_column_int64(statement, 0), column_of(statement, 1));
	return 0;
}

/* SQLite's own checks answer with rows of their own; "ok" is the one that is fine. */
static int check_pragma(struct checking *checking, const char *what, const char *pragma)
{
	CLEANUP(buf_clear) struct buf first = BUF_INIT(LINE_BYTES);
	CLEANUP(finish_statement) sqlite3_stmt *statement = NULL;
	int64_t count = 0;
	int result;

	if (sqlite3_prepare_v2(checking->db->sqlite, pragma, -1, &statement, NULL))
		return query_failed(checking);
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		if (str_eq(column_of(statement, 0), STR("ok")))
			continue;
		if (!count++)
			buf_add(&first, column_of(statement, 0));
	}
	if (result != SQLITE_DONE)
		return query_failed(checking);
	if (count)
		report_broken(checking, what, count, buf_str(&first));
	return 0;
}

/* --- intervals, in whatever table has them */

/* "a.ns = b.ns AND a.op = b.op" over the key of a table without its first place; *ret_shown joins the columns. */
static int key_columns(struct checking *checking, struct str table, struct buf *ret_equal, struct buf *ret_shown)
{
	CLEANUP(finish_statement) sqlite3_stmt *statement = NULL;
	int result;

	if (sqlite3_prepare_v2(checking->db->sqlite,
		    "SELECT printf('\"%w\"', name) FROM pragma_table_info(?) WHERE pk > 0 AND name <> 'first' ORDER BY "
		    "pk",
		    -1, &statement, NULL))
		return query_failed(checking);
	sqlite3_bind_text(statement, 1, table.ptr, (int)table.len, SQLITE_STATIC);
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		struct str name = column_of(statement, 0);

		buf_printf(ret_equal, "%sa.%.*s = b.%.*s", ret_equal->len ? " AND " : "", STR_ARG(name), STR_ARG(name));
		buf_printf(ret_shown, "%sa.%.*s", ret_shown->len ? " || ' ' || " : "", STR_ARG(name));
	}
	if (result != SQLITE_DONE)
		return query_failed(checking);
	return 0;
}

static int check_intervals(struct checking *checking, struct str table)
{
	CLEANUP(buf_clear)
	struct buf equal = BUF_INIT(LINE_BYTES), shown = BUF_INIT(LINE_BYTES), sql = BUF_INIT(SQL_TEXT_BYTES);
	CLEANUP(buf_clear) struct buf overlap = BUF_INIT(LINE_BYTES), reversed = BUF_INIT(LINE_BYTES);
	int code = key_columns(checking, table, &equal, &shown);

	if (code || !equal.len)
		return code;
	buf_printf(&overlap, "two rows of %.*s cover one release", STR_ARG(table));
	buf_printf(&sql, "SELECT %s FROM \"%.*s\" a JOIN \"%.*s\" b ON %s AND b.first > a.first AND b.first <= a.last",
		buf_text(&shown), STR_ARG(table), STR_ARG(table), buf_text(&equal));
	code = check_query(checking, buf_text(&overlap), buf_text(&sql));
	if (code)
		return code;
	buf_printf(&reversed, "a row of %.*s ends before it begins", STR_ARG(table));
	buf_reset(&sql);
	buf_printf(&sql, "SELECT %s FROM \"%.*s\" a WHERE last < first", buf_text(&shown), STR_ARG(table));
	return check_query(checking, buf_text(&reversed), buf_text(&sql));
}

static int check_all_intervals(struct checking *checking)
{
	CLEANUP(finish_statement) sqlite3_stmt *statement = NULL;
	int result, code = 0;

	if (sqlite3_prepare_v2(checking->db->sqlite,
		    "SELECT name FROM sqlite_master WHERE type = 'table' AND 2 = (SELECT count(*) FROM "
		    "pragma_table_info(sqlite_master.name)"
		    " AS item WHERE item.name IN ('first', 'last')) ORDER BY name",
		    -1, &statement, NULL))
		return query_failed(checking);
	while (!code && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		struct str table = column_of(statement, 0);

		/* the file may come from anywhere: only plain words are put into a query */
		if (table.len && str_is_word(table, ""))
			code = check_intervals(checking, table);
	}
	if (!code && result != SQLITE_DONE)
		return query_failed(checking);
	return code;
}

int opdb_verify(const struct opdb *db, void (*each)(void *ctx, struct str broken), void *ctx, size_t *ret_broken,
	struct err *err)
{
	struct checking checking = { db, each, ctx, 0, err };
	int code = check_pragma(&checking, "the file is damaged", "PRAGMA integrity_check");

	if (!code)
		code = check_pragma(&checking, "a table refers to a row that is not there", "PRAGMA foreign_key_check");
	for (size_t i = 0; i < ARRAY_SIZE(invariants) && !code; i++)
		code = check_query(&checking, invariants[i].what, invariants[i].sql);
	if (!code)
		code = check_all_intervals(&checking);
	*ret_broken = checking.broken;
	return code;
}

/* --- what is known */

static int count_overload(void *ctx, const struct overload_answer *overload)
{
	struct coverage *coverage = ctx;

	coverage->operators++;
	coverage->known += overload->status != OP_UNKNOWN;
	coverage->inferred += overload->status != OP_UNKNOWN && overload->flags & FLAG_INFERRED;
	return 0;
}

int opdb_coverage(struct resolver *resolver, const struct release *release, struct coverage *ret, struct err *err)
{
	struct target target = target_of(release);
	struct coverage coverage = { 0 };
	int code = resolve_all(resolver, &target, count_overload, &coverage, err);

	if (!code)
		*ret = coverage;
	return code;
}

/* {covered, all}: releases of a target in a table that does not cover all of them. */
static const struct {
	const char *before, *after, *sql;
} partial[] = {
	{ "npu: branches on chips were looked for in", "",
		"SELECT (SELECT count(*) FROM release WHERE target = 'npu' AND EXISTS"
		" (SELECT 1 FROM chip_branch WHERE place BETWEEN first AND last)), count(*) FROM release WHERE target "
		"= 'npu'" },
	{ "npu:", " have a document about Python APIs",
		"SELECT (SELECT count(DISTINCT release) FROM document), count(*) FROM release WHERE target = 'npu'" },
	{ "npu: lists of autocast were read in", "",
		"SELECT (SELECT count(*) FROM release WHERE target = 'npu' AND EXISTS (SELECT 1 FROM autocast"
		" WHERE target = 'npu' AND place BETWEEN first AND last)), count(*) FROM release WHERE target = "
		"'npu'" },
	{ "musa: lists of autocast were read in", "",
		"SELECT (SELECT count(*) FROM release WHERE target = 'musa' AND EXISTS (SELECT 1 FROM autocast"
		" WHERE target = 'musa' AND place BETWEEN first AND last)), count(*) FROM release WHERE target = "
		"'musa'" },
};

static int partial_gap(struct checking *checking, size_t index)
{
	CLEANUP(buf_clear) struct buf line = BUF_INIT(LINE_BYTES);
	CLEANUP(finish_statement) sqlite3_stmt *statement = NULL;
	int64_t covered, all;

	if (sqlite3_prepare_v2(checking->db->sqlite, partial[index].sql, -1, &statement, NULL) ||
		sqlite3_step(statement) != SQLITE_ROW)
		return query_failed(checking);
	covered = sqlite3_column_int64(statement, 0);
	all = sqlite3_column_int64(statement, 1);
	if (covered == all)
		return 0;
	buf_printf(&line, "%s %lld of %lld releases%s", partial[index].before, (long long)covered, (long long)all,
		partial[index].after);
	checking->each(checking->ctx, buf_str(&line));
	return 0;
}

/* Returns whether a rule about data types names the chip. */
static int is_in_rules(struct checking *checking, const struct chip *chip, bool *ret)
{
	struct str target = target_kind_name(chip->target);
	CLEANUP(finish_statement) sqlite3_stmt *statement = NULL;
	int result;

	if (sqlite3_prepare_v2(checking->db->sqlite,
		    "SELECT 1 FROM dtype_rule WHERE target = ? AND instr(' ' || chips || ' ', ' ' || ? || ' ')", -1,
		    &statement, NULL))
		return query_failed(checking);
	sqlite3_bind_text(statement, 1, target.ptr, (int)target.len, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, chip->family.ptr, (int)chip->family.len, SQLITE_STATIC);
	result = sqlite3_step(statement);
	*ret = result == SQLITE_ROW;
	if (result != SQLITE_ROW && result != SQLITE_DONE)
		return query_failed(checking);
	return 0;
}

/* A chip that no rule and no trait tells from the others of its target. */
static int chip_gaps(struct checking *checking, enum target_kind target)
{
	const struct chip *chip;
	int code = 0;

	for (size_t i = 0; !code && (chip = chip_at(target, i)); i++) {
		CLEANUP(buf_clear) struct buf line = BUF_INIT(LINE_BYTES);
		bool known = false;

		code = is_in_rules(checking, chip, &known);
		if (code || known || chip->jit_default || chip->aclnn_only)
			continue;
		buf_printf(&line, "%.*s %.*s: no rule tells the chip from others", STR_ARG(target_kind_name(target)),
			STR_ARG(chip->family));
		checking->each(checking->ctx, buf_str(&line));
	}
	return code;
}

static void version_gaps(struct checking *checking)
{
	for (size_t i = 0; i < checking->db->versions.count; i++) {
		const struct package_version *version = &checking->db->versions.items[i];
		CLEANUP(buf_clear) struct buf line = BUF_INIT(LINE_BYTES);

		if (version->known)
			continue;
		buf_printf(&line, "npu %.*s (torch %.*s, CANN %.*s): known by its version alone",
			STR_ARG(version->release), STR_ARG(version->torch), STR_ARG(version->cann));
		checking->each(checking->ctx, buf_str(&line));
	}
}

int opdb_gaps(const struct opdb *db, void (*each)(void *ctx, struct str gap), void *ctx, struct err *err)
{
	struct checking checking = { db, each, ctx, 0, err };
	int code = 0;

	for (size_t i = 0; i < ARRAY_SIZE(partial) && !code; i++)
		code = partial_gap(&checking, i);
	for (unsigned i = 0; i < TARGET_COUNT && !code; i++)
		code = chip_gaps(&checking, i);
	version_gaps(&checking);
	return code;
}

struct source_counts opdb_source_counts(const struct opdb *db)
{
	struct source_counts counts = { 0 };

	for (size_t i = 0; i < db->sources.count; i++) {
		enum source_kind kind = db->sources.items[i].kind;

		counts.source += kind == SOURCE_CODE;
		counts.vendor_doc += kind == SOURCE_VENDOR_DOC;
		counts.inferred += kind == SOURCE_INFERRED;
	}
	return counts;
}
