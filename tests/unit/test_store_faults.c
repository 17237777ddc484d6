/* A disk that is full from the n-th change on, one that cannot say that all is written, and memory that is out, for
   every n: what the store acknowledged is there, and nothing is half. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "store/keep.h"
#include "store/assessments.h"
#include "store/ticket.h"
#include "tests/unit/store_fixture.h"

/* --- what the machine refuses */

enum refused { CHANGE, SYNC, MEMORY, REFUSALS };

static long left[REFUSALS] = { -1, -1, -1 }; /* calls until one fails; -1: none does */
static int reason;
static sqlite3_mem_methods usual;

/* Disks stay as they are, memory is out for one call. */
static bool is_refused(enum refused which)
{
	if (left[which] < 0 || (left[which] == 0 && which == MEMORY))
		return false;
	if (left[which] > 0)
		left[which]--;
	errno = reason;
	return left[which] == 0;
}

static ssize_t write_some(int fd, const void *bytes, size_t count)
{
	return is_refused(CHANGE) ? -1 : write(fd, bytes, count);
}

static ssize_t write_at(int fd, const void *bytes, size_t count, off64_t at)
{
	return is_refused(CHANGE) ? -1 : pwrite64(fd, bytes, count, at);
}

static int set_size(int fd, off_t bytes)
{
	return is_refused(CHANGE) ? -1 : ftruncate(fd, bytes);
}

/* In the place of libc's, for SQLite as for the store. */
int fsync(int fd)
{
	return is_refused(SYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return is_refused(SYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

static void *new_memory(int bytes)
{
	return is_refused(MEMORY) ? NULL : usual.xMalloc(bytes);
}

static void *resized_memory(void *memory, int bytes)
{
	return is_refused(MEMORY) ? NULL : usual.xRealloc(memory, bytes);
}

static void replace_memory(void)
{
	sqlite3_mem_methods methods;

	assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual), SQLITE_OK);
	methods = usual;
	methods.xMalloc = new_memory;
	methods.xRealloc = resized_memory;
	assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &methods), SQLITE_OK);
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
	struct stored_assessment record = { .id = id_of(fixture, number),
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
	struct stored_assessment record;
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

/* Everything while the n-th call of a kind is refused; false when there are not so many. */
static bool work_without(struct store_fixture *fixture, enum refused which, long number)
{
	struct ticket ticket = { .id = STR("ticket") };
	int kept, ticketed, removed, found[2], found_ticket;
	struct err err;
	bool reached;

	assert_int_equal(keep_number(fixture, 1), 1);
	assert_int_equal(keep_number(fixture, 2), 1);
	left[which] = number;
	kept = keep_number(fixture, 3);
	ticketed = keep_ticket(fixture);
	removed = store_remove(fixture->service.store, &(struct id_like){ id_of(fixture, 2) }, &err);
	reached = left[which] == 0;
	left[which] = -1;
	assert_int_equal(found_whole(fixture, 1), 1); /* without a restart, too */
	store_reopen(fixture);
	assert_int_equal(found_whole(fixture, 1), 1);
	found[0] = found_whole(fixture, 2);
	found[1] = found_whole(fixture, 3);
	found_ticket = store_find_ticket(fixture->service.store, &ticket, &fixture->arena, &err);
	/* what was written and not known to be safe may be there or not, but whole */
	assert_true(removed == 1 ? found[0] == 0 : found[0] == 1 || which == SYNC);
	assert_true(kept == 1 ? found[1] == 1 : found[1] == 0 || which == SYNC);
	assert_true(ticketed == 0 ? found_ticket == 1 : found_ticket == 0 || which == SYNC);
	assert_int_equal(state_count(fixture, "dumps"), 1 + found[0] + found[1] + found_ticket);
	assert_int_equal(state_count(fixture, "incoming"), 0);
	return reached;
}

static void every_call_that_is_refused_leaves_what_was_acknowledged(void **state)
{
	/* the step from one call to the next grows by a share: of memory there are thousands */
	static const struct {
		enum refused which;
		int reason;
		long step, share, fewest;
	} refusals[] = {
		{ CHANGE, ENOSPC, 1, 1000, 15 },
		{ CHANGE, EIO, 5, 1000, 15 },
		{ SYNC, EIO, 1, 1000, 5 },
		{ MEMORY, ENOMEM, 1, 8, 200 },
	};

	replace_calls();
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		bool all = getenv("OPCHECK_FAULT_POINTS"), reached = true;
		long number = 1;

		reason = refusals[i].reason;
		for (; reached; number += refusals[i].step + (all ? 0 : number / refusals[i].share)) {
			void *place = NULL;

			assert_int_equal(store_setup(&place), 0);
			reached = work_without(place, refusals[i].which, number);
			store_teardown(&place);
		}
		print_message("# of kind %d: %ld calls\n", (int)refusals[i].which, number);
		assert_true(number > refusals[i].fewest);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_that_is_refused_leaves_what_was_acknowledged),
	};

	replace_memory();
	return run_store_group(tests);
}
