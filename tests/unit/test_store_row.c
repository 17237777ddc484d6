/* Rows of SQL by the names of their columns: one for each field, whatever their order. */
#include <sqlite3.h>

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "store/engine/sqlite.h"
#include "tests/unit/check.h"

struct berth {
	struct str name;
	bool lit;
};
struct ship {
	struct str name;
	uint64_t tons;
	struct berth berth;
};

/* clang-format off */
static const struct record berth_row = { sizeof(struct berth), (const struct field[]){
	{ "berth", &kind_text, AT(berth, name) },
	{ "lit", &kind_bool, AT(berth, lit) },
	{ 0 } } };
static const struct record ship_row = { sizeof(struct ship), (const struct field[]){
	{ "name", &kind_text, AT(ship, name) },
	{ "place", &kind_inline, AT(ship, berth), .record = &berth_row },
	{ "tons", &kind_count, AT(ship, tons) },
	{ 0 } } };
/* clang-format on */

static int open_memory(void **state)
{
	return sqlite3_open(":memory:", (sqlite3 **)state);
}

static int close_memory(void **state)
{
	return sqlite3_close(*state);
}

static struct engine engine = { .calls = &sqlite_calls };

static struct rows prepared(sqlite3 *sqlite, const char *sql)
{
	sqlite3_stmt *statement = NULL;

	assert_int_equal(sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL), SQLITE_OK);
	return (struct rows){ .engine = &engine, .text = sql, .record = &ship_row, .own = statement };
}

static void columns_may_have_any_order(void **state)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct rows row = prepared(*state, "SELECT 1 AS lit, 7 AS tons, 'Ann' AS name, NULL AS berth");
	struct ship ship = { 0 };
	struct err err = { 0 };

	assert_int_equal(row_match(&row, &err), 0);
	assert_int_equal(sqlite3_step(row.own), SQLITE_ROW);
	row_read(&row, &arena, &ship);
	assert_str(ship.name, "Ann");
	assert_str(ship.berth.name, "");
	assert_true(ship.berth.lit);
	assert_int_equal(ship.tons, 7);
	sqlite3_finalize(row.own);
}

static void each_field_has_one_column_and_each_column_a_field(void **state)
{
	static const char *const cases[] = {
		"SELECT 'Ann' AS name, 7 AS tons, 1 AS lit",
		"SELECT 'Ann' AS name, 7 AS weight, 1 AS lit, 'B' AS berth",
		"SELECT 'Ann' AS name, 7 AS tons, 1 AS lit, 'B' AS berth, 2 AS length",
		"SELECT 'Ann' AS name, 7 AS tons, 8 AS tons, 1 AS lit, 'B' AS berth",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rows row = prepared(*state, cases[i]);
		struct err err = { 0 };

		assert_int_equal(row_match(&row, &err), -ERR_STORE);
		assert_non_null(strstr(err.text, cases[i]));
		sqlite3_finalize(row.own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_may_have_any_order),
		cmocka_unit_test(each_field_has_one_column_and_each_column_a_field),
	};

	return cmocka_run_group_tests(tests, open_memory, close_memory);
}
