/* How SQLite answers what the service asks the store: however many assessments there are, by an index. */
#include <sqlite3.h>

#include "store/db.h"
#include "tests/unit/store_fixture.h"

static const enum statement asked[] = { STATEMENT_FIND, STATEMENT_LIST, STATEMENT_VERDICTS, STATEMENT_DOCUMENT,
	STATEMENT_INPUT_USED, STATEMENT_TICKET };

/* The steps of the plan that look at every row of a table, or sort. */
static void put_slow_steps(sqlite3 *sqlite, const char *text, struct buf *out)
{
	CLEANUP(buf_clear) struct buf explained = BUF_UNLIMITED;
	sqlite3_stmt *plan = NULL;

	buf_printf(&explained, "EXPLAIN QUERY PLAN %s", text);
	assert_int_equal(sqlite3_prepare_v2(sqlite, buf_text(&explained), -1, &plan, NULL), SQLITE_OK);
	while (sqlite3_step(plan) == SQLITE_ROW) {
		const char *step = (const char *)sqlite3_column_text(plan, 3);

		if (str_starts(str_from(step), STR("SCAN ")) || str_starts(str_from(step), STR("USE TEMP B-TREE")))
			buf_printf(out, "%s\n", step);
	}
	sqlite3_finalize(plan);
}

static void lists_and_look_ups_take_an_index(void **state)
{
	struct store_fixture *fixture = *state;
	struct db *db = &fixture->service.store->reader;

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		CLEANUP(buf_clear) struct buf slow = BUF_UNLIMITED;
		const char *text = sqlite3_sql(db->statements[asked[i]]);

		put_slow_steps(db->sqlite, text, &slow);
		if (slow.len)
			fail_msg("%s\n%s", text, buf_text(&slow));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = { store_test(lists_and_look_ups_take_an_index) };

	return run_store_group(tests);
}
