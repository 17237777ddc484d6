/* Services that write to one PostgreSQL at a time: none waits for another that adds runs, and nothing is lost or seen twice. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory/mem.h"
#include "store/assessments.h"
#include "store/db.h"
#include "store/keep.h"
#include "store/project.h"
#include "store/replicas.h"
#include "store/rows.h"
#include "store/run_list.h"
#include "tests/unit/check.h"
#include "tests/unit/cluster.h"
#include "tests/unit/recounts.h"
#include "tests/unit/temporary.h"

enum { SERVICES = 2, MOST = 20 };

static struct store *stores[SERVICES];
static char directories[SERVICES][256];
static char url[CLUSTER_URL_BYTES];
static struct arena arena;

static int start(void **state)
{
	struct err err = { 0 };

	(void)state;
	arena = ARENA_INIT(ARENA_UNLIMITED);
	cluster_put_url("postgres", url);
	for (size_t i = 0; i < SERVICES; i++) {
		if (!mkdtemp(temporary_path(directories[i], sizeof(directories[i]))) ||
			store_open(&(struct store_place){ directories[i], url }, &stores[i], &err)) {
			print_error("%s: %s\n", err.where, err.text);
			return -1;
		}
	}
	return 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	return remove(path);
}

static int stop(void **state)
{
	int status = 0;

	(void)state;
	for (size_t i = 0; i < SERVICES; i++) {
		store_close(stores[i]);
		status |= nftw(directories[i], remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	}
	arena_clear(&arena);
	cluster_stop();
	return status;
}

/* --- what the services do */

static void ask(struct db *db, const char *sql)
{
	struct err err = { 0 };

	if (engine_ask(db->engine, sql, BIND_NOTHING, &err) < 0)
		fail_msg("%s\n%s", sql, err.text);
}

static struct str id_of(char digit)
{
	char id[65] = "";

	memset(id, digit, sizeof(id) - 1);
	return arena_keep(&arena, str_from(id));
}

#define ADD_ASSESSMENT(digit)                                                                                          \
	"INSERT INTO assessment (id, created_at, name, input_sha256, input_bytes, options, db_sha256, tool_version)"   \
	" VALUES (repeat('" digit "', 64), '2026-01-01T00:00:00Z', 'a.log', repeat('" digit                            \
	"', 64), 1, '{}', '', '1')"

/* With a verdict and a blocker; runs of the tests share all rows of rollups. */
static void add_assessment(const char *sql)
{
	struct db *db = &stores[0]->writer;

	ask(db, sql);
	ask(db, "INSERT INTO verdict (assessment, place, target, verdict, gate) SELECT max(number), 0, 'npu@v1', "
		"'blocked', 'none' FROM assessment");
	ask(db, "INSERT INTO blocker (assessment, target, operator, status, share) SELECT max(number), 'npu@v1', "
		"'aten::x', 'unsupported', 1 FROM assessment");
	ask(db, "INSERT INTO used (assessment, operator) SELECT max(number), 'aten::x' FROM assessment");
}

static struct run add_run(char digit)
{
	struct run run = { .project = STR("p"), .model = STR("llama"), .branch = STR("main") };
	struct err err = { 0 };

	if (store_add_run(stores[0], id_of(digit), &arena, &run, &err) != 1)
		fail_msg("%s", err.text);
	return run;
}

/* The second service adds a run, and does not commit. */
static struct db *hold_run(char digit)
{
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;
	struct db *db = &stores[1]->writer;
	struct err err = { 0 };

	assert_int_equal(db_begin_adding(db, &err), 0);
	buf_printf(&sql,
		"INSERT INTO run (id, assessment, created_at, project, name, model, branch, revision, tags, verdict, "
		"kept, stored_bytes) SELECT substr(md5(random()::text), 1, 16), number, '2026-01-01T00:00:00Z', 'p', "
		"'a.log', 'llama', 'main', '', '', 'blocked', 0, 1 FROM assessment WHERE id = repeat('%c', 64)",
		digit);
	ask(db, buf_text(&sql));
	return db;
}

static void end_held(struct db *db, int status)
{
	struct err err = { 0 };

	assert_int_equal(db_end(db, status, &err), status);
}

static void check_rollups(const char *after)
{
	struct err err = { 0 };

	check_recounts(stores[0]->writer.engine, after);
	assert_int_equal(store_fold(stores[0], &err), 0);
	check_recounts(stores[0]->writer.engine, after);
}

/* --- adding */

