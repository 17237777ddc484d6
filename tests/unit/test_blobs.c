/* The contract of blobs, for any place: a row of `kinds` opens one on a fresh directory. */
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/db.h"
#include "store/store.h"
#include "tests/unit/check.h"
#include "tests/unit/cluster.h"
#include "tests/unit/temporary.h"

enum { HOUR = 3600, NAME_BYTES = 96, LARGE_BYTES = 3 * (1 << 20) + 7, ROUNDS = 60 };

static const struct place_kind {
	const char *name, *blobs;
	bool in_cluster;
} kinds[] = { { "directory", "directory" }, { "database", "database", true } };

struct place {
	const struct place_kind *kind;
	char directory[256], url[CLUSTER_URL_BYTES];
	struct store_place at;
	struct store *store;
};

static int open_place(void **state)
{
	struct place *place = mem_zalloc(sizeof(*place));
	struct err err = { 0 };

	place->kind = *state;
	if (place->kind->in_cluster)
		cluster_put_url("postgres", place->url);
	if (!mkdtemp(temporary_path(place->directory, sizeof(place->directory))))
		return -1;
	place->at = (struct store_place){ place->directory, place->kind->in_cluster ? place->url : NULL,
		.blobs = place->kind->blobs };
	if (store_open(&place->at, &place->store, &err)) {
		print_error("%s: %s\n", err.where, err.text);
		return -1;
	}
	*state = place;
	return 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	return remove(path);
}

static int close_place(void **state)
{
	struct place *place = *state;

	store_close(place->store);
	nftw(place->directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	free(place);
	return 0;
}

/* --- calls */

/* Puts bytes; *ret_sha256 is their digest. */
static int try_put(struct place *place, struct str bytes, char ret_sha256[SHA256_HEX_BYTES], struct err *err)
{
	struct blob_file file;
	int status;

	assert_int_equal(blob_file_new(place->directory, &file, err), 0);
	assert_int_equal(blob_file_add(&file, bytes, err), 0);
	file.bytes = bytes.len;
	sha256_of(bytes, file.sha256);
	memcpy(ret_sha256, file.sha256, SHA256_HEX_BYTES);
	status = blobs_put(place->store->blobs, &file, err);
	blob_file_close(&file);
	return status;
}

static void put_bytes(struct place *place, struct str bytes, char ret_sha256[SHA256_HEX_BYTES])
{
	struct err err = { 0 };

	if (try_put(place, bytes, ret_sha256, &err))
		fail_msg("%s: %s", err.where, err.text);
}

/* Whether it is there, whole. */
static bool is_there(struct place *place, const char *sha256)
{
	char digest[SHA256_HEX_BYTES], piece[4096];
	struct blob_file file;
	struct sha256 *sha;
	struct err err = { 0 };
	ssize_t count;
	int fd, found = blobs_open(place->store->blobs, str_from(sha256), &file, &err);

	assert_true(found >= 0);
	if (!found)
		return false;
	sha = sha256_new();
	fd = open(file.path, O_RDONLY | O_CLOEXEC);
	while ((count = read(fd, piece, sizeof(piece))) > 0)
		sha256_add(sha, (struct str){ piece, (size_t)count });
	close(fd);
	sha256_end(sha, digest);
	assert_string_equal(digest, sha256);
	blob_file_close(&file);
	return true;
}

/* A row that needs the blob: a queued ticket. */
static int need_locked(struct place *place, const char *sha256, struct err *err)
{
	struct db *db = &place->store->writer;
	int status = db_begin(db, err);

	if (!status)
		status = db_run(db, STATEMENT_ADD_TICKET,
			BIND(TEXT(str_from(sha256)), TEXT(STR("2030")), TEXT(STR("a")), TEXT(str_from(sha256)),
				BYTES(STR("asked")), TEXT(STR("")), INTEGER(0), TEXT(STR(""))),
			err);
	if (!status)
		status = blobs_mark(place->store->blobs, db->engine, str_from(sha256), err);
	return db_end(db, status, err);
}

static int need(struct place *place, const char *sha256, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&place->store->writer);

	(void)db;
	return need_locked(place, sha256, err);
}

