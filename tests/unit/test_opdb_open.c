/* Databases that are none, damaged or hostile: an error, never a crash and never a wrong answer taken for a fact. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "opdb/db/names.h"
#include "opdb/resolve/history.h"
#include "tests/unit/opdb_fixture.h"

enum { DATABASE_BYTES = 32 << 20 };

/* "NAME" in the directory of the test, as a path. */
static void beside(const struct fixture *fixture, const char *name, struct buf *ret)
{
	buf_printf(ret, "%s/%s", fixture->directory, name);
}

static int open_bytes(const struct fixture *fixture, struct str bytes, struct opdb **ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);
	int code;

	beside(fixture, "bad", &path);
	file_write(buf_text(&path), bytes);
	code = opdb_open(buf_text(&path), ret, err);
	unlink(buf_text(&path));
	return code;
}

static void a_path_that_is_no_file_cannot_be_opened(void **state)
{
	struct fixture *fixture = *state;
	struct opdb *db = NULL;
	struct err err = { 0 };

	assert_int_equal(opdb_open("/nonexistent/opdb", &db, &err), -ERR_DB_OPEN);
	assert_non_null(strstr(err.text, "No such file"));
	assert_string_not_equal(err.hint, "");
	assert_int_equal(opdb_open(fixture->directory, &db, &err), -ERR_DB_OPEN);
	assert_null(db);
}

static void other_content_is_no_support_database(void **state)
{
	static const struct str cases[] = { STR(""), STR("SQLite"), STR("# op\tkind\n"), STR("\0\0\0\0") };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct opdb *db = NULL;
		struct err err = { 0 };

		assert_int_equal(open_bytes(fixture, cases[i], &db, &err), -ERR_DB_KIND);
		assert_string_not_equal(err.hint, "");
		assert_null(db);
	}
}

/* Runs SQL on a copy of the database and opens what became of it. */
static int open_changed(const struct fixture *fixture, const char *sql, struct opdb **ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);
	CLEANUP(buf_clear) struct buf bytes = BUF_INIT(DATABASE_BYTES);
	sqlite3 *sqlite = NULL;
	int code;

	beside(fixture, "changed", &path);
	file_read(fixture->path, &bytes);
	file_write(buf_text(&path), buf_str(&bytes));
	assert_int_equal(sqlite3_open(buf_text(&path), &sqlite), SQLITE_OK);
	if (sqlite3_exec(sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(sqlite));
	sqlite3_close(sqlite);
	code = opdb_open(buf_text(&path), ret, err);
	unlink(buf_text(&path));
	return code;
}

static void another_kind_and_another_version_are_told_apart(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(buf_clear) struct buf words = BUF_INIT(100);
	struct opdb *db = NULL;
	struct err err = { 0 };

	buf_printf(&words, "version 99, this opcheck reads version %d", OPDB_VERSION);
	assert_int_equal(open_changed(fixture, "PRAGMA application_id = 1", &db, &err), -ERR_DB_KIND);
	assert_int_equal(open_changed(fixture, "PRAGMA user_version = 99", &db, &err), -ERR_DB_VERSION);
	assert_non_null(strstr(err.text, buf_text(&words)));
}

static void tables_that_are_missing_or_do_not_fit_are_damage(void **state)
{
	static const char *const cases[] = {
		"DROP TABLE support",
		"DROP TABLE info",
		"DELETE FROM info",
		"DELETE FROM torch",
		"DELETE FROM release",
		"DELETE FROM release WHERE place = 3",
		"UPDATE release SET place = place + 100 WHERE target = 'musa'",
		"UPDATE release SET torch = 4000",
		"UPDATE release SET torch = -1",
		"UPDATE release SET list = 4000",
		"DELETE FROM source WHERE id = 7",
		"PRAGMA ignore_check_constraints = 1; UPDATE release SET target = 'cuda' WHERE target = 'musa'",
		"PRAGMA ignore_check_constraints = 1; UPDATE source SET kind = 'rumour'",
		"UPDATE source SET repository = 'javascript:alert(1)//' WHERE id = 1",
		"UPDATE rule_name SET rule = 4000",
		"UPDATE rule_source SET source = 4000",
		"PRAGMA ignore_check_constraints = 1; UPDATE namespace SET kind = ''",
		"UPDATE recipe SET id = id + 1000",
		"UPDATE recipe_span SET last = 4000",
		"PRAGMA ignore_check_constraints = 1; UPDATE recipe_span SET target = 'cuda' WHERE target = 'npu'",
		"DROP TABLE torch; CREATE TABLE torch (place, version, wheel, source); INSERT INTO torch VALUES ('x', "
		"1, 2.5, x'00')",
		"ALTER TABLE torch RENAME TO kept; CREATE VIEW torch AS SELECT * FROM kept",
		"DROP TABLE namespace; CREATE VIEW namespace AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i "
		"FROM n)"
		" SELECT i AS ns, i AS remark, i AS npu, i AS musa, i AS kind, i AS source FROM n",
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct opdb *db = NULL;
		struct err err = { 0 };

		if (open_changed(fixture, cases[i], &db, &err) != -ERR_DB_DAMAGED)
			fail_msg("%s: code %d, %s", cases[i], err.code, err.text);
		assert_string_not_equal(err.where, "");
		assert_string_not_equal(err.hint, "");
	}
}

