/* Rollups: after runs and models are added, removed and renamed, each equals a recount of the runs. */
#include <stdio.h>

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/keep.h"
#include "store/model.h"
#include "store/project.h"
#include "store/replicas.h"
#include "store/run_list.h"
#include "store/team.h"
#include "tests/unit/cluster.h"
#include "tests/unit/files.h"
#include "tests/unit/recounts.h"
#include "tests/unit/store_fixture.h"

/* When runs are folded: in SQLite at once, in PostgreSQL after each change or when one needs it. */
static enum { AT_ONCE, OFTEN, LATE } folds;

/* As by a service that is killed before it commits. */
static void fold_in_vain(struct store *store)
{
	struct db db = { 0 };
	struct err err = { 0 };

	assert_int_equal(db_open(&db, &store->place, false, &err), 0);
	assert_true(engine_ask(db.engine, "BEGIN", BIND_NOTHING, &err) >= 0);
	assert_true(engine_ask(db.engine, "SELECT fold_runs()", BIND_NOTHING, &err) >= 0);
	db_close(&db);
}

/* Returns how many rows all rollups have. */
static int64_t check_rollups(struct store_fixture *fixture, const char *after)
{
	struct store *store = fixture->service.store;
	int64_t rows = check_recounts(store->writer.engine, after);
	struct err err = { 0 };

	if (folds != OFTEN)
		return rows;
	fold_in_vain(store);
	check_recounts(store->writer.engine, after);
	assert_int_equal(store_fold(store, &err), 0);
	assert_int_equal(engine_ask(store->writer.engine, "SELECT 1 FROM unfolded_run", BIND_NOTHING, &err), 0);
	return check_recounts(store->writer.engine, after);
}

/* --- runs of two assessments: both are blocked by aten::x on a target, one by aten::y on the other */

static struct stored_verdict verdicts[] = { { { "npu@v1", 6 }, { "blocked", 7 }, { "none", 4 }, 1, 2 },
	{ { "musa@v1", 7 }, { "blocked", 7 }, { "none", 4 }, 1, 2 } };
static struct stored_blocker blockers[] = { { { "npu@v1", 6 }, { "aten::x", 7 }, { "unsupported", 11 }, 5000 },
	{ { "musa@v1", 7 }, { "aten::y", 7 }, { "cpu-fallback", 12 }, 70 } };
static struct str used[] = { { "aten::x", 7 }, { "aten::z", 7 } };

static struct str id_of(struct store_fixture *fixture, size_t number)
{
	char id[65];

	snprintf(id, sizeof(id), "%064zu", number);
	return arena_keep(&fixture->arena, str_from(id));
}

static void keep_assessment(struct store_fixture *fixture, size_t number)
{
	struct upload *upload = upload_of(fixture, id_of(fixture, number));
	struct stored_assessment record = { .id = id_of(fixture, number),
		.name = STR("a.log"),
		.options = STR("{}"),
		.db_sha256 = STR("db"),
		.tool_version = STR("1"),
		.input_sha256 = upload_sha256(upload),
		.input_bytes = upload_bytes(upload),
		.verdicts = verdicts,
		.verdict_count = number };
	struct stored_document report = { record.id, STR("json"), STR("packed report"), 12 };
	struct run run = {
		.model = STR("llama"), .blockers = blockers, .blocker_count = number, .used = used, .used_count = number
	};
	struct err err = { 0 };

	assert_int_equal(store_keep(fixture->service.store, &(struct entry){ &record, &report, upload, &run },
				 &fixture->arena, &err),
		1);
	upload_free(upload);
}

static struct str add_run(
	struct store_fixture *fixture, size_t assessment, const char *project, const char *model, const char *branch)
{
	struct run run = { .project = str_from(project), .model = str_from(model), .branch = str_from(branch) };
	struct err err = { 0 };

	assert_int_equal(
		store_add_run(fixture->service.store, id_of(fixture, assessment), &fixture->arena, &run, &err), 1);
	return run.id;
}

