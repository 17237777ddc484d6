/* The database of torch_npu's profiler: its operators, and what a hostile one cannot do. */
#include <sqlite3.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dump/npu/db.h"
#include "tests/unit/check.h"
#include "tests/unit/recorder.h"
#include "tests/unit/temporary.h"

#define TABLES                                                                                                         \
	"CREATE TABLE STRING_IDS (id INTEGER, value TEXT);"                                                            \
	"CREATE TABLE PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER,"   \
	" sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER," \
	" type INTEGER);"

static char path[PATH_MAX];

static int make_path(void **state)
{
	int fd;

	fd = mkstemp(temporary_path(path, sizeof(path)));
	return fd < 0 || close(fd);
}

static int remove_path(void **state)
{
	return unlink(path);
}

static void make_database(const char *sql)
{
	sqlite3 *sqlite;
	char *message = NULL;

	assert_int_equal(sqlite3_open(path, &sqlite), 0);
	if (sqlite3_exec(sqlite, sql, NULL, NULL, &message))
		fail_msg("%s", message);
	sqlite3_close(sqlite);
}

static int read_database(const struct limits *limits, struct buf *events, struct dump_facts *facts, struct err *err)
{
	*err = (struct err){ 0 };
	return record_file(path, limits, events, facts, err);
}

static void operators_are_read_with_their_own_time(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err;

	make_database(TABLES
		"INSERT INTO STRING_IDS VALUES (1, 'aten::linear'), (2, 'aten::addmm'), (3, '4,12;\r\n8,12;\r\n8'),"
		" (4, 'Enqueue'), (5, 'aten::t');"
		"INSERT INTO PYTORCH_API VALUES"
		" ('1704161511420306491', '1704161511420316491', 7, 1, 1, -1, 0, NULL, 3, NULL, 50001),"
		" ('1704161511420310491', '1704161511420314491', 7, 1, 2, -1, 0, NULL, NULL, NULL, 50001),"
		" ('1704161511420307491', '1704161511420308491', 7, 1, 5, -1, 0, NULL, NULL, NULL, 50001),"
		" ('1704161511420311491', '1704161511420312491', 7, 1, 4, -1, 0, NULL, NULL, NULL, 50002),"
		" ('1704161511420311491', '1704161511420312491', 8, 1, 5, -1, 0, NULL, NULL, NULL, 50001);");
	if (read_database(&limits, &events, &facts, &err))
		fail_msg("%s", err.text);
	assert_str(buf_str(&events),
		"stream 0 \"\"\nbegin 0 shapes times no-steps\nrow 0 aten::t|?| 1 1.000 1.000 0.000\n"
		"row 0 aten::addmm|?| 1 4.000 4.000 0.000\n"
		"row 0 aten::linear|?|[[4, 12], [8, 12], [8]] 1 5.000 10.000 0.000\n"
		"row 0 aten::t|?| 1 1.000 1.000 0.000\nend 0 - - -1\n");
	assert_string_equal(facts.format, "npu-db");
	assert_int_equal(facts.rows, 4);
}

static void rows_that_cannot_be_are_skipped(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err;

	make_database(
		TABLES "INSERT INTO STRING_IDS VALUES (1, 'aten::add'), (2, 'not a shape');"
		       "INSERT INTO PYTORCH_API (startNs, endNs, globalTid, name, inputShapes, type) VALUES"
		       " (1, 2, 7, 1, NULL, 50001), (9, 3, 7, 1, NULL, 50001), (10, 12, 7, 99, NULL, 50001),"
		       " (20, 22, 7, 1, 2, 50001), (-9223372036854775807, 9223372036854775807, 8, 1, NULL, 50001);");
	assert_int_equal(read_database(&limits, &events, &facts, &err), 0);
	assert_int_equal(facts.rows, 1);
	assert_int_equal(facts.skipped_rows, 4);
}

