/* What the service keeps: that it is all there afterwards, and that what must not be there is not. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/keep.h"
#include "store/migrate.h"
#include "tests/unit/store_fixture.h"

/* A record with an id of its own. */
static struct stored_assessment record_number(
	struct store_fixture *fixture, unsigned number, const struct upload *upload)
{
	static struct stored_verdict verdicts[] = { { { "npu@v1", 6 }, { "ready", 5 }, { "none", 4 } },
		{ { "musa@v1", 7 }, { "blocked", 7 }, { "failed", 6 } } };
	char id[65];

	snprintf(id, sizeof(id), "%064u", number);
	return (struct stored_assessment){ .id = arena_keep(&fixture->arena, str_from(id)),
		.name = STR("a.log"),
		.input_sha256 = upload_sha256(upload),
		.input_bytes = upload_bytes(upload),
		.options = STR("{}"),
		.db_sha256 = STR("db"),
		.tool_version = STR("1"),
		.verdicts = verdicts,
		.verdict_count = 2 };
}

static int keep_number(struct store_fixture *fixture, unsigned number)
{
	struct upload *upload = upload_of(fixture, STR("a dump"));
	struct stored_assessment record = record_number(fixture, number, upload);
	struct err err = { 0 };
	struct stored_document report = { record.id, STR("json"), STR("packed report"), 12 };
	int status = store_keep(
		fixture->service.store, &(struct entry){ &record, &report, upload }, &fixture->arena, &err);

	upload_free(upload);
	if (status < 0)
		fail_msg("%s", err.text);
	return status;
}