static void remove_run(struct store_fixture *fixture, struct str id, const char *after)
{
	struct err err = { 0 };

	assert_int_equal(store_remove_run(fixture->service.store, id, STR(""), &err), 1);
	check_rollups(fixture, after);
}

static void rollups_equal_a_recount_after_every_change(void **state)
{
	struct store_fixture *fixture = *state;
	struct store *store = fixture->service.store;
	struct model_change change = { .project = STR("a"), .model = STR("bert"), .name = STR("bart") };
	struct id_like all = { .begin = id_of(fixture, 1) };
	struct str older, newest, only;
	struct err err = { 0 };
	int64_t rows;

	keep_assessment(fixture, 1);
	keep_assessment(fixture, 2);
	older = add_run(fixture, 2, "a", "bert", "main");
	newest = add_run(fixture, 1, "a", "bert", "main");
	only = add_run(fixture, 2, "a", "bert", "topic");
	add_run(fixture, 2, "b", "bert", "main");
	add_run(fixture, 1, "a", "", "");
	rows = check_rollups(fixture, "adding runs");
	assert_true(folds == LATE ? rows == 0 : rows > 20); /* late: none of the runs is folded */
	remove_run(fixture, newest, "removing the newest run of a branch");
	remove_run(fixture, only, "removing the only run of a branch");
	assert_int_equal(store_change_model(store, &change, &err), 1);
	check_rollups(fixture, "renaming a model");
	newest = add_run(fixture, 1, "a", "bert", "main"); /* belongs to the renamed model */
	check_rollups(fixture, "adding a run by a former name");
	remove_run(fixture, older, "removing a run that is not the newest");
	remove_run(fixture, newest, "removing the last run of a model");
	assert_int_equal(store_remove_model(store, STR("b"), STR("bert"), &err), 1);
	check_rollups(fixture, "removing a model");
	assert_int_equal(store_remove(store, &all, &err), 1);
	check_rollups(fixture, "removing an assessment");
	all.begin = id_of(fixture, 2);
	assert_int_equal(store_remove(store, &all, &err), 1);
	assert_int_equal(check_rollups(fixture, "removing everything"), 0);
}

/* --- PostgreSQL */

static void open_in_cluster(struct store_fixture *fixture)
{
	static char url[CLUSTER_URL_BYTES]; /* the store keeps it */
	struct err err = { 0 };

	cluster_put_url("postgres", url);
	store_close(fixture->service.store);
	if (store_open(&(struct store_place){ fixture->directory, url }, &fixture->service.store, &err))
		fail_msg("%s", err.text);
}

static void rollups_that_are_folded_often_equal_a_recount(void **state)
{
	open_in_cluster(*state);
	folds = OFTEN;
	rollups_equal_a_recount_after_every_change(state);
}

static void rollups_that_are_folded_late_equal_a_recount(void **state)
{
	open_in_cluster(*state);
	folds = LATE;
	rollups_equal_a_recount_after_every_change(state);
}

static void lists_count_runs_that_are_not_folded(void **state)
{
	enum { RUNS = 3 };
	struct store_fixture *fixture = *state;
	struct store *store;
	struct err err = { 0 };
	struct run_list runs;
	struct latest_list latest;
	struct demand_list demand;
	struct use_list uses;

	open_in_cluster(fixture);
	store = fixture->service.store;
	keep_assessment(fixture, 1);
	for (size_t i = 1; i < RUNS; i++)
		add_run(fixture, 1, "", "llama", "");
	assert_int_equal(store_list_runs(store, &(struct run_query){ .page.max = 9 }, &fixture->arena, &runs, &err), 0);
	assert_int_equal(runs.total, RUNS);
	assert_int_equal(engine_ask(store->writer.engine, "SELECT 1 FROM unfolded_run", BIND_NOTHING, &err), 1);
	assert_int_equal(
		store_list_latest(store, &(struct latest_query){ .max = 9 }, &fixture->arena, &latest, &err), 0);
	assert_int_equal(latest.count, 1);
	assert_true(str_eq(latest.items[0].run, runs.items[0].id));
	add_run(fixture, 1, "", "llama", "");
	assert_int_equal(
		store_list_demand(store, &(struct demand_query){ .max = 9 }, &fixture->arena, &demand, &err), 0);
	assert_int_equal(demand.items[0].runs, RUNS + 1);
	assert_int_equal(demand.items[0].models, 1);
	add_run(fixture, 1, "", "llama", "");
	assert_int_equal(store_list_uses(store, &(struct use_query){ .max = 9 }, &fixture->arena, &uses, &err), 0);
	assert_int_equal(uses.items[0].runs, RUNS + 2);
	assert_int_equal(store_remove_model(store, STR(""), STR("llama"), &err), 1);
}