static void other_databases_are_refused(void **state)
{
	static const char *const schemas[] = {
		"CREATE TABLE t (a);",
		"CREATE TABLE STRING_IDS (id, value); CREATE TABLE real (a); CREATE VIEW PYTORCH_API AS SELECT * FROM "
		"real;",
		"CREATE TABLE STRING_IDS (id, value); CREATE TABLE PYTORCH_API (a);",
		("CREATE TABLE STRING_IDS (id, value); CREATE VIRTUAL TABLE PYTORCH_API USING fts5(name, startNs, "
		 "endNs, globalTid,"
		 " inputShapes, type);"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(schemas); i++) {
		CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
		struct limits limits = limits_default();
		struct dump_facts facts;
		struct err err;

		make_database(schemas[i]);
		assert_int_equal(read_database(&limits, &events, &facts, &err), -ERR_FORMAT);
		assert_true(err.hint[0] && !events.len);
		remove_path(state);
		make_path(state);
	}
}

static void work_and_values_are_bounded(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err;

	make_database(TABLES "INSERT INTO STRING_IDS VALUES (1, printf('%.*c', 1000, 'x'));"
			     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
			     " INSERT INTO PYTORCH_API (startNs, endNs, globalTid, name, type) SELECT i, i + 1, 7, 1, "
			     "50001 FROM n;");
	limits.csv_cell_bytes = 900;
	assert_int_equal(read_database(&limits, &events, &facts, &err), -ERR_LIMIT);
	limits.csv_cell_bytes = 4096;
	limits.database_steps = 1;
	assert_int_equal(read_database(&limits, &events, &facts, &err), -ERR_LIMIT);
	assert_true(str_has(str_from(err.hint), STR("database-steps")));
	limits.database_steps = 5000;
	limits.database_bytes = 1 << 20;
	assert_int_equal(read_database(&limits, &events, &facts, &err), -ERR_LIMIT);
	assert_true(str_has(str_from(err.hint), STR("database-bytes")));
}

/* A join would give 700 x 700 x 700 rows, and an order over them a file of many gigabytes. */
static void the_first_of_equal_ids_counts(void **state)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err;

	make_database(TABLES "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)"
			     " INSERT INTO STRING_IDS SELECT 1, 'aten::op' || i FROM n;"
			     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)"
			     " INSERT INTO PYTORCH_API (startNs, endNs, globalTid, name, inputShapes, type)"
			     " SELECT i * 10, i * 10 + 1, 7, 1, 99, 50001 FROM n;");
	limits.database_steps = 1;
	assert_int_equal(read_database(&limits, &events, &facts, &err), 0);
	assert_int_equal(facts.rows, 700);
	assert_true(str_has(buf_str(&events), STR("row 0 aten::op1|?| 1 0.001")));
	assert_false(str_has(buf_str(&events), STR("aten::op2")));
}

static void a_cut_database_is_an_error(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err;

	make_database(
		TABLES "INSERT INTO STRING_IDS VALUES (1, 'aten::add');"
		       "INSERT INTO PYTORCH_API (startNs, endNs, globalTid, name, type) VALUES (1, 2, 7, 1, 50001);");
	for (off_t len = 8192; len > 16; len -= 1111) {
		CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);

		assert_int_equal(truncate(path, len), 0);
		assert_int_equal(read_database(&limits, &events, &facts, &err), -ERR_FORMAT);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(operators_are_read_with_their_own_time, make_path, remove_path),
		cmocka_unit_test_setup_teardown(rows_that_cannot_be_are_skipped, make_path, remove_path),
		cmocka_unit_test_setup_teardown(other_databases_are_refused, make_path, remove_path),
		cmocka_unit_test_setup_teardown(work_and_values_are_bounded, make_path, remove_path),
		cmocka_unit_test_setup_teardown(the_first_of_equal_ids_counts, make_path, remove_path),
		cmocka_unit_test_setup_teardown(a_cut_database_is_an_error, make_path, remove_path),
	};

	return run_group(tests);
}
