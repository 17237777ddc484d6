#include "opdb/opdb.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "opdb/load.h"
#include "opdb/overlay_fact.h"
#include "opdb/row.h"
#include "opdb/schema.h"

enum { HANDLE_BYTES = 64 * 1024 * 1024, PATH_BYTES = 4 * 4096, VALUE_BYTES = 1024 * 1024, SQL_BYTES = 16 * 1024 };

static const char *const query_texts[QUERY_COUNT] = {
	[QUERY_INFO] = "SELECT build, built_at, sha256, names, facts FROM info",
	[QUERY_SOURCES] = "SELECT id, name, target, repository, ref, path, kind FROM source ORDER BY id",
	[QUERY_TORCH] = "SELECT place, version, wheel, source FROM torch ORDER BY place",
	[QUERY_RELEASES] = "SELECT target, place, name, ref, torch, plugin, kind, date, commit_id, op_plugin, "
			   "op_plugin_yaml, codegen,"
			   " key, boxed, fallback, fallback_source, list FROM release ORDER BY target DESC, place",
	[QUERY_PACKAGE_VERSIONS] = "SELECT torch, pip, cann, release FROM package_version ORDER BY id",
	[QUERY_RULES] = "SELECT id, name, specific_to, reason, npu, musa, reached_from, mode FROM rule ORDER BY id",
	[QUERY_RULE_SOURCES] = "SELECT rule, place, source FROM rule_source",
	[QUERY_SPECIAL] = "SELECT base, rule, coalesce(body, 'own'), source"
			  " FROM (SELECT base FROM rule_name UNION SELECT base FROM body)"
			  " LEFT JOIN rule_name USING (base) LEFT JOIN body USING (base) ORDER BY base",
	[QUERY_NAMESPACES] = "SELECT ns, remark, npu, musa, kind, source FROM namespace ORDER BY ns",
	[QUERY_UNIVERSE] =
		"SELECT op, first, last, kind, has, structured_delegate, autogen_of, tags, keys FROM universe"
		" WHERE base = ? ORDER BY op, first",
	[QUERY_SIGNATURES] = "SELECT op, first, last, text FROM signature WHERE base = ? ORDER BY op, first",
	[QUERY_SUPPORT] = "SELECT op, target, key, first, last, status, origin, acl_op, op_api, acl_launch, host_path, "
			  "note, source"
			  " FROM support WHERE ns = ? AND base = ? ORDER BY target, op, key, first",
	[QUERY_PACKAGES] = "SELECT target, package, path, refs, source FROM package_kernel"
			   " WHERE ns = ? AND base = ? ORDER BY target, op, key, package, path",
	[QUERY_REPORTED] = "SELECT target, op, torch, plugin, observed, detail, source, date FROM reported"
			   " WHERE ns = ? AND base = ? ORDER BY id",
	[QUERY_DOCUMENTS] = "SELECT place, name, release + 1, ref, path, source FROM document ORDER BY place",
	[QUERY_APIS] =
		"SELECT api, hardware, first, last, supported, dtypes, excluded, remarks"
		" FROM (SELECT DISTINCT api FROM api_operator WHERE base IN (?1, rtrim(?1, '_'))) JOIN api USING (api)"
		" ORDER BY api, hardware, first",
	[QUERY_CHIPS] = "SELECT path, condition, first, last, action, source FROM chip_branch WHERE kernel = ?"
			" ORDER BY impl, path, condition, first",
	[QUERY_AUTOCAST] = "SELECT op, target, list, first, last, path, source FROM autocast WHERE base = ?"
			   " ORDER BY target, op, list, first",
	[QUERY_LEAVES] = "SELECT op, calls FROM leaf WHERE base = ? ORDER BY op",
	[QUERY_GRADIENTS] = "SELECT first, last, calls FROM gradient WHERE base = ? ORDER BY node, forward, first",
	[QUERY_IMPLIED] =
		"SELECT name, seen, needs, target, coalesce(torch, 0), calls, source FROM implied ORDER BY id",
	[QUERY_DTYPE_RULES] =
		"SELECT name, target, chips, kernels, refused, reason, source FROM dtype_rule ORDER BY id",
	[QUERY_KERNEL_TYPES] =
		"SELECT says, dtypes, detail, source FROM kernel_types WHERE base = ? ORDER BY says, detail",
	[QUERY_NAMES] = "SELECT ns, base FROM name WHERE (ns, base) >= (?, ?) ORDER BY ns, base",
	[QUERY_RECIPES] =
		"SELECT id, name, operators, fits, effort, torch, fixed, tolerance, sources, cost_en, cost_zh,"
		" advice_en, advice_zh FROM recipe ORDER BY id",
	[QUERY_RECIPE_SPANS] = "SELECT recipe, target, first, last FROM recipe_span ORDER BY recipe, target, first",
	[QUERY_RECIPE_CODE] = "SELECT code FROM recipe WHERE id = ?",
};