/* Asks for many names on the first and the last release; an error is fine. */
static void ask_around(const struct opdb *db)
{
	static const char *const bases[] = { "add", "add_", "mkldnn_convolution", "prelu", "_foreach_add_", "nms",
		"loop" };
	struct resolver *resolver = resolver_new(db);
	struct arena arena = ARENA_INIT(1 << 20);
	struct name_list names;
	size_t count;
	const struct release *releases = opdb_releases(db, &count);

	for (size_t i = 0; i < 2 * ARRAY_SIZE(bases); i++) {
		struct target target = target_of(&releases[i % 2 ? count - 1 : 0]);
		struct answer answer;
		struct history history;
		struct err err;

		(void)resolve_base(resolver, &target,
			&(struct op_query){ .ns = STR("aten"), .base = str_from(bases[i / 2]) }, &answer, &err);
		(void)resolve_history(resolver, &target,
			&(struct op_query){
				.ns = STR("torchvision"), .base = str_from(bases[i / 2]), .reading = READING_EXPLICIT },
			&history, &err);
		(void)opdb_nearest_names(db, str_from(bases[i / 2]), &arena, &names, &err);
	}
	arena_clear(&arena);
	resolver_free(resolver);
}

static void facts_that_do_not_fit_are_damage_when_they_are_asked_for(void **state)
{
	static const char *const cases[] = {
		"UPDATE universe SET first = first + 4000 WHERE base = 'add'",
		"UPDATE universe SET has = 'cpu magic' WHERE base = 'add'",
		"UPDATE support SET last = -3 WHERE base = 'add'",
		"UPDATE support SET source = 4000 WHERE base = 'add'",
		"PRAGMA ignore_check_constraints = 1; UPDATE support SET status = 'perfect' WHERE base = 'add'",
		"DROP TABLE signature; CREATE TABLE signature (base, op, first, last, text);"
		"INSERT INTO signature VALUES ('add', 'add', 'here', 'there', 7)",
		"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)"
		" INSERT INTO signature SELECT 'add', 'add.' || i, 0, 0, '' FROM n",
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct opdb *db = NULL;
		struct err err = { 0 };
		struct resolver *resolver;
		struct target target;
		struct answer answer;
		size_t count;

		assert_int_equal(open_changed(fixture, cases[i], &db, &err), 0);
		resolver = resolver_new(db);
		target = target_of(opdb_releases(db, &count));
		if (resolve_base(resolver, &target, &(struct op_query){ .ns = STR("aten"), .base = STR("add") },
			    &answer, &err) != -ERR_DB_DAMAGED)
			fail_msg("%s: code %d", cases[i], err.code);
		resolver_free(resolver);
		opdb_close(db);
	}
}

static void delegates_that_go_round_in_circles_end(void **state)
{
	struct fixture *fixture = *state;
	struct opdb *db = NULL;
	struct err err = { 0 };

	assert_int_equal(open_changed(fixture,
				 "DELETE FROM support; UPDATE universe SET structured_delegate = op, autogen_of = op,"
				 " has = 'explicit implicit cpu'",
				 &db, &err),
		0);
	ask_around(db);
	opdb_close(db);
}

static void a_file_that_ends_early_is_damage_or_answers_without_the_rest(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(buf_clear) struct buf bytes = BUF_INIT(DATABASE_BYTES);

	file_read(fixture->path, &bytes);
	for (size_t len = 1; len < bytes.len; len = len * 2 + 777) {
		struct opdb *db = NULL;
		struct err err = { 0 };

		if (!open_bytes(fixture, str_sub(buf_str(&bytes), 0, len), &db, &err))
			ask_around(db);
		else
			assert_true(err.code == ERR_DB_KIND || err.code == ERR_DB_DAMAGED || err.code == ERR_DB_OPEN);
		opdb_close(db);
	}
}

static void overwritten_bytes_never_crash(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(buf_clear) struct buf bytes = BUF_INIT(DATABASE_BYTES);
	uint32_t random = 1;

	file_read(fixture->path, &bytes);
	for (int round = 0; round < 40; round++) {
		CLEANUP(buf_clear) struct buf copy = BUF_INIT(DATABASE_BYTES);
		struct opdb *db = NULL;
		struct err err = { 0 };

		buf_add(&copy, buf_str(&bytes));
		for (int i = 0; i < 400; i++) {
			random = random * 1664525 + 1013904223;
			/* behind the header; half of it where the schema and the small tables are */
			copy.ptr[100 + random % (i % 2 ? copy.len - 100 : 64 * 1024)] = (char)(random >> 24);
		}
		if (!open_bytes(fixture, buf_str(&copy), &db, &err))
			ask_around(db);
		opdb_close(db);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_that_is_no_file_cannot_be_opened),
		cmocka_unit_test(other_content_is_no_support_database),
		cmocka_unit_test(another_kind_and_another_version_are_told_apart),
		cmocka_unit_test(tables_that_are_missing_or_do_not_fit_are_damage),
		cmocka_unit_test(facts_that_do_not_fit_are_damage_when_they_are_asked_for),
		cmocka_unit_test(delegates_that_go_round_in_circles_end),
		cmocka_unit_test(a_file_that_ends_early_is_damage_or_answers_without_the_rest),
		cmocka_unit_test(overwritten_bytes_never_crash),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
