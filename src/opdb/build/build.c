#include "opdb/build/build.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "opdb/build/recipes.h"
#include "opdb/build/tables.h"

enum { PATH_BYTES = 4096, SHORT_DIGEST = 12, TEXT_BYTES = 256 * 1024 * 1024 };

static int execute_sql(struct build *build, const char *sql, struct err *err)
{
	return sqlite3_exec(build->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : build_output_error(build, err);
}

static const char insert_info_text[] =
	"INSERT INTO info (build, built_at, sha256, names, facts)"
	" VALUES (:build, :built_at, :sha256, (SELECT count(*) FROM name), (SELECT count(*) FROM support))";

/* Names that Python replaces ("python-patch") are not operators. */
static const char insert_names[] =
	"INSERT INTO name (ns, base) SELECT 'aten', base FROM universe UNION SELECT ns, base FROM support"
	" UNION SELECT ns, base FROM package_kernel WHERE key <> 'python-patch'"
	" UNION SELECT ns, base FROM collective_name WHERE ns <> ''";

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
		return err_set(err, ERR_VALUE, "SOURCE_DATE_EPOCH is not a number of seconds since 1970");
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
		return build_output_error(build, err);
	build_bind_text(build, ":build", str_sub(sha256, 0, SHORT_DIGEST));
	build_bind_text(build, ":built_at", buf_str(&when));
	build_bind_text(build, ":sha256", sha256);
	if (sqlite3_step(build->insert) != SQLITE_DONE)
		code = build_output_error(build, err);
	sqlite3_finalize(build->insert);
	return code;
}

static int fill_database(struct build *build, const struct fact_text *text, struct err *err)
{
	int code = execute_sql(
		build, "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", err);

	if (!code)
		code = execute_sql(build, opdb_schema, err);
	for (size_t i = 0; !code && i < fact_table_count; i++)
		code = build_table(build, &fact_tables[i], fact_text_find(text, str_from(fact_tables[i].file)), err);
	if (!code)
		code = execute_sql(build, insert_names, err);
	if (!code)
		code = insert_info(build, text, err);
	return code ? code : execute_sql(build, "COMMIT", err);
}

static int write_database(const char *path, const struct fact_text *text, struct err *err)
{
	CLEANUP(build_clear) struct build build = { .text = text, .usual_cells = fact_cells };
	int code;

	if (sqlite3_open_v2(path, &build.db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		code = build_output_error(&build, err);
	else
		code = fill_database(&build, text, err);
	return code;
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
	int code;

	ret->files = arena_alloc(arena, (fact_table_count + RECIPE_FILES) * sizeof(ret->files[0]));
	if (!ret->files)
		return err_set(err, ERR_LIMIT, "the fact text is too large");
	while (ret->count < fact_table_count) {
		ret->files[ret->count].name = str_from(fact_tables[ret->count].file);
		ret->count++;
	}
	code = recipe_files(text_dir, arena, ret, err);
	return code ? code : fact_text_load(text_dir, arena, ret, err);
}

int opdb_build(const char *text_dir, const char *out_path, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(TEXT_BYTES);
	CLEANUP(buf_clear) struct buf temporary = BUF_INIT(PATH_BYTES);
	struct fact_text text = { 0 };
	int fd, code = load_text(text_dir, &arena, &text, err);

	if (code)
		return code;
	fd = make_temporary(out_path, &temporary, err);
	if (fd < 0)
		return fd;
	code = write_database(temporary.ptr, &text, err);
	if (!code && (fsync(fd) || rename(temporary.ptr, out_path)))
		code = err_os(err, ERR_OUTPUT, errno, "cannot write %s", out_path);
	close(fd);
	if (code)
		unlink(temporary.ptr);
	return code;
}

int opdb_text_digest(const char *text_dir, char ret_hex[OPDB_DIGEST_BYTES], struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(TEXT_BYTES);
	struct fact_text text = { 0 };
	int code = load_text(text_dir, &arena, &text, err);

	if (!code)
		memcpy(ret_hex, text.sha256, sizeof(text.sha256));
	return code;
}
