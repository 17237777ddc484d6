/* Rollups: after runs and models are added, removed and renamed, each equals a recount of the runs. */
#include <sqlite3.h>
#include <stdio.h>

#include "base/memory/mem.h"
#include "store/keep.h"
#include "store/model.h"
#include "tests/unit/recounts.h"
#include "tests/unit/store_fixture.h"

/* Count the rows of a query that another one does not have; NULL: all. */
static int64_t count_rows(sqlite3 *sqlite, const char *rows, const char *without)
{
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;
	sqlite3_stmt *statement;
	int64_t count;

	buf_printf(&sql, "SELECT count(*) FROM (SELECT * FROM (%s)", rows);
	if (without)
		buf_printf(&sql, " EXCEPT SELECT * FROM (%s)", without);
	buf_add(&sql, STR(")"));
	assert_int_equal(sqlite3_prepare_v2(sqlite, buf_text(&sql), -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	count = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return count;
}

/* Returns how many rows all rollups have. */
static int64_t check_rollups(struct store_fixture *fixture, const char *after)
{
	int64_t rows = 0;
	sqlite3 *sqlite;

	assert_int_equal(sqlite3_open(state_path(fixture, "store.sqlite"), &sqlite), SQLITE_OK);
	for (size_t i = 0; i < ARRAY_SIZE(recounts); i++) {
		const char *rollup = recounts[i].rollup, *recount = recounts[i].recount;

		if (count_rows(sqlite, rollup, recount) || count_rows(sqlite, recount, rollup))
			fail_msg("after %s: '%s' is not '%s'", after, rollup, recount);
		rows += count_rows(sqlite, rollup, NULL);
	}
	sqlite3_close(sqlite);
	return rows;
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

	keep_assessment(fixture, 1);
	keep_assessment(fixture, 2);
	older = add_run(fixture, 2, "a", "bert", "main");
	newest = add_run(fixture, 1, "a", "bert", "main");
	only = add_run(fixture, 2, "a", "bert", "topic");
	add_run(fixture, 2, "b", "bert", "main");
	add_run(fixture, 1, "a", "", "");
	assert_true(check_rollups(fixture, "adding runs") > 20);
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

int main(void)
{
	static const struct CMUnitTest tests[] = { store_test(rollups_equal_a_recount_after_every_change) };

	return run_store_group(tests);
}
