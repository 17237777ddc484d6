/* Many runs in PostgreSQL: their lists take indexes, their months are partitions, and their rollups equal a recount. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "store/db.h"
#include "store/engine/postgresql_text.h"
#include "store/keep.h"
#include "store/retention.h"
#include "store/rows.h"
#include "store/run_list.h"
#include "tests/unit/check.h"
#include "tests/unit/cluster.h"
#include "tests/unit/files.h"
#include "tests/unit/recounts.h"
#include "tests/unit/temporary.h"

static struct store *store;
static char directory[256];

/* --- two assessments with a run each, and copies of them in the months of 2025 and 2026 */

static const char originals[] = "SET search_path = opcheck, public;"
				"INSERT INTO assessment (id, created_at, name, input_sha256, input_bytes, options, "
				"db_sha256, tool_version) SELECT"
				" repeat(i::text, 64), '2024-12-31T00:00:00Z', 'a.log', repeat(i::text, 64), 1, '{}', "
				"'', '1' FROM generate_series(1, 2) AS i;"
				"INSERT INTO verdict (assessment, place, target, verdict, gate) SELECT number, place, "
				"'npu@v' || place, 'blocked', 'none'"
				" FROM assessment, generate_series(1, 2) AS place;"
				"INSERT INTO blocker (assessment, target, operator, status, share) SELECT number, "
				"'npu@v1', 'aten::x' || i, 'unsupported', i"
				" FROM assessment, generate_series(1, number) AS i;"
				"INSERT INTO used (assessment, operator) SELECT number, 'aten::x' || i FROM "
				"assessment, generate_series(1, 3) AS i;"
				"INSERT INTO run (id, assessment, created_at, project, name, model, branch, revision, "
				"tags, verdict, kept, stored_bytes)"
				" SELECT repeat(number::text, 16), number, '2024-12-31T00:00:00Z', '', 'a.log', "
				"'first', '', '', 'ci', 'blocked', 0, 1"
				" FROM assessment;";

static int fill(void **state)
{
	CLEANUP(buf_clear) struct buf file = source_text("tests/fixtures/growth.sql"), sql = BUF_UNLIMITED;
	static char url[CLUSTER_URL_BYTES]; /* the store keeps it */
	struct err err = { 0 };

	(void)state;
	cluster_put_url("postgres", url);
	if (!mkdtemp(temporary_path(directory, sizeof(directory))) ||
		store_open(&(struct store_place){ directory, url }, &store, &err)) {
		print_error("%s: %s\n", err.where, err.text);
		return -1;
	}
	buf_printf(
		&sql, "SET growth.runs = 2400; SET growth.assessments = 24; SET growth.seed = 1; %s", buf_text(&file));
	return cluster_run(originals) && cluster_run(buf_text(&sql)) && cluster_run("ANALYZE") ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	return remove(path);
}

static int clear(void **state)
{
	(void)state;
	store_close(store);
	cluster_stop();
	return nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static int64_t ask_number(const char *sql)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	CLEANUP(rows_free) struct rows *rows = engine_query(db->engine, sql, &number_row, BIND_NOTHING);
	struct err err = { 0 };
	struct number_row row = { 0 };

	if (rows_step(rows, &err) != 1)
		fail_msg("%s\n%s", sql, err.text);
	rows_read(rows, NULL, &row);
	return (int64_t)row.number;
}

/* --- rollups */

static void generated_rollups_equal_a_recount(void **state)
{
	(void)state;
	check_recounts(store->writer.engine, "generating runs");
	assert_int_equal(ask_number("SELECT count(*) AS number FROM run"), 2402);
	assert_int_equal(ask_number("SELECT count(*) AS number FROM run_month"), 25);
}

/* --- plans */

static void ask(const char *sql)
{
	struct err err = { 0 };

	if (engine_ask(store->writer.engine, sql, BIND_NOTHING, &err) < 0)
		fail_msg("%s\n%s", sql, err.text);
}

struct planned {
	const char *text, *types, *values;
	bool may_sort;
};

static const struct record plan_record = { sizeof(struct str),
	(const struct field[]){ { "QUERY PLAN", &kind_text, { 0, sizeof(struct str) } }, { 0 } } };
static const char *const modes[] = { "force_custom_plan", "force_generic_plan" };

static bool reads_whole(struct str plan)
{
	const struct str scan = STR("Seq Scan on ");
	size_t at;

	while ((at = str_find(plan, scan)) != STR_NONE) {
		plan = str_skip(plan, at + scan.len);
		if (!str_starts(plan, STR("unfolded_run")))
			return true;
	}
	return false;
}

/* Returns whether it reads a whole table but for runs that are not folded, or sorts more rows than its page has: below the
   limit. */
static bool is_slow(struct str plan, bool may_sort)
{
	size_t limit = str_find(plan, STR("Limit"));
	struct str below = limit == STR_NONE ? plan : str_skip(plan, limit);

	return reads_whole(plan) || (!may_sort && str_has(below, STR("Sort  (")));
}

