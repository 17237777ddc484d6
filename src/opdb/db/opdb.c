#include "opdb/db/opdb.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "base/view/ascii.h"
#include "opdb/build/build.h"
#include "opdb/db/facts.h"
#include "opdb/db/load.h"
#include "opdb/db/names.h"
#include "opdb/db/overlay_facts.h"
#include "opdb/db/queries.h"
#include "opdb/db/timing_facts.h"

enum { HANDLE_BYTES = 64 * 1024 * 1024, PATH_BYTES = 4 * 4096, VALUE_BYTES = 1024 * 1024, SQL_BYTES = 16 * 1024 };

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
		code = err_set(err, ERR_DB_OPEN, "the database is not a regular file");
	close(fd);
	return code;
}

/* A URI of this path as an immutable file. */
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
static void harden_sqlite(sqlite3 *sqlite)
{
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(sqlite, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
	sqlite3_limit(sqlite, SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES);
	sqlite3_limit(sqlite, SQLITE_LIMIT_ATTACHED, 0);
}

/* Code of SQLite: 0 is success. */
static int open_failed(struct opdb *db, int code, struct err *err)
{
	if (code == SQLITE_NOMEM)
		mem_failed();
	return err_set(err, ERR_DB_OPEN, "cannot open the database: %s", sqlite3_errmsg(db->sqlite));
}

static int open_file(struct opdb *db, const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf uri = BUF_INIT(PATH_BYTES);
	int code = check_readable(path, err);

	if (code)
		return code;
	put_uri(&uri, str_from(path));
	if (uri.full)
		return err_set(err, ERR_DB_OPEN, "cannot open the database: its path is too long");
	code = sqlite3_open_v2(
		buf_text(&uri), &db->sqlite, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
	return code ? open_failed(db, code, err) : 0;
}

static int open_bytes(struct opdb *db, struct str bytes, struct err *err)
{
	const unsigned how = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY;
	unsigned char *copy = sqlite3_malloc64(bytes.len + 1);
	int code = copy ? sqlite3_open_v2(":memory:", &db->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)
			: SQLITE_NOMEM;

	if (code) {
		sqlite3_free(copy);
		return open_failed(db, code, err);
	}
	memcpy(copy, bytes.ptr, bytes.len);
	code = sqlite3_deserialize(db->sqlite, "main", copy, (sqlite3_int64)bytes.len, (sqlite3_int64)bytes.len, how);
	return code ? open_failed(db, code, err) : 0;
}

/* The value of a pragma of the file's header. SQLite refuses here any file but a database. */
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
	return result == SQLITE_NOTADB ? err_set(err, ERR_DB_KIND, "the file is not an SQLite database")
				       : db_failed(db, err);
}

static int check_kind(const struct opdb *db, struct err *err)
{
	int64_t id = 0, version = 0;
	int code = header_value(db, "PRAGMA application_id", &id, err)
			   ?: header_value(db, "PRAGMA user_version", &version, err);

	if (!code && id != OPDB_APPLICATION_ID)
		code = err_set(err, ERR_DB_KIND, "the file is not a support database of opcheck");
	else if (!code && version != OPDB_VERSION)
		code = err_set(err, ERR_DB_VERSION,
			"the database has schema version %lld, this opcheck reads version %d", (long long)version,
			OPDB_VERSION);
	if (code)
		err_hint(err, "make one with `opcheck db build`, or install the one that belongs to this version");
	return code;
}

static struct opdb *new_handle(void)
{
	struct opdb *db = mem_zalloc(sizeof(*db));

	db->arena = ARENA_INIT(HANDLE_BYTES);
	db->timing = mem_zalloc(sizeof(*db->timing));
	db->timing->arena = ARENA_INIT(HANDLE_BYTES);
	return db;
}

/* Takes the handle, and reads the small tables: closed on an error. One transaction for all that is read: beginning
   and ending each takes longer than most of them. */
static int finish_open(struct opdb *db, int code, struct opdb **ret, struct err *err)
{
	if (!code) {
		harden_sqlite(db->sqlite);
		code = sqlite3_exec(db->sqlite, "BEGIN", NULL, NULL, NULL) ? db_failed(db, err) : 0;
	}
	if (!code)
		code = check_kind(db, err);
	if (!code)
		code = queries_prepare(db, err);
	if (!code)
		code = load_tables(db, err);
	if (code)
		opdb_close(db);
	else
		*ret = db;
	return code;
}

int opdb_open(const char *path, struct opdb **ret, struct err *err)
{
	struct opdb *db = new_handle();
	int code = finish_open(db, open_file(db, path, err), ret, err);

	return code ? err_where(err, "%s", path) : 0;
}

int opdb_open_memory(struct str bytes, struct opdb **ret, struct err *err)
{
	struct opdb *db = new_handle();

	return finish_open(db, open_bytes(db, bytes, err), ret, err);
}

void opdb_name_pack(struct opdb *db, struct str sha256, bool is_signed)
{
	snprintf(db->pack_sha256, sizeof(db->pack_sha256), "%.*s", STR_ARG(sha256));
	db->info.pack_sha256 = str_from(db->pack_sha256);
	db->info.pack_is_signed = is_signed;
}

static void facts_free(struct facts *facts)
{
	if (!facts)
		return;
	facts_clear(facts);
	free(facts);
}

int opdb_read_ahead(struct opdb *db, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct name_list names = { 0 };
	struct facts *facts;
	int code = 0;

	if (db->ahead)
		return 0;
	facts = mem_zalloc(sizeof(*facts));
	*facts = (struct facts){ .db = db, .arena = &db->arena };
	code = opdb_names_with_prefix(db, STR(""), &arena, &names, err);
	for (size_t i = 0; i < names.count && !code; i++) {
		size_t colons = str_find(names.items[i], STR("::"));
		const struct name_facts *name;

		code = facts_get(
			facts, str_sub(names.items[i], 0, colons), str_skip(names.items[i], colons + 2), &name, err);
		if (!code)
			code = facts_units(facts, name, true, err);
	}
	if (code)
		facts_free(facts);
	else
		db->ahead = facts;
	return code;
}

void opdb_close(struct opdb *db)
{
	if (!db)
		return;
	queries_finish(db);
	sqlite3_close(db->sqlite);
	free_tables(db);
	if (db->overlays) {
		free(db->overlays->files.items);
		free(db->overlays->items);
		map_clear(&db->overlays->map);
		free(db->overlays);
	}
	facts_free(db->ahead);
	timing_facts_free(db->timing);
	arena_clear(&db->arena);
	free(db);
}

bool opdb_tells_chip(const struct opdb *db, const struct chip *chip)
{
	const struct dtype_rule *rules = db->dtype_rules.items;

	return ANY(i, db->dtype_rules.count,
		rules[i].note.target == chip->target && rules[i].note.chips & chips_named(chip->target, chip->family));
}
