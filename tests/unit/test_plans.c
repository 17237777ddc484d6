/* How SQLite answers what the service asks the store: however many assessments there are, by an index. */
#include <sqlite3.h>

#include "store/db.h"
#include "store/engine/sqlite.h"
#include "store/pool.h"
#include "store/run.h"
#include "store/run_list.h"
#include "tests/unit/store_fixture.h"

/* clang-format off */
/* Statements that read a whole table or sort, and the reason that they may. */
static const struct {
	enum statement statement;
	const char *reason;
} exceptions[] = {
	{ STATEMENT_COUNT_ALL, "counted again only when the store has changed" },
	{ STATEMENT_ADD_RUN, "sorts the verdicts of one assessment" },
	{ STATEMENT_DOOMED, "housekeeping; looks at every run that is not kept" },
	{ STATEMENT_USES, "sorts the operators of a rollup" },
	{ STATEMENT_TAKE_TICKET, "sorts tickets of the same second by their id" },
	{ STATEMENT_WORK, "sorts tickets of the same second by their id" },
	{ STATEMENT_REPLICAS, "some services" },
	{ STATEMENT_DROP_REPLICA, "some services" },
	{ STATEMENT_DROP_DUTIES, "some rows" },
	{ STATEMENT_DROP_TICKETS, "housekeeping; the number of tickets is limited" },
	{ STATEMENT_RENEW_KEYS, "keys live for a day" },
	{ STATEMENT_FREE_KEYS, "once, at the start" },
	{ STATEMENT_DROP_KEYS, "housekeeping; keys live for a day" },
	{ STATEMENT_DROP_AUDITS, "housekeeping; the number of lines is limited" },
	{ STATEMENT_FORMER, "former names of models, some at most" },
	{ STATEMENT_TOKENS, "tokens are made by hand" },
	{ STATEMENT_TOKENS_EXIST, "ends at the first token" },
	{ STATEMENT_FORGET_SESSIONS, "housekeeping; sessions end by themselves" },
	{ STATEMENT_END_SESSION, "one table with the tokens" },
};
/* clang-format on */

static const char *reason_of(size_t statement)
{
	for (size_t i = 0; i < ARRAY_SIZE(exceptions); i++) {
		if (exceptions[i].statement == statement)
			return exceptions[i].reason;
	}
	return NULL;
}

/* A virtual table by its index, the rows that a step before gave, no table. */
static bool is_bounded(struct str step)
{
	return str_has(step, STR("VIRTUAL TABLE INDEX")) || str_has(step, STR("SCAN (subquery")) ||
	       str_eq(step, STR("SCAN page")) || str_has(step, STR("CONSTANT ROW"));
}

/* The steps of the plan that look at every row of a table, or sort. */
static void put_slow_steps(sqlite3 *sqlite, const char *text, struct buf *out)
{
	CLEANUP(buf_clear) struct buf explained = BUF_UNLIMITED;
	sqlite3_stmt *plan = NULL;

	buf_printf(&explained, "EXPLAIN QUERY PLAN %s", text);
	assert_int_equal(sqlite3_prepare_v2(sqlite, buf_text(&explained), -1, &plan, NULL), SQLITE_OK);
	while (sqlite3_step(plan) == SQLITE_ROW) {
		const char *step = (const char *)sqlite3_column_text(plan, 3);

		if ((str_starts(str_from(step), STR("SCAN ")) && !is_bounded(str_from(step))) ||
			str_starts(str_from(step), STR("USE TEMP B-TREE")))
			buf_printf(out, "%s\n", step);
	}
	sqlite3_finalize(plan);
}

static void every_statement_takes_an_index_or_has_a_reason(void **state)
{
	struct store_fixture *fixture = *state;
	struct sqlite3 *sqlite = sqlite_of(pool_first(fixture->service.store->pool)->engine);

	for (size_t i = 0; i < STATEMENT_COUNT; i++) {
		CLEANUP(buf_clear) struct buf slow = BUF_UNLIMITED;
		const char *text = statement_texts[i].text;

		put_slow_steps(sqlite, text, &slow);
		if (slow.len && !reason_of(i))
			fail_msg("%s\n%s", text, buf_text(&slow));
		if (!slow.len && reason_of(i))
			fail_msg("takes an index, so it needs no reason (%s): %s", reason_of(i), text);
	}
}

static void every_filter_of_runs_takes_an_index(void **state)
{
	const struct str given = STR("abc"), none = STR("");
	struct store_fixture *fixture = *state;

	for (unsigned filters = 0; filters < 1 << 7; filters++) {
		CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED, slow = BUF_UNLIMITED;
		const struct run_query query = {
			.page.project = filters & 1 ? given : none,
			.model = filters & 2 ? given : none,
			.branch = filters & 4 ? given : none,
			.tag = filters & 8 ? given : none,
			.verdict = filters & 16 ? given : none,
			.search = filters & 32 ? given : none,
			.ascending = filters & 64,
		};

		run_put_query(&sql, &query, DIALECT_SQLITE, false);
		put_slow_steps(sqlite_of(pool_first(fixture->service.store->pool)->engine), buf_text(&sql), &slow);
		if (slow.len && !(str_starts(buf_str(&slow), STR("SCAN run\n")) && !(filters & 63)))
			fail_msg("%s\n%s", buf_text(&sql), buf_text(&slow));
	}
}

static void every_order_of_runs_takes_an_index(void **state)
{
	const struct str given = STR("abc"), none = STR("");
	struct store_fixture *fixture = *state;

	for (unsigned filters = 0; filters < 1 << 6; filters++) {
		for (unsigned order = RUN_MODEL; order <= RUN_VERDICT; order++) {
			CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED, slow = BUF_UNLIMITED;
			const struct run_query query = {
				.page.project = filters & 1 ? given : none,
				.model = filters & 2 ? given : none,
				.tag = filters & 4 ? given : none,
				.search = filters & 8 ? given : none,
				.verdict = filters & 16 ? given : none,
				.ascending = filters & 32,
				.order = (enum run_order)order,
			};

			run_put_query(&sql, &query, DIALECT_SQLITE, false);
			put_slow_steps(
				sqlite_of(pool_first(fixture->service.store->pool)->engine), buf_text(&sql), &slow);
			if (slow.len && !str_starts(buf_str(&slow), STR("SCAN run USING INDEX run_by_"))) /* in order */
				fail_msg("%s\n%s", buf_text(&sql), buf_text(&slow));
		}
	}
}

static void an_order_does_not_slow_the_count(void **state)
{
	CLEANUP(buf_clear) struct buf plain = BUF_UNLIMITED, ordered = BUF_UNLIMITED;
	struct run_query query = { .page.project = STR("abc"),
		.model = STR(""),
		.branch = STR(""),
		.tag = STR("abc"),
		.verdict = STR(""),
		.search = STR("") };

	(void)state;
	run_put_query(&plain, &query, DIALECT_SQLITE, true);
	query.order = RUN_VERDICT;
	run_put_query(&ordered, &query, DIALECT_SQLITE, true);
	assert_string_equal(buf_text(&ordered), buf_text(&plain));
}

int main(void)
{
	static const struct CMUnitTest tests[] = { store_test(every_statement_takes_an_index_or_has_a_reason),
		store_test(every_filter_of_runs_takes_an_index), store_test(every_order_of_runs_takes_an_index),
		store_test(an_order_does_not_slow_the_count) };

	return run_store_group(tests);
}
