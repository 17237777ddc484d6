/* Rows of SQL by the names of their columns: one for each field, whatever their order. */
#include <sqlite3.h>

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "store/engine/sqlite.h"
#include "store/statement.h"
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

/* --- values by the names of parameters */

static void each_parameter_has_one_value_of_its_name(void **state)
{
	static struct str names[] = { { "name", 4 }, { "tons", 4 } };
	const struct parameter_names parameters = { names, ARRAY_SIZE(names), 0 };
	const struct db_value *const cases[] = { BIND(AS("name", TEXT(STR("Ann")))), BIND_NOTHING,
		BIND(AS("name", TEXT(STR("Ann"))), AS("tons", INTEGER(7)), AS("lit", INTEGER(1))),
		BIND(AS("name", TEXT(STR("Ann"))), AS("name", TEXT(STR("Ann")))), BIND(TEXT(STR("Ann")), INTEGER(7)),
		BIND(AS("name", TEXT(STR("Ann"))), INTEGER(7)) };
	struct db_value values[VALUES_MOST + 1];
	struct err err = { 0 };

	(void)state;
	assert_int_equal(
		values_arrange(BIND(AS("tons", INTEGER(7)), AS("name", TEXT(STR("Ann")))), &parameters, values, &err),
		0);
	assert_str(values[0].text, "Ann");
	assert_int_equal(values[1].number, 7);
	assert_int_equal(values[2].kind, DB_NO_VALUE);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(values_arrange(cases[i], &parameters, values, &err), -ERR_INTERNAL);
}

/* The next item of a list, up to a comma outside of brackets, or to the end of the list. */
static struct str cut_item(struct str *list)
{
	struct str item = { list->ptr, 0 };
	int depth = 0;

	for (; item.len < list->len; item.len++) {
		char byte = item.ptr[item.len];

		if (depth == 0 && (byte == ',' || byte == ')' || str_starts(str_skip(*list, item.len), STR(" FROM "))))
			break;
		depth += byte == '(' ? 1 : byte == ')' ? -1 : 0;
	}
	*list = str_skip(*list, item.len < list->len ? item.len + 1 : item.len);
	return str_trim(item);
}

/* Each column of an INSERT takes the parameter of its name, or what is calculated. */
static void check_insert(struct str text)
{
	size_t at = str_find(text, STR(" VALUES (")), begin = str_find(text, STR("("));
	struct str columns = str_skip(text, begin + 1);
	struct str values = at == STR_NONE ? str_skip(text, str_find(text, STR(" SELECT ")) + strlen(" SELECT "))
					   : str_skip(text, at + strlen(" VALUES ("));

	columns.len = str_find(columns, STR(")"));
	while (columns.len) {
		struct str column = cut_item(&columns), value = cut_item(&values);

		if (value.len && value.ptr[0] == ':' && !str_eq(str_skip(value, 1), column))
			fail_msg("%.*s takes %.*s: %.*s", STR_ARG(column), STR_ARG(value), STR_ARG(text));
		assert_true(value.len > 0);
	}
}

static void each_column_that_is_written_takes_the_value_of_its_name(void **state)
{
	unsigned count = 0;

	(void)state;
	for (size_t i = 0; i < STATEMENT_COUNT; i++) {
		struct str text = str_from(statement_texts[i].text);

		if (!str_starts(text, STR("INSERT INTO ")) || i == STATEMENT_ADD_TEXT)
			continue;
		assert_false(str_has(text, STR("?")));
		check_insert(text);
		count++;
	}
	assert_true(count > 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_may_have_any_order),
		cmocka_unit_test(each_field_has_one_column_and_each_column_a_field),
		cmocka_unit_test(each_parameter_has_one_value_of_its_name),
		cmocka_unit_test(each_column_that_is_written_takes_the_value_of_its_name),
	};

	return cmocka_run_group_tests(tests, open_memory, close_memory);
}
