#include "opdb/db/row.h"

#include <sqlite3.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"

static const char *const query_texts[QUERY_COUNT] = {
	[QUERY_UNIVERSE] = "SELECT op, first, last, kind, has, structured_delegate, autogen_of, tags, keys FROM "
			   "universe WHERE base = ? ORDER BY op, first",
	[QUERY_SIGNATURES] = "SELECT op, first, last, text FROM signature WHERE base = ? ORDER BY op, first",
	[QUERY_SUPPORT] = "SELECT op, target, key, first, last, status, origin, acl_op, op_api, acl_launch, host_path, "
			  "note, source FROM support WHERE ns = ? AND base = ? ORDER BY target, op, key, first",
	[QUERY_PACKAGES] = "SELECT target, package, path, refs, source FROM package_kernel WHERE ns = ? AND base = ? "
			   "ORDER BY target, op, key, package, path",
	[QUERY_REPORTED] =
		"SELECT target, op, torch, plugin, observed, detail, source, date, chip, dtype, confidence, condition "
		"FROM reported WHERE ns = "
		"? AND base = ? ORDER BY id",
	/* rows in the order of the keys; in-place names that fit only as another's come last */
	[QUERY_APIS] = "SELECT a.api, hardware, first, last, supported, dtypes, excluded, remarks FROM api_operator o "
		       "CROSS JOIN api a USING (api) WHERE base = ?1 UNION ALL "
		       "SELECT a.api, hardware, first, last, supported, dtypes, excluded, remarks FROM api_operator o "
		       "CROSS JOIN api a USING (api) WHERE base = rtrim(?1, '_') AND ?1 <> rtrim(?1, '_') AND NOT "
		       "EXISTS (SELECT 1 FROM api_operator WHERE base = ?1 AND api = o.api)",
	[QUERY_CHIPS] = "SELECT path, condition, first, last, action, source FROM chip_branch WHERE kernel = ? ORDER "
			"BY impl, path, condition, first",
	[QUERY_AUTOCAST] = "SELECT op, target, list, first, last, path, source FROM autocast WHERE base = ? ORDER BY "
			   "target, op, list, first",
	[QUERY_LEAVES] = "SELECT op, calls FROM leaf WHERE base = ? ORDER BY op",
	[QUERY_GRADIENTS] = "SELECT first, last, calls FROM gradient WHERE base = ? ORDER BY node, forward, first",
	[QUERY_KERNEL_TYPES] =
		"SELECT says, dtypes, detail, source FROM kernel_types WHERE base = ? ORDER BY says, detail",
	[QUERY_UNITS] = "SELECT op, unit, dtypes, chips, kernels, note, first, last FROM unit WHERE base = ?",
	[QUERY_CANN_CALLS] =
		"SELECT op, c.call, c.path, plugin, c.source, a.path, a.ref, a.source FROM aclnn_call c LEFT"
		" JOIN aclnn a USING (call) WHERE base = ? ORDER BY op, c.call",
	[QUERY_CASTS] = "SELECT kernel, argument, dtypes, becomes, path, plugin, source, first, last FROM npu_cast "
			"WHERE base = ? "
			"ORDER BY kernel DESC, argument, becomes",
	[QUERY_ARGUMENTS] =
		"SELECT target, op, test, en, zh, chips, path, ref, source, spans, first, last FROM argument_limit"
		" WHERE base = ? ORDER BY target, op, test, chips, first",
	[QUERY_KERNEL_LIMITS] = "SELECT op, argument, takes, refuses, other, host, first, last, path, source FROM"
				" kernel_limit WHERE base = ? ORDER BY op, argument, first, takes, refuses",
	[QUERY_TESTED_TYPES] =
		"SELECT dtypes, first, last, path, source FROM tested_types WHERE base = ? ORDER BY path",
	[QUERY_COLLECTIVES] =
		"SELECT target, reduce_op, dtypes, supported, note, path, source, first, last, name FROM collective"
		" WHERE name IN (SELECT collective FROM collective_name WHERE ns = ?1 AND base = ?2"
		" UNION SELECT ?2 WHERE ?1 = '') ORDER BY target, name, reduce_op, first",
	[QUERY_PACKAGE_OPS] =
		"SELECT target, package, argument, since, last, takes, refuses, skips, how, note, path, installs,"
		" iif(last = newest, 'there', 'removed'), source FROM package_op JOIN package_source USING (package)"
		" WHERE ns = ? AND base = ? ORDER BY id",
	[QUERY_NAMES] = "SELECT ns, base FROM name WHERE (ns, base) >= (?, ?) ORDER BY ns, base",
	[QUERY_API_OPERATORS] = "SELECT base FROM api_operator WHERE api = ? ORDER BY base",
	[QUERY_API_CALLS] = "SELECT base, max(share * (1 - backward)) AS forward, max(share * backward) AS gradient"
			    " FROM api_call WHERE api = ? GROUP BY base ORDER BY forward DESC, gradient DESC, base",
	[QUERY_API_NAMES] = "SELECT DISTINCT api FROM api_call ORDER BY api",
	[QUERY_API_SUPPORT] = "SELECT supported, hardware, dtypes, excluded, remarks FROM api WHERE api = ? AND ?2 "
			      "BETWEEN first AND last",
	[QUERY_CALL_OPERATORS] = "SELECT DISTINCT base FROM aclnn_call WHERE call = ? ORDER BY base",
	[QUERY_RECIPE_CODE] = "SELECT code FROM recipe WHERE id = ?",
};