/* Says what the system says when the file cannot be read at all; SQLite has one word for every reason. */
static int check_readable(const char *path, struct err *err)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC), code = 0;

	if (fd < 0) {
		err_os(err, ERR_DB_OPEN, errno, "cannot open the database");
		return err_hint(err, "name the file with --db, or make one with `opcheck db build`");
	}
	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		code = err_set(err, ERR_DB_OPEN, "the database is no regular file");
	close(fd);
	return code;
}

/* A URI that means this path and a file that nobody changes. */
static void put_uri(struct buf *uri, struct str path)
{
	buf_add(uri, STR("file:"));
	for (size_t i = 0; i < path.len; i++) {
		if (is_word(path.ptr[i]) || path.ptr[i] == '/' || path.ptr[i] == '.' || path.ptr[i] == '-')
			buf_byte(uri, path.ptr[i]);
		else
			buf_printf(uri, "%%%02x", (unsigned char)path.ptr[i]);
	}
	buf_add(uri, STR("?immutable=1"));
}

/* The file may come from anywhere: no code of its schema runs and no value is larger than any fact is. */
static void harden(sqlite3 *sqlite)
{
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(sqlite, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
	sqlite3_limit(sqlite, SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES);
	sqlite3_limit(sqlite, SQLITE_LIMIT_ATTACHED, 0);
}

static int open_sqlite(struct opdb *db, const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf uri = BUF_INIT(PATH_BYTES);
	int code = check_readable(path, err);

	if (code)
		return code;
	put_uri(&uri, str_from(path));
	if (uri.full)
		return err_set(err, ERR_DB_OPEN, "cannot open the database: its path is too long");
	if (sqlite3_open_v2(
		    buf_text(&uri), &db->sqlite, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL))
		return err_set(err, ERR_DB_OPEN, "cannot open the database: %s", sqlite3_errmsg(db->sqlite));
	harden(db->sqlite);
	return 0;
}

/* The value of a pragma of the file's header. SQLite refuses here what is no database at all. */
static int header_value(const struct opdb *db, const char *pragma, int64_t *ret, struct err *err)
{
	sqlite3_stmt *statement = NULL;
	int result = sqlite3_prepare_v2(db->sqlite, pragma, -1, &statement, NULL);

	if (!result)
		result = sqlite3_step(statement);
	if (result == SQLITE_ROW)
		*ret = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	if (result == SQLITE_ROW)
		return 0;
	return result == SQLITE_NOTADB ? err_set(err, ERR_DB_KIND, "the file is no SQLite database")
				       : db_failed(db, err);
}

static int check_kind(const struct opdb *db, struct err *err)
{
	int64_t id = 0, version = 0;
	int code = header_value(db, "PRAGMA application_id", &id, err);

	if (!code)
		code = header_value(db, "PRAGMA user_version", &version, err);
	if (!code && id != OPDB_APPLICATION_ID)
		code = err_set(err, ERR_DB_KIND, "the file is no support database of opcheck");
	else if (!code && version != OPDB_VERSION)
		code = err_set(err, ERR_DB_VERSION,
			"the database has schema version %lld, this opcheck reads version %d", (long long)version,
			OPDB_VERSION);
	if (code)
		err_hint(err, "make one with `opcheck db build`, or install the one that belongs to this version");
	return code;
}

static int prepare(struct opdb *db, struct err *err)
{
	for (int i = 0; i < QUERY_COUNT; i++) {
		if (sqlite3_prepare_v3(
			    db->sqlite, query_texts[i], -1, SQLITE_PREPARE_PERSISTENT, &db->queries[i], NULL))
			return db_failed(db, err);
	}
	return 0;
}

int opdb_open(const char *path, struct opdb **ret, struct err *err)
{
	struct opdb *db = mem_zalloc(sizeof(*db));
	int code;

	db->arena = ARENA_INIT(HANDLE_BYTES);
	code = open_sqlite(db, path, err);
	if (!code)
		code = check_kind(db, err);
	if (!code)
		code = prepare(db, err);
	if (!code)
		code = load_tables(db, err);
	if (code) {
		opdb_close(db);
		return err_where(err, "%s", path);
	}
	*ret = db;
	return 0;
}

void opdb_close(struct opdb *db)
{
	if (!db)
		return;
	for (int i = 0; i < QUERY_COUNT; i++)
		sqlite3_finalize(db->queries[i]);
	sqlite3_close(db->sqlite);
	free(db->recipes.items);
	free(db->recipe_spans.items);
	free(db->implied.items);
	free(db->sources.items);
	free(db->torch.items);
	free(db->releases.items);
	free(db->versions.items);
	free(db->rules.items);
	free(db->specials.items);
	free(db->namespaces.items);
	free(db->documents.items);
	free(db->dtype_rules.items);
	map_clear(&db->special_map);
	overlays_free(db->overlays);
	arena_clear(&db->arena);
	free(db);
}

const struct opdb_info *opdb_info(const struct opdb *db)
{
	return &db->info;
}
