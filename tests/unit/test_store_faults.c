/* A disk that is full from the n-th change on, for every n: what the store acknowledged is there, and nothing is half. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "store/keep.h"
#include "store/record.h"
#include "store/keep.h"
#include "store/ticket.h"
#include "tests/unit/store_fixture.h"

/* --- SQLite's calls of the system */

static long changes_left = -1; /* -1: the disk has room for all */
static int reason;

static bool is_full(void)
{
	if (changes_left > 0)
		changes_left--;
	errno = reason;
	return changes_left == 0;
}

static ssize_t write_some(int fd, const void *bytes, size_t count)
{
	return is_full() ? -1 : write(fd, bytes, count);
}

static ssize_t write_at(int fd, const void *bytes, size_t count, off64_t at)
{
	return is_full() ? -1 : pwrite64(fd, bytes, count, at);
}

static int set_size(int fd, off_t bytes)
{
	return is_full() ? -1 : ftruncate(fd, bytes);
}

static void replace_calls(void)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

	assert_int_equal(vfs->xSetSystemCall(vfs, "write", (sqlite3_syscall_ptr)write_some), SQLITE_OK);
	assert_int_equal(vfs->xSetSystemCall(vfs, "pwrite", (sqlite3_syscall_ptr)write_at), SQLITE_OK);
	assert_int_equal(vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)write_at), SQLITE_OK);
	assert_int_equal(vfs->xSetSystemCall(vfs, "ftruncate", (sqlite3_syscall_ptr)set_size), SQLITE_OK);
}

/* --- what is stored */

static struct str id_of(struct store_fixture *fixture, unsigned number)
{
	char id[65];

	snprintf(id, sizeof(id), "%064u", number);
	return arena_keep(&fixture->arena, str_from(id));
}

static int keep_number(struct store_fixture *fixture, unsigned number)
{
	static char packed[20000];
	char text[24];
	struct upload *upload;
	struct record record = { .id = id_of(fixture, number),
		.name = STR("a.log"),
		.options = STR("{}"),
		.db_sha256 = STR("db"),
		.tool_version = STR("1") };
	struct stored_document report = { record.id, STR("json"), { packed, sizeof(packed) }, 99 };
	struct err err;
	int status;

	snprintf(text, sizeof(text), "dump %u", number);
	upload = upload_of(fixture, str_from(text));
	record.input_sha256 = upload_sha256(upload);
	record.input_bytes = upload_bytes(upload);
	status = store_keep(fixture->service.store, &(struct entry){ &record, &report, upload }, &fixture->arena, &err);
	upload_free(upload);
	assert_true(status == 1 || status == -ERR_STORE_FULL || status == -ERR_STORE);
	return status;
}

static int keep_ticket(struct store_fixture *fixture)
{
	struct upload *upload = upload_of(fixture, STR("a dump that waits"));
	struct ticket ticket = { .id = STR("ticket"),
		.assessment = STR("a"),
		.asked = STR("asked"),
		.input_sha256 = upload_sha256(upload) };
	struct err err;
	int status = store_keep_ticket(
		fixture->service.store, &ticket, upload, &(struct lease){ STR("one"), 1, 2 }, &err);

	upload_free(upload);
	return status;
}

/* Whole: 1, not there at all: 0. */
static int found_whole(struct store_fixture *fixture, unsigned number)
{
	struct stored_document report = { id_of(fixture, number), STR("json") };
	struct record record;
	struct upload *dump;
	struct err err;
	int found = store_find(fixture->service.store, report.id, &fixture->arena, &record, &err);

	assert_int_equal(store_document(fixture->service.store, &report, &fixture->arena, &err), found);
	if (found) {
		assert_int_equal(upload_of_dump(fixture->service.store, record.input_sha256, &dump, &err), 0);
		upload_free(dump);
	}
	return found;
}

/* Everything against a disk with room for so many changes; false when that is room enough. */
static bool work_with_room_for(struct store_fixture *fixture, long room)
{
	struct ticket ticket = { .id = STR("ticket") };
	int kept, ticketed, removed;
	struct err err;
	bool full;

	assert_int_equal(keep_number(fixture, 1), 1);
	assert_int_equal(keep_number(fixture, 2), 1);
	changes_left = room;
	kept = keep_number(fixture, 3);
	ticketed = keep_ticket(fixture);
	removed = store_remove(fixture->service.store, &(struct id_like){ id_of(fixture, 2) }, &err);
	full = changes_left == 0;
	changes_left = -1;
	assert_int_equal(found_whole(fixture, 1), 1); /* without a restart, too */
	store_reopen(fixture);
	assert_int_equal(found_whole(fixture, 1), 1);
	assert_int_equal(found_whole(fixture, 2), removed == 1 ? 0 : 1);
	assert_int_equal(found_whole(fixture, 3), kept == 1);
	assert_int_equal(store_find_ticket(fixture->service.store, &ticket, &fixture->arena, &err), ticketed == 0);
	assert_int_equal(state_count(fixture, "dumps"), 1 + (size_t)(removed != 1) + (kept == 1) + (ticketed == 0));
	assert_int_equal(state_count(fixture, "incoming"), 0);
	return full;
}

static void every_change_that_fails_leaves_what_was_acknowledged(void **state)
{
	static const int reasons[] = { ENOSPC, EIO };

	replace_calls();
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		long room = 1;
		bool full = true;

		for (reason = reasons[i]; full; room += i ? 5 : 1) {
			void *place = NULL;

			assert_int_equal(store_setup(&place), 0);
			full = work_with_room_for(place, room);
			store_teardown(&place);
		}
		print_message("# room for %ld changes\n", room);
		assert_true(room > 15);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_change_that_fails_leaves_what_was_acknowledged),
	};

	return run_store_group(tests);
}