/* Tables of so few rows would be read whole: a plan that still does so has no index to take. */
static void check_plan(const struct planned *planned, const char *mode)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED, explain = BUF_UNLIMITED, plan = BUF_UNLIMITED;
	CLEANUP(rows_free) struct rows *rows = NULL;
	struct parameter_names names = { 0 };
	struct str line;
	struct err err = { 0 };

	buf_printf(&sql, "SET enable_seqscan = off; SET plan_cache_mode = %s; PREPARE planned %s AS ", mode,
		planned->types);
	postgresql_put_text(&sql, planned->text, &names);
	ask(buf_text(&sql));
	buf_printf(&explain, "EXPLAIN EXECUTE planned (%s)", planned->values);
	rows = engine_query(store->writer.engine, buf_text(&explain), &plan_record, BIND_NOTHING);
	while (rows_step(rows, &err) == 1) {
		rows_read(rows, &arena, &line);
		buf_printf(&plan, "%.*s\n", STR_ARG(line));
	}
	ask("DEALLOCATE planned; RESET enable_seqscan; RESET plan_cache_mode");
	if (!plan.len || is_slow(buf_str(&plan), planned->may_sort))
		fail_msg("%s %s\n%s%s", mode, planned->text, err.text, buf_text(&plan));
}

static void statements_of_lists_take_an_index(void **state)
{
	static const char latest[] = "(text, text, text, text, text, text, text, text, bigint)";
	static const struct {
		enum statement which;
		const char *types, *values;
	} lists[] = {
		{ STATEMENT_FIND_RUNS, "(text, text, bigint)", "'1111', '', 2" },
		{ STATEMENT_TREND, "", "'team-3', 'model-7', 'main', 9000, 20" },
		{ STATEMENT_STANDINGS, latest, "'', '', '', '', '', '', '', '', 2688" },
		{ STATEMENT_STANDINGS, latest,
			"'model-7', 'main', 'team-3', 'l-7', '', 'main', 'npu@v1', 'blocked', 2688" },
		{ STATEMENT_STANDINGS_PROJECT, latest, "'', '', 'team-3', '', '', '', '', '', 2688" },
		{ STATEMENT_BRANCHES, "", "'team-3', 'model-7', 20" },
		{ STATEMENT_RECENT_MODELS, "(text, bigint)", "'', 200" },
		{ STATEMENT_DEMAND, "(text, text, bigint, bigint, bigint, text, text, text)",
			"'', '', 21, 900, 900, '', '', ''" },
		{ STATEMENT_DEMAND, "(text, text, bigint, bigint, bigint, text, text, text)",
			"'team-3', 'npu@v1', 21, 900, 900, '', '', ''" },
		{ STATEMENT_LIST, "(text, bigint, bigint)", "'', 9000, 21" },
		{ STATEMENT_FIND, "", "'1'" },
		{ STATEMENT_RUN_GOES, "", "1" },
		{ STATEMENT_HAS_RUNS, "", "1" },
		{ STATEMENT_CHANGE_RUN, "(text, text, text, text, bigint)", "'1111111111111111', '', NULL, NULL, 1" },
		{ STATEMENT_MODEL_RUN, "", "'team-3', 'model-7'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lists) * ARRAY_SIZE(modes); i++) {
		const struct statement_text *text = &statement_texts[lists[i / 2].which];

		check_plan(&(struct planned){ text->postgresql ? text->postgresql : text->text, lists[i / 2].types,
				   lists[i / 2].values },
			modes[i % 2]);
	}
}

/* Values of the parameters, in the order in which the query has them. */
static void put_values(struct buf *out, const struct run_query *query, bool count)
{
	const struct str values[] = { query->search, query->tag, query->model, query->branch, query->verdict,
		query->page.project };

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		if (values[i].len)
			buf_printf(out, "%s'%.*s'", out->len ? ", " : "", STR_ARG(values[i]));
	}
	if (!count)
		buf_printf(out, query->order ? "%s21" : "%s9000, 21", out->len ? ", " : "");
}

static void every_filter_and_order_of_runs_takes_an_index(void **state)
{
	const struct str none = STR("");

	(void)state;
	for (unsigned filters = 0; filters < 1 << 6; filters++) {
		for (unsigned order = RUN_ARRIVAL; order <= RUN_VERDICT + 1; order++) {
			CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED, values = BUF_UNLIMITED;
			bool count = order > RUN_VERDICT;
			const struct run_query query = {
				.page.project = filters & 1 ? STR("team-3") : none,
				.model = filters & 2 ? STR("model-7") : none,
				.branch = filters & 4 ? STR("main") : none,
				.tag = filters & 8 ? STR("nightly") : none,
				.verdict = filters & 16 ? STR("blocked") : none,
				.search = filters & 32 ? STR("%c0ffee%") : none,
				.order = count ? RUN_ARRIVAL : (enum run_order)order,
			};

			run_put_query(&sql, &query, DIALECT_POSTGRESQL, count);
			put_values(&values, &query, count);
			if (values.len)
				check_plan(&(struct planned){ buf_text(&sql), "", buf_text(&values),
						   query.search.len > 0 || (query.order && filters) },
					modes[0]);
		}
	}
}