static void a_writer_waits_for_no_other_that_adds_a_run(void **state)
{
	struct err err = { 0 };
	struct db *held;

	(void)state;
	add_assessment(ADD_ASSESSMENT("1"));
	held = hold_run('1');
	add_run('1'); /* of the same model, branch, operators */
	assert_int_equal(store_fold(stores[0], &err), 0);
	add_run('1');
	end_held(held, 0);
	check_rollups("adding runs at a time");
	assert_int_equal(engine_ask(stores[0]->writer.engine,
				 "SELECT 1 FROM demand_rollup WHERE scope = 'p' AND operator = 'aten::x' AND runs = 3",
				 BIND_NOTHING, &err),
		1);
}

/* --- a list that goes up, page by page */

struct seen {
	uint64_t numbers[MOST];
	size_t count;
};

static void read_on(struct seen *seen)
{
	struct run_query query = { .page.max = 2, .ascending = true };
	struct run_list list;
	struct err err = { 0 };

	do {
		query.page.before = seen->count ? seen->numbers[seen->count - 1] : 0;
		assert_int_equal(store_list_runs(stores[0], &query, &arena, &list, &err), 0);
		for (size_t i = 0; i < list.count; i++)
			seen->numbers[seen->count++] = list.items[i].number;
	} while (list.more);
}

static void a_list_has_each_run_once_whatever_order_they_are_committed_in(void **state)
{
	struct run_query newest = { .page.max = MOST };
	struct seen seen = { 0 };
	struct run_list all;
	struct err err = { 0 };
	struct db *held;
	size_t before;

	(void)state;
	add_assessment(ADD_ASSESSMENT("2"));
	add_run('2');
	held = hold_run('2');
	read_on(&seen);
	before = seen.count;
	add_run('2');
	add_run('2');
	read_on(&seen);
	assert_int_equal(seen.count, before); /* they are behind one that may come */
	assert_int_equal(store_list_runs(stores[0], &newest, &arena, &all, &err), 0);
	assert_int_equal(all.count, before + 2);
	assert_int_equal(all.total, before + 2);
	end_held(held, 0);
	held = hold_run('2');
	read_on(&seen);
	assert_int_equal(seen.count, before + 3);
	add_run('2');
	end_held(held, -ERR_BUSY); /* and one that does not come ends no list */
	read_on(&seen);
	assert_int_equal(store_list_runs(stores[0], &newest, &arena, &all, &err), 0);
	assert_int_equal(seen.count, before + 4);
	assert_int_equal(seen.count, all.count);
	for (size_t i = 0; i < seen.count; i++)
		assert_int_equal(seen.numbers[i], all.items[all.count - 1 - i].number);
}

/* --- what has to wait, and does */

/* Waits until a connection waits for a lock. */
static void wait_for_lock(void)
{
	enum { TRIES = 3000, PAUSE_MS = 10, NS_A_MS = 1000 * 1000 };
	static const char waits[] = "SELECT 1 FROM pg_locks WHERE NOT granted";
	const struct timespec pause = { .tv_nsec = PAUSE_MS * NS_A_MS };
	struct err err = { 0 };
	struct db db = { 0 };
	int found = 0;

	assert_int_equal(db_open(&db, &stores[0]->place, false, &err), 0);
	for (int i = 0; i < TRIES && !found; i++) {
		found = engine_ask(db.engine, waits, BIND_NOTHING, &err);
		nanosleep(&pause, NULL);
	}
	db_close(&db);
	assert_int_equal(found, 1);
}

static void *keep_known(void *arg)
{
	struct stored_assessment *record = arg;
	struct stored_document report = { record->id, STR("json"), STR("packed report"), 12 };
	struct upload *upload;
	struct err err = { 0 };
	int status = upload_begin(stores[0], UINT64_MAX, &upload, &err);

	if (!status)
		status = upload_add(upload, STR("a dump"), &err);
	upload_end(upload);
	record->input_sha256 = upload_sha256(upload);
	if (!status)
		status = store_keep(stores[0], &(struct entry){ record, &report, upload }, &arena, &err);
	upload_free(upload);
	return (void *)(intptr_t)status;
}