static void execute(const char *path, const char *sql)
{
	sqlite3 *sqlite;

	assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
	assert_int_equal(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(sqlite);
}

static int open_after(struct store_fixture *fixture, const char *sql, struct err *err)
{
	int status;

	store_close(fixture->service.store);
	fixture->service.store = NULL;
	execute(state_path(fixture, "store.sqlite"), sql);
	status = store_open(&(struct store_place){ fixture->directory }, &fixture->service.store, err);
	return status;
}

static void what_is_kept_is_there_after_opening_again(void **state)
{
	struct store_fixture *fixture = *state;
	struct stored_document report = { .form = STR("json") };
	struct stored_assessment found;
	struct err err = { 0 };
	char id[65];

	assert_int_equal(keep_number(fixture, 7), 1);
	store_reopen(fixture);
	snprintf(id, sizeof(id), "%064u", 7u);
	assert_int_equal(store_find(fixture->service.store, str_from(id), &fixture->arena, &found, &err), 1);
	assert_str(found.name, "a.log");
	assert_int_equal(found.input_bytes, 6);
	assert_int_equal(found.number, 1);
	assert_int_equal(found.created_at.len, strlen("2026-01-01T00:00:00Z"));
	assert_int_equal(found.verdict_count, 2);
	assert_str(found.verdicts[0].target, "npu@v1");
	assert_str(found.verdicts[1].verdict, "blocked");
	assert_str(found.verdicts[1].gate, "failed");
	report.id = str_from(id);
	assert_int_equal(store_document(fixture->service.store, &report, &fixture->arena, &err), 1);
	assert_str(report.packed, "packed report");
	assert_int_equal(report.bytes, 12);
	assert_int_equal(state_count(fixture, "dumps"), 1);
}

static void an_id_is_kept_once(void **state)
{
	struct store_fixture *fixture = *state;
	struct stored_list list;
	struct err err = { 0 };

	assert_int_equal(keep_number(fixture, 1), 1);
	assert_int_equal(keep_number(fixture, 1), 0);
	assert_int_equal(
		store_list(fixture->service.store, &(struct list_page){ 0, 10 }, &fixture->arena, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.total, 1);
	assert_int_equal(state_count(fixture, "incoming"), 0);
}

static void what_is_not_there_is_not_found(void **state)
{
	struct store_fixture *fixture = *state;
	struct stored_document report = { STR(""), STR("json") };
	struct stored_assessment found;
	struct err err = { 0 };

	assert_int_equal(store_find(fixture->service.store, STR("x' OR '1'='1"), &fixture->arena, &found, &err), 0);
	assert_int_equal(store_document(fixture->service.store, &report, &fixture->arena, &err), 0);
	assert_int_equal(report.packed.len, 0);
}

static void what_was_rendered_is_kept_beside_its_report(void **state)
{
	struct store_fixture *fixture = *state;
	struct stored_document page = { .form = STR("html-en-1"), .packed = STR("a page"), .bytes = 100 }, found;
	struct err err = { 0 };
	char id[65];

	keep_number(fixture, 1);
	snprintf(id, sizeof(id), "%064u", 1u);
	page.id = str_from(id);
	found = (struct stored_document){ page.id, page.form };
	assert_int_equal(store_document(fixture->service.store, &found, &fixture->arena, &err), 0);
	assert_int_equal(store_keep_document(fixture->service.store, &page, &err), 0);
	assert_int_equal(store_keep_document(fixture->service.store, &page, &err), 0);
	assert_int_equal(store_document(fixture->service.store, &found, &fixture->arena, &err), 1);
	assert_str(found.packed, "a page");
	page.id = STR("none");
	assert_int_equal(store_keep_document(fixture->service.store, &page, &err), 0);
	assert_int_equal(store_document(fixture->service.store, &page, &fixture->arena, &err), 0);
}

static void open_changed(struct store_fixture *fixture, const char *sql)
{
	struct err err = { 0 };

	assert_int_equal(open_after(fixture, sql, &err), 0);
}

static void what_is_not_as_it_was_kept_is_never_given(void **state)
{
	struct store_fixture *fixture = *state;
	struct stored_document report = { .form = STR("json") };
	struct err err = { 0 };
	char id[65];

	keep_number(fixture, 1);
	open_changed(fixture, "UPDATE document SET content = CAST('packed rep0rt' AS BLOB)");
	snprintf(id, sizeof(id), "%064u", 1u);
	report.id = str_from(id);
	assert_int_equal(store_document(fixture->service.store, &report, &fixture->arena, &err), -ERR_STORE_DAMAGED);
}

static void a_dump_of_no_assessment_is_swept_away(void **state)
{
	struct store_fixture *fixture = *state;
	FILE *orphan;

	keep_number(fixture, 1);
	orphan = fopen(
		state_path(fixture, "dumps/0000000000000000000000000000000000000000000000000000000000000000"), "w");
	assert_non_null(orphan);
	fclose(orphan);
	store_reopen(fixture);
	assert_int_equal(state_count(fixture, "dumps"), 1);
}

static void lists_go_from_the_newest_to_the_oldest_in_pages(void **state)
{
	struct store_fixture *fixture = *state;
	uint64_t before = 0, seen = 0;
	struct err err = { 0 };

	for (unsigned i = 1; i <= 25; i++)
		keep_number(fixture, i);
	for (;;) {
		struct stored_list list;

		assert_int_equal(store_list(fixture->service.store, &(struct list_page){ before, 10 }, &fixture->arena,
					 &list, &err),
			0);
		assert_int_equal(list.total, 25);
		for (size_t i = 0; i < list.count; i++)
			assert_int_equal(list.items[i].number, 25 - seen++);
		if (!list.more)
			break;
		assert_int_equal(list.count, 10);
		before = list.items[list.count - 1].number;
	}
	assert_int_equal(seen, 25);
}

static void an_upload_that_is_given_up_leaves_nothing(void **state)
{
	struct store_fixture *fixture = *state;

	upload_free(upload_of(fixture, STR("half a dump")));
	assert_int_equal(state_count(fixture, "incoming"), 0);
	assert_int_equal(state_count(fixture, "dumps"), 0);
}

static void an_upload_over_its_limit_is_refused_at_the_byte(void **state)
{
	struct store_fixture *fixture = *state;
	struct upload *upload;
	struct err err = { 0 };

	assert_int_equal(upload_begin(fixture->service.store, 4, &upload, &err), 0);
	assert_int_equal(upload_add(upload, STR("1234"), &err), 0);
	assert_int_equal(upload_add(upload, STR("5"), &err), -ERR_LIMIT);
	upload_free(upload);
}

static void uploads_that_a_crash_cut_off_are_gone_after_opening(void **state)
{
	struct store_fixture *fixture = *state;

	file_write(state_path(fixture, "incoming/abcdef"), STR("half"));
	store_reopen(fixture);
	assert_int_equal(state_count(fixture, "incoming"), 0);
}

static void a_directory_belongs_to_one_service_at_a_time(void **state)
{
	struct store_fixture *fixture = *state;
	struct store *second;
	struct err err = { 0 };

	assert_int_equal(store_open(&(struct store_place){ fixture->directory }, &second, &err), -ERR_STORE);
	assert_non_null(strstr(err.text, "another opcheckd"));
}

/* Opens the fixture's directory after something was done to its file; the error is left in *err. */
static void a_newer_store_is_refused_with_both_numbers(void **state)
{
	struct store_fixture *fixture = *state;
	struct err err = { 0 };

	assert_int_equal(open_after(fixture, "PRAGMA user_version = 99", &err), -ERR_STORE);
	assert_non_null(strstr(err.text, "version 99"));
	assert_non_null(strstr(err.text, "up to 19"));
}

/* A table that is new is copied, compared or left on purpose. */
static void every_table_moves_with_the_store(void **state)
{
	struct store_fixture *fixture = *state;

	assert_null(migrate_unknown_table(fixture->service.store, &fixture->arena));
}

static void a_file_of_another_program_is_refused_and_left_alone(void **state)
{
	struct store_fixture *fixture = *state;
	struct buf before = BUF_INIT(1 << 20), after = BUF_INIT(1 << 20);
	struct err err = { 0 };

	store_close(fixture->service.store);
	fixture->service.store = NULL;
	unlink(state_path(fixture, "store.sqlite"));
	execute(state_path(fixture, "store.sqlite"), "CREATE TABLE notes (text)");
	file_read(state_path(fixture, "store.sqlite"), &before);
	assert_int_equal(
		store_open(&(struct store_place){ fixture->directory }, &fixture->service.store, &err), -ERR_STORE);
	file_read(state_path(fixture, "store.sqlite"), &after);
	assert_true(str_eq(buf_str(&before), buf_str(&after)));
	buf_clear(&before);
	buf_clear(&after);
}

static void a_damaged_file_is_an_error_with_its_path(void **state)
{
	struct store_fixture *fixture = *state;
	struct err err = { 0 };

	store_close(fixture->service.store);
	fixture->service.store = NULL;
	file_write(state_path(fixture, "store.sqlite"), STR("this is no database, but long enough to be looked at"));
	assert_int_equal(
		store_open(&(struct store_place){ fixture->directory }, &fixture->service.store, &err), -ERR_STORE);
	assert_non_null(strstr(err.where, fixture->directory));
}

static void a_row_that_fails_keeps_neither_rows_nor_the_dump(void **state)
{
	struct store_fixture *fixture = *state;
	struct stored_document report;
	struct upload *upload;
	struct stored_list list;
	struct stored_assessment record;
	struct err err = { 0 };

	assert_int_equal(
		open_after(fixture,
			"CREATE TRIGGER t BEFORE INSERT ON document BEGIN SELECT raise(ABORT, 'no report'); END", &err),
		0);
	upload = upload_of(fixture, STR("a dump"));
	record = record_number(fixture, 1, upload);
	report = (struct stored_document){ record.id, STR("json"), STR("{}"), 2 };
	assert_int_equal(
		store_keep(fixture->service.store, &(struct entry){ &record, &report, upload }, &fixture->arena, &err),
		-ERR_STORE);
	upload_free(upload);
	assert_int_equal(
		store_list(fixture->service.store, &(struct list_page){ 0, 10 }, &fixture->arena, &list, &err), 0);
	assert_int_equal(list.total, 0);
	assert_int_equal(state_count(fixture, "dumps"), 0);
	assert_int_equal(state_count(fixture, "incoming"), 0);
}

static void without_its_directory_nothing_is_taken(void **state)
{
	struct store_fixture *fixture = *state;
	struct upload *upload = NULL;
	struct err err = { 0 };

	assert_int_equal(store_probe(fixture->service.store, &err), 0);
	assert_int_equal(rmdir(state_path(fixture, "incoming")), 0);
	assert_int_equal(upload_begin(fixture->service.store, UINT64_MAX, &upload, &err), -ERR_STORE);
	assert_int_equal(store_probe(fixture->service.store, &err), -ERR_STORE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		store_test(what_is_kept_is_there_after_opening_again),
		store_test(an_id_is_kept_once),
		store_test(what_is_not_there_is_not_found),
		store_test(what_was_rendered_is_kept_beside_its_report),
		store_test(what_is_not_as_it_was_kept_is_never_given),
		store_test(a_dump_of_no_assessment_is_swept_away),
		store_test(lists_go_from_the_newest_to_the_oldest_in_pages),
		store_test(an_upload_that_is_given_up_leaves_nothing),
		store_test(an_upload_over_its_limit_is_refused_at_the_byte),
		store_test(uploads_that_a_crash_cut_off_are_gone_after_opening),
		store_test(a_directory_belongs_to_one_service_at_a_time),
		store_test(a_newer_store_is_refused_with_both_numbers),
		store_test(every_table_moves_with_the_store),
		store_test(a_file_of_another_program_is_refused_and_left_alone),
		store_test(a_damaged_file_is_an_error_with_its_path),
		store_test(a_row_that_fails_keeps_neither_rows_nor_the_dump),
		store_test(without_its_directory_nothing_is_taken),
	};

	return run_store_group(tests);
}