/* As the program of before made it: with runs, whose rollups its triggers kept. */
static void make_version_18(void)
{
	static const char *const files[] = { "0011", "0012", "0013", "0014", "0015", "0017", "0018" };
	static const char runs[] =
		"INSERT INTO assessment (id, created_at, name, input_sha256, input_bytes, options, db_sha256, "
		"tool_version) SELECT repeat(i::text, 64), '2026-01-01T00:00:00Z', 'a.log', repeat(i::text, 64), 1, "
		"'{}', '', '1' FROM generate_series(7, 8) AS i;"
		"INSERT INTO verdict (assessment, place, target, verdict, gate) SELECT number, 0, 'npu@v1', 'blocked', "
		"'none' FROM assessment;"
		"INSERT INTO blocker (assessment, target, operator, status, share) SELECT number, 'npu@v1', "
		"'aten::x' || number, 'unsupported', 1 FROM assessment;"
		"INSERT INTO used (assessment, operator) SELECT number, 'aten::x' FROM assessment;"
		"INSERT INTO run (id, assessment, created_at, project, name, model, branch, revision, tags, verdict, "
		"kept, stored_bytes) SELECT repeat(number::text, 16), number, '2026-01-01T00:00:00Z', 'p', 'a.log', "
		"'llama', 'main', '', 'ci', 'blocked', 0, 1 FROM assessment;";
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;

	buf_add(&sql, STR("CREATE SCHEMA opcheck; SET search_path = opcheck, public;"));
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char name[64];
		struct buf file;

		snprintf(name, sizeof(name), "schema/store-pg-%s.sql", files[i]);
		file = source_text(name);
		buf_printf(&sql, "%s;", buf_text(&file));
		buf_clear(&file);
	}
	buf_add(&sql, str_from(runs));
	assert_true(cluster_run(buf_text(&sql)));
}

static void a_store_of_version_18_is_brought_up_to_date(void **state)
{
	struct store_fixture *fixture = *state;
	struct id_like all = { .begin = STR("77") };
	struct store *store;
	struct err err = { 0 };
	struct run run = { .project = STR("p"), .model = STR("llama"), .branch = STR("main"), .tags = STR("ci") };
	char id[65] = "";

	make_version_18();
	open_in_cluster(fixture);
	store = fixture->service.store;
	assert_int_equal(check_recounts(store->writer.engine, "the step"), 17);
	memset(id, '7', sizeof(id) - 1);
	all.begin = str_from(id);
	assert_int_equal(store_add_run(store, all.begin, &fixture->arena, &run, &err), 1);
	assert_int_equal(run.number, 3);
	assert_int_equal(store_remove(store, &all, &err), 1);
	assert_int_equal(check_recounts(store->writer.engine, "removing new and old runs"), 15);
	memset(id, '8', sizeof(id) - 1);
	assert_int_equal(store_remove(store, &all, &err), 1);
	assert_int_equal(check_recounts(store->writer.engine, "removing everything"), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { store_test(rollups_equal_a_recount_after_every_change),
		store_test(a_store_of_version_18_is_brought_up_to_date),
		store_test(rollups_that_are_folded_often_equal_a_recount),
		store_test(rollups_that_are_folded_late_equal_a_recount),
		store_test(lists_count_runs_that_are_not_folded) };
	bool has_cluster = cluster_start();
	int failed = _cmocka_run_group_tests(
		"rollups", tests, has_cluster ? ARRAY_SIZE(tests) : 1, store_group_setup, store_group_teardown);

	if (has_cluster)
		cluster_stop();
	return failed;
}