static void an_assessment_that_two_services_add_is_one(void **state)
{
	struct stored_assessment record = { .id = id_of('3'),
		.name = STR("a.log"),
		.options = STR("{}"),
		.db_sha256 = STR(""),
		.tool_version = STR("1") };
	struct db *db = &stores[1]->writer;
	struct err err = { 0 };
	pthread_t thread;
	void *status;

	(void)state;
	assert_int_equal(db_begin_adding(db, &err), 0);
	ask(db, ADD_ASSESSMENT("3"));
	assert_int_equal(pthread_create(&thread, NULL, keep_known, &record), 0);
	wait_for_lock();
	end_held(db, 0);
	assert_int_equal(pthread_join(thread, &status), 0);
	assert_int_equal((intptr_t)status, 0); /* it was there */
	assert_int_equal(record.input_bytes, 1);
	check_rollups("adding a run to the assessment of another service");
}

static void *remove_only(void *arg)
{
	const struct run *run = arg;
	struct err err = { 0 };

	return (void *)(intptr_t)store_remove_run(stores[0], run->id, STR(""), &err);
}

static void an_assessment_stays_when_its_only_run_goes_as_another_comes(void **state)
{
	struct stored_assessment record;
	struct err err = { 0 };
	struct db *held;
	struct run only;
	pthread_t thread;
	void *status;

	(void)state;
	add_assessment(ADD_ASSESSMENT("4"));
	only = add_run('4');
	held = hold_run('4');
	assert_int_equal(pthread_create(&thread, NULL, remove_only, &only), 0);
	wait_for_lock();
	end_held(held, 0);
	assert_int_equal(pthread_join(thread, &status), 0);
	assert_int_equal((intptr_t)status, 1);
	assert_int_equal(store_find(stores[0], id_of('4'), &arena, &record, &err), 1);
	check_rollups("removing a run while another one comes");
}

static void *sweep_run(void *arg)
{
	const struct run *run = arg;
	struct err err = { 0 };
	int status;

	pthread_mutex_lock(&stores[0]->writer.lock);
	status = run_remove(stores[0], run->number, false, &err);
	pthread_mutex_unlock(&stores[0]->writer.lock);
	return (void *)(intptr_t)status;
}

static void a_run_that_another_service_keeps_meanwhile_stays(void **state)
{
	struct db *db = &stores[1]->writer;
	struct err err = { 0 };
	struct run run;
	pthread_t thread;
	void *status;

	(void)state;
	add_assessment(ADD_ASSESSMENT("5"));
	run = add_run('5');
	assert_int_equal(db_begin(db, &err), 0);
	ask(db, "UPDATE run SET kept = 1 WHERE number = (SELECT max(number) FROM run)");
	assert_int_equal(pthread_create(&thread, NULL, sweep_run, &run), 0);
	wait_for_lock();
	end_held(db, 0);
	assert_int_equal(pthread_join(thread, &status), 0);
	assert_int_equal((intptr_t)status, 0);
	assert_int_equal(store_remove_run(stores[0], run.id, STR(""), &err), 1);
}

static void *set_waivers(void *arg)
{
	struct waivers_change change = { .project = STR("p"), .text = STR("mine"), .before = *(const struct str *)arg };
	struct err err = { 0 };

	return (void *)(intptr_t)store_set_project_waivers(stores[0], &change, &err);
}

static void waivers_that_another_service_changes_meanwhile_stay(void **state)
{
	struct db *db = &stores[1]->writer;
	char none[SHA256_HEX_BYTES];
	struct project_waivers waivers;
	struct err err = { 0 };
	struct str before = { none, SHA256_HEX_BYTES - 1 };
	pthread_t thread;
	void *status;

	(void)state;
	sha256_of(STR(""), none);
	assert_int_equal(db_begin(db, &err), 0);
	ask(db, "INSERT INTO project_waivers (project, changed_at, text) VALUES ('p', '', 'of another')");
	assert_int_equal(pthread_create(&thread, NULL, set_waivers, &before), 0);
	wait_for_lock();
	end_held(db, 0);
	assert_int_equal(pthread_join(thread, &status), 0);
	assert_int_equal((intptr_t)status, 0);
	assert_int_equal(store_project_waivers(stores[0], STR("p"), &arena, &waivers, &err), 0);
	assert_str(waivers.text, "of another");
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(a_writer_waits_for_no_other_that_adds_a_run),
		cmocka_unit_test(a_list_has_each_run_once_whatever_order_they_are_committed_in),
		cmocka_unit_test(an_assessment_that_two_services_add_is_one),
		cmocka_unit_test(an_assessment_stays_when_its_only_run_goes_as_another_comes),
		cmocka_unit_test(a_run_that_another_service_keeps_meanwhile_stays),
		cmocka_unit_test(waivers_that_another_service_changes_meanwhile_stay) };

	return cluster_start() ? cmocka_run_group_tests(tests, start, stop) : 0;
}