/* As the store does: without a grace period under one lock. */
static int put_and_need(struct place *place, struct str bytes, char ret_sha256[SHA256_HEX_BYTES], struct err *err)
{
	if (blobs_grace(place->store->blobs)) {
		int status = try_put(place, bytes, ret_sha256, err);

		return status ? status : need(place, ret_sha256, err);
	}
	CLEANUP(db_unlock) struct db *db = db_lock(&place->store->writer);

	(void)db;
	put_bytes(place, bytes, ret_sha256);
	return need_locked(place, ret_sha256, err);
}

static void release(struct place *place, const char *sha256)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&place->store->writer);
	CLEANUP(rows_free)
	struct rows *drop = engine_query(
		db->engine, "DELETE FROM ticket WHERE id = ?", NULL, BIND(TEXT(str_from(sha256))));
	struct err err = { 0 };

	assert_int_equal(db_begin(db, &err), 0);
	assert_int_equal(rows_step(drop, &err), 0);
	assert_int_equal(blobs_release(place->store->blobs, db->engine, str_from(sha256), &err), 0);
	assert_int_equal(db_end(db, 0, &err), 0);
}

static void collect(struct place *place, int64_t seconds_from_now)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&place->store->writer);
	struct err err = { 0 };

	if (blobs_collect(place->store->blobs,
		    &(struct blob_collection){
			    db->engine, engine_now(db->engine) + (uint64_t)seconds_from_now, STR("") },
		    &err))
		fail_msg("%s: %s", err.where, err.text);
}

/* --- the contract */

static void bytes_are_there_as_they_were_put(void **state)
{
	struct place *place = *state;
	CLEANUP(mem_release) char *large = mem_zalloc(LARGE_BYTES);
	char empty[SHA256_HEX_BYTES], small[SHA256_HEX_BYTES], big[SHA256_HEX_BYTES], again[SHA256_HEX_BYTES];
	struct err err = { 0 };

	for (size_t i = 0; i < LARGE_BYTES; i++)
		large[i] = (char)(i * 7 >> 3);
	put_bytes(place, STR(""), empty);
	put_bytes(place, STR("a dump"), small);
	put_bytes(place, STR("a dump"), again);
	put_bytes(place, (struct str){ large, LARGE_BYTES }, big);
	store_close(place->store);
	place->store = NULL;
	/* a store opened again removes files without a row at once */
	assert_int_equal(store_open(&place->at, &place->store, &err), 0);
	if (blobs_grace(place->store->blobs)) {
		assert_true(is_there(place, empty) && is_there(place, small) && is_there(place, big));
		assert_int_equal(blobs_look(place->store->blobs, str_from(big)).bytes, LARGE_BYTES);
	} else {
		assert_false(is_there(place, empty) || is_there(place, small) || is_there(place, big));
	}
	put_bytes(place, (struct str){ large, LARGE_BYTES }, big);
	assert_true(is_there(place, big));
	collect(place, HOUR);
	assert_false(is_there(place, empty) || is_there(place, small) || is_there(place, big));
	assert_int_equal(blobs_look(place->store->blobs, str_from(big)).bytes, -1);
}

static void what_a_row_needs_is_never_collected(void **state)
{
	struct place *place = *state;
	char sha256[SHA256_HEX_BYTES];
	struct err err = { 0 };

	put_bytes(place, STR("needed"), sha256);
	collect(place, -HOUR);
	assert_true(is_there(place, sha256));
	assert_int_equal(need(place, sha256, &err), 0);
	collect(place, HOUR);
	assert_true(is_there(place, sha256));
	release(place, sha256);
	collect(place, -HOUR);
	assert_true(is_there(place, sha256));
	put_bytes(place, STR("needed"), sha256);
	assert_int_equal(need(place, sha256, &err), 0);
	collect(place, HOUR);
	assert_true(is_there(place, sha256));
	release(place, sha256);
	collect(place, HOUR);
	assert_false(is_there(place, sha256));
}