static int damage_hint(struct err *err)
{
	return err_hint(err, "build the database again with `opcheck db build`, or install it again");
}

int db_failed(const struct opdb *db, struct err *err)
{
	if (sqlite3_errcode(db->sqlite) == SQLITE_NOMEM) {
		mem_failed();
		return err_set(err, ERR_DB_OPEN, "out of memory while reading the database");
	}
	err_set(err, ERR_DB_DAMAGED, "database error: %s", sqlite3_errmsg(db->sqlite));
	return damage_hint(err);
}

int db_damaged(struct err *err, const char *what)
{
	err_set(err, ERR_DB_DAMAGED, "the database is damaged: %s", translated(what));
	return damage_hint(err);
}

int rows_prepare(struct opdb *db, struct err *err)
{
	for (int i = 0; i < QUERY_COUNT; i++) {
		if (sqlite3_prepare_v3(
			    db->sqlite, query_texts[i], -1, SQLITE_PREPARE_PERSISTENT, &db->queries[i], NULL))
			return db_failed(db, err);
	}
	return 0;
}

void rows_finish(struct opdb *db)
{
	for (int i = 0; i < QUERY_COUNT; i++)
		sqlite3_finalize(db->queries[i]);
}

int row_open(const struct opdb *db, const char *sql, struct arena *arena, struct row *ret, struct err *err)
{
	*ret = (struct row){ .db = db, .arena = arena };
	return sqlite3_prepare_v2(db->sqlite, sql, -1, &ret->statement, NULL) ? db_failed(db, err) : 0;
}

void row_close(struct row *row)
{
	sqlite3_finalize(row->statement);
}

struct row row_begin(const struct opdb *db, enum query query, struct arena *arena)
{
	sqlite3_reset(db->queries[query]);
	return (struct row){ .db = db, .statement = db->queries[query], .arena = arena };
}

void row_bind_text(struct row *row, int parameter, struct str value)
{
	sqlite3_bind_text(row->statement, parameter, value.ptr, (int)value.len, SQLITE_STATIC);
}

void row_bind_number(struct row *row, int parameter, int64_t value)
{
	sqlite3_bind_int64(row->statement, parameter, value);
}

/* Releases the file's pages and the bound text, which is the caller's. */
void row_stop(struct row *row)
{
	sqlite3_reset(row->statement);
	sqlite3_clear_bindings(row->statement);
}

static int row_end(struct row *row, int code)
{
	row_stop(row);
	return code;
}

int row_next(struct row *row, struct err *err)
{
	int result;

	if (row->full)
		return row_end(row, err_set(err, ERR_LIMIT, "the facts take too much memory"));
	if (row->damaged)
		return row_end(row, db_damaged(err, "a value does not fit its column"));
	result = sqlite3_step(row->statement);
	row->column = 0;
	if (result == SQLITE_ROW)
		return 1;
	return row_end(row, result == SQLITE_DONE ? 0 : db_failed(row->db, err));
}

/* The next column in SQLite's own memory; NULL is "". */
static struct str column_text(struct row *row)
{
	/* one thread has the connection, which has no mutex: the value may be looked into where it is */
	sqlite3_value *column = sqlite3_column_value(row->statement, row->column++);
	int type = sqlite3_value_type(column);
	/* not value_text, which may need memory for a byte of zero behind it */
	const void *text = type == SQLITE_TEXT ? sqlite3_value_blob(column) : NULL;
	struct str value = text ? (struct str){ text, (size_t)sqlite3_value_bytes(column) } : STR("");
	size_t bad_at;

	if ((type != SQLITE_TEXT && type != SQLITE_NULL) || !utf8_valid(value, &bad_at))
		row->damaged = true;
	return value;
}

void *row_alloc(struct row *row, size_t bytes)
{
	void *memory = arena_alloc(row->arena, bytes);

	row->full |= !memory;
	return memory;
}

struct str row_text(struct row *row)
{
	struct str copy = STR("");

	if (!arena_copy(row->arena, column_text(row), &copy))
		row->full = true;
	return copy;
}

unsigned row_number(struct row *row, size_t limit)
{
	sqlite3_value *column = sqlite3_column_value(row->statement, row->column++);
	int64_t value = sqlite3_value_int64(column);

	if (sqlite3_value_type(column) != SQLITE_INTEGER || value < 0 || (uint64_t)value >= limit) {
		row->damaged = true;
		return 0;
	}
	return (unsigned)value;
}

unsigned row_id(struct row *row, size_t count)
{
	if (sqlite3_column_type(row->statement, row->column) == SQLITE_NULL) {
		row->column++;
		return 0;
	}
	return row_number(row, count + 1);
}

unsigned row_word(struct row *row, const struct str *words, size_t count)
{
	struct str word = column_text(row);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(words[i], word))
			return (unsigned)i;
	}
	row->damaged = true;
	return 0;
}