static struct run_list search_for(struct arena *arena, struct str word)
{
	struct run_query query = { .page.max = 20, .search = word };
	struct run_list list;
	struct err err = { 0 };

	if (store_list_runs(store, &query, arena, &list, &err))
		fail_msg("%s", err.text);
	return list;
}

/* Half of the runs have the one word, one in ten the other. */
static void a_search_counts_to_its_bound(void **state)
{
	static const char count[] = "SELECT count(*) AS number FROM run_text WHERE text LIKE '%%%s%%'";
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct run_list common = search_for(&arena, STR("main")), rare = search_for(&arena, STR("nightly"));

	(void)state;
	assert_true(ask_number(arena_printf(&arena, count, "main").ptr) > RUN_SEARCH_TOTAL);
	assert_int_equal(common.count, 20);
	assert_int_equal(common.total, RUN_SEARCH_TOTAL);
	assert_true(common.more && common.more_than_total);
	assert_int_equal(rare.total, ask_number(arena_printf(&arena, count, "nightly").ptr));
	assert_true(rare.more && !rare.more_than_total);
}

/* --- months */

static void an_id_is_given_once_in_all_months(void **state)
{
	static const char again[] =
		"INSERT INTO run (id, assessment, created_at, project, name, model, branch, revision, tags,"
		" verdict, kept, stored_bytes) SELECT id, assessment, created_at, project, name, model, branch,"
		" revision, tags, verdict, kept, stored_bytes FROM run ORDER BY number LIMIT 1";
	struct err err = { 0 };

	(void)state;
	assert_int_equal(engine_ask(store->writer.engine, again, BIND_NOTHING, &err), -ERR_STORE);
	assert_non_null(strstr(err.text, "a run with the id 1111111111111111 exists"));
}

static uint64_t sweep_until(uint64_t now, uint64_t days)
{
	const struct retention retention = { .now = now, .days = days };
	uint64_t count, all = 0;
	struct err err = { 0 };

	do {
		if (store_sweep(store, &retention, &count, &err))
			fail_msg("%s", err.text);
		all += count;
	} while (count);
	return all;
}

/* Of three months that are over, one has a kept run, and another one a run that is not folded; of a fourth a part is over. */
static void old_months_go_as_tables_and_rollups_stay_right(void **state)
{
	enum { DAY = 24 * 3600, DAYS = 671 };
	const uint64_t now = 1800000000; /* 2027-01-15; the days before it begin on 2025-03-15 */
	int64_t before = ask_number("SELECT count(*) AS number FROM run WHERE created_at < '2025-03-15T08:00:00Z'");

	(void)state;
	ask("UPDATE run SET kept = 1 WHERE number = (SELECT min(number) FROM run_2025_02)");
	ask("CREATE TEMP TABLE again AS SELECT * FROM run_2025_01 ORDER BY number DESC LIMIT 1");
	ask("DELETE FROM run WHERE number IN (SELECT number FROM again)");
	ask("INSERT INTO run SELECT * FROM again");
	assert_int_equal(sweep_until(now, DAYS), before - 1);
	assert_int_equal(ask_number("SELECT count(*) AS number FROM run WHERE created_at < '2025-03-15T08:00:00Z'"), 1);
	assert_int_equal(ask_number("SELECT count(*) AS number FROM run WHERE kept = 1"), 1);
	assert_int_equal(
		ask_number("SELECT count(*) AS number FROM run_month WHERE month IN ('2025_01', '2025_02', '2027_01')"),
		2);
	assert_int_equal(ask_number("SELECT count(*) AS number FROM run_month WHERE first > 0 AND first NOT IN (SELECT "
				    "next FROM run_month)"),
		0);
	assert_int_equal(
		ask_number("SELECT count(*) AS number FROM run_tag WHERE run NOT IN (SELECT number FROM run)"), 0);
	assert_int_equal(
		ask_number("SELECT count(*) AS number FROM run_text WHERE rowid NOT IN (SELECT number FROM run)"), 0);
	assert_int_equal(
		ask_number(
			"SELECT count(*) AS number FROM assessment WHERE number NOT IN (SELECT assessment FROM run)"),
		0);
	check_recounts(store->writer.engine, "dropping months");
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(generated_rollups_equal_a_recount),
		cmocka_unit_test(statements_of_lists_take_an_index),
		cmocka_unit_test(every_filter_and_order_of_runs_takes_an_index),
		cmocka_unit_test(a_search_counts_to_its_bound), cmocka_unit_test(an_id_is_given_once_in_all_months),
		cmocka_unit_test(old_months_go_as_tables_and_rollups_stay_right) };

	return cluster_start() ? cmocka_run_group_tests(tests, fill, clear) : 0;
}