static void what_was_collected_cannot_be_marked(void **state)
{
	struct place *place = *state;
	char sha256[SHA256_HEX_BYTES];
	struct err err = { 0 };

	put_bytes(place, STR("stalled"), sha256);
	collect(place, HOUR);
	assert_int_equal(need(place, sha256, &err), -ERR_BUSY);
	put_bytes(place, STR("stalled"), sha256);
	assert_int_equal(need(place, sha256, &err), 0);
	assert_true(is_there(place, sha256));
	release(place, sha256);
	collect(place, HOUR);
}

static void bytes_in_doubt_are_put_anew(void **state)
{
	struct place *place = *state;
	char sha256[SHA256_HEX_BYTES];
	struct blob_look before;
	struct err err = { 0 };

	put_bytes(place, STR("damaged"), sha256);
	assert_int_equal(need(place, sha256, &err), 0);
	blobs_doubt(place->store->blobs, str_from(sha256));
	before = blobs_look(place->store->blobs, str_from(sha256));
	put_bytes(place, STR("damaged"), sha256);
	if (blobs_grace(place->store->blobs)) /* files have the time of the last tick */
		assert_true(blobs_look(place->store->blobs, str_from(sha256)).changed_at != before.changed_at);
	assert_true(is_there(place, sha256));
	release(place, sha256);
	collect(place, HOUR);
}

/* --- another service that collects all the time */

struct collector {
	struct place *place;
	struct blobs *blobs;
	atomic_bool over;
};

static void *collect_until_over(void *arg)
{
	struct collector *collector = arg;
	struct place *place = collector->place;
	struct err err = { 0 };

	while (!atomic_load(&collector->over)) {
		bool alone = !blobs_grace(collector->blobs);
		struct blob_collection all = { alone ? place->store->writer.engine : NULL,
			store_now(place->store) + HOUR, STR("") };

		if (alone)
			pthread_mutex_lock(&place->store->writer.lock);
		blobs_collect(collector->blobs, &all, &err);
		if (alone)
			pthread_mutex_unlock(&place->store->writer.lock);
	}
	return NULL;
}

/* Without any grace: a mark that succeeds finds the bytes, and keeps them. */
static void a_mark_holds_against_a_service_that_collects(void **state)
{
	struct place *place = *state;
	struct collector collector = { .place = place };
	unsigned marked = 0;
	pthread_t thread;
	struct err err = { 0 };

	assert_int_equal(blobs_new(&place->at, &collector.blobs, &err), 0);
	assert_int_equal(pthread_create(&thread, NULL, collect_until_over, &collector), 0);
	for (int i = 0; i < ROUNDS; i++) {
		char sha256[SHA256_HEX_BYTES];
		int status;

		status = put_and_need(place, STR("raced for"), sha256, &err);
		assert_true(status == 0 || status == -ERR_BUSY);
		if (status)
			continue;
		marked++;
		assert_true(is_there(place, sha256));
		release(place, sha256);
	}
	atomic_store(&collector.over, true);
	pthread_join(thread, NULL);
	blobs_free(collector.blobs);
	print_message("# %s: %u of %d marked\n", place->kind->name, marked, ROUNDS);
	assert_true(marked > 0);
}

static int stop_cluster(void **state)
{
	cluster_stop();
	return 0;
}

#define contract(test) cmocka_unit_test_setup_teardown(test, open_place, close_place)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		contract(bytes_are_there_as_they_were_put),
		contract(what_a_row_needs_is_never_collected),
		contract(what_was_collected_cannot_be_marked),
		contract(bytes_in_doubt_are_put_anew),
		contract(a_mark_holds_against_a_service_that_collects),
	};
	enum { TESTS = ARRAY_SIZE(tests) };

	static struct CMUnitTest all[ARRAY_SIZE(kinds) * TESTS];
	static char names[ARRAY_SIZE(kinds) * TESTS][NAME_BYTES];
	bool has_cluster = cluster_start();
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct place_kind *kind = &kinds[i / TESTS];

		if (kind->in_cluster && !has_cluster)
			continue;
		all[count] = tests[i % TESTS];
		snprintf(names[count], NAME_BYTES, "%s_%s", kind->name, all[count].name);
		all[count].name = names[count];
		all[count++].initial_state = (void *)(uintptr_t)kind;
	}
	return _cmocka_run_group_tests("blobs", all, count, NULL, has_cluster ? stop_cluster : NULL);
}
