/* The contract of blobs, for any place: a row of `kinds` opens one on a fresh directory. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/blobs/bucket_address.h"
#include "store/db.h"
#include "store/store.h"
#include "tests/unit/check.h"
#include "tests/unit/cluster.h"
#include "tests/unit/temporary.h"

static bool cluster_is_there;

enum { HOUR = 3600, NAME_BYTES = 96, LARGE_BYTES = 3 * (1 << 20) + 7, ROUNDS = 60 };

static char bucket_address[128];

static const struct place_kind {
	const char *name, *blobs;
	bool in_cluster;
} kinds[] = { { "directory", "directory" }, { "database", "database", true }, { "bucket", bucket_address, true } };

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

/* s3rver 3.7.1 ends when an object is removed while it is put. */
static bool revive_bucket(void);

/* Whether it is there, whole. */
static bool is_there(struct place *place, const char *sha256)
{
	char digest[SHA256_HEX_BYTES], piece[4096];
	struct blob_file file;
	struct sha256 *sha;
	struct err err = { 0 };
	ssize_t count;
	int fd, found = blobs_open(place->store->blobs, str_from(sha256), &file, &err);

	if (found < 0 && revive_bucket())
		found = blobs_open(place->store->blobs, str_from(sha256), &file, &err);
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
			BIND(AS("id", TEXT(str_from(sha256))), AS("created_at", TEXT(STR("2030"))),
				AS("assessment", TEXT(STR("a"))), AS("input_sha256", TEXT(str_from(sha256))),
				AS("asked", BYTES(STR("asked"))), AS("holder", TEXT(STR(""))),
				AS("held_until", INTEGER(0)), AS("project", TEXT(STR(""))), AS("owner", TEXT(STR("")))),
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

	for (long turn = 0; !atomic_load(&collector->over); turn++) {
		const struct timespec pause = { .tv_nsec = turn % 5 * 1000 * 1000 }; /* a mark loses some turns only */
		bool alone = !blobs_grace(collector->blobs);
		struct blob_collection all = { alone ? place->store->writer.engine : NULL,
			store_now(place->store) + HOUR, STR("") };

		if (alone)
			pthread_mutex_lock(&place->store->writer.lock);
		blobs_collect(collector->blobs, &all, &err);
		if (alone)
			pthread_mutex_unlock(&place->store->writer.lock);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

/* Without any grace: a mark that succeeds finds the bytes, and keeps them. */
static void a_mark_holds_against_a_service_that_collects(void **state)
{
	struct place *place = *state;
	struct collector collector = { .place = place };
	unsigned marked = 0, lost = 0, failed = 0;
	pthread_t thread;
	struct err err = { 0 };

	assert_int_equal(blobs_new(&place->at, &collector.blobs, &err), 0);
	assert_int_equal(pthread_create(&thread, NULL, collect_until_over, &collector), 0);
	for (int i = 0; i < ROUNDS || (!marked && i < 100 * ROUNDS); i++) { /* on a busy machine it marks seldom */
		char sha256[SHA256_HEX_BYTES];
		int status = put_and_need(place, STR("raced for"), sha256, &err);

		failed += status && status != -ERR_BUSY;
		if (status) {
			revive_bucket();
			continue;
		}
		marked++;
		lost += !is_there(place, sha256);
		release(place, sha256);
	}
	atomic_store(&collector.over, true);
	pthread_join(thread, NULL);
	blobs_free(collector.blobs);
	print_message("# %s: %u of %d marked\n", place->kind->name, marked, ROUNDS);
	assert_int_equal(lost, 0);
	assert_int_equal(failed, 0);
	assert_true(marked > 0);
}

/* --- a bucket on this machine */

static pid_t bucket_server;
static char bucket_directory[256];
static struct sockaddr_in bucket_at;

static bool answers(const struct sockaddr_in *address)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool does = connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0;

	close(fd);
	return does;
}

/* A port that was free a moment ago. */
static struct sockaddr_in free_address(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	close(fd);
	return address;
}

static void run_bucket(const char *program)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
	char port[16];

	snprintf(port, sizeof(port), "%u", ntohs(bucket_at.sin_port));
	bucket_server = fork();
	if (!bucket_server) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execlp("node", "node", program, "-s", "-d", bucket_directory, "-p", port, "-a", "127.0.0.1",
			"--configure-bucket", "opcheck", NULL);
		_exit(127);
	}
	for (int i = 0; i < 6000 && !answers(&bucket_at); i++)
		nanosleep(&pause, NULL);
}

static bool revive_bucket(void)
{
	bool has_ended = bucket_server && waitpid(bucket_server, NULL, WNOHANG) == bucket_server;

	if (has_ended)
		run_bucket(getenv("OPCHECK_S3RVER"));
	return has_ended;
}

static bool start_bucket(void)
{
	const char *program = getenv("OPCHECK_S3RVER");

	if (!program || access(program, R_OK)) {
		puts("# OPCHECK_S3RVER names no s3rver.js (tests/unit/s3rver.sh fetches it): its third is skipped");
		return false;
	}
	bucket_at = free_address();
	snprintf(bucket_address, sizeof(bucket_address), "s3://opcheck/some/prefix?endpoint=http%%3A//127.0.0.1:%u",
		ntohs(bucket_at.sin_port));
	setenv("AWS_ACCESS_KEY_ID", "S3RVER", true);
	setenv("AWS_SECRET_ACCESS_KEY", "S3RVER", true);
	if (!mkdtemp(temporary_path(bucket_directory, sizeof(bucket_directory))))
		abort();
	run_bucket(program);
	return true;
}

static int stop_servers(void **state)
{
	if (bucket_server) {
		kill(bucket_server, SIGKILL);
		waitpid(bucket_server, NULL, 0);
		nftw(bucket_directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	}
	if (cluster_is_there)
		cluster_stop();
	return 0;
}

static void a_bucket_that_refuses_says_why(void **state)
{
	struct place *place = *state;
	struct blobs *blobs = NULL;
	char sha256[SHA256_HEX_BYTES];
	struct err err = { 0 };

	revive_bucket();
	put_bytes(place, STR("stays"), sha256);
	assert_int_equal(blobs_check(place->store->blobs, &err), 0);
	setenv("AWS_ACCESS_KEY_ID", "unknown", true);
	assert_int_equal(blobs_new(&place->at, &blobs, &err), 0);
	assert_int_equal(blobs_check(blobs, &err), -ERR_STORE);
	assert_non_null(strstr(err.text, "403"));
	assert_null(strstr(err.where, "unknown"));
	blobs_free(blobs);
	setenv("AWS_ACCESS_KEY_ID", "", true);
	assert_int_equal(blobs_new(&place->at, &blobs, &err), -ERR_CONFIG);
	kill(bucket_server, SIGKILL);
	waitpid(bucket_server, NULL, 0);
	bucket_server = 0;
	assert_int_equal(blobs_check(place->store->blobs, &err), -ERR_BUSY);
	/* bytes whose removal failed may be gone */
	assert_int_equal(blobs_collect(place->store->blobs,
				 &(struct blob_collection){
					 place->store->writer.engine, store_now(place->store) + HOUR, STR("") },
				 &err),
		-ERR_BUSY);
	assert_int_equal(need(place, sha256, &err), -ERR_BUSY);
	assert_int_equal(
		engine_ask(place->store->writer.engine, "SELECT 1 FROM blob WHERE stored_at = -1", BIND_NOTHING, &err),
		1);
}

static void addresses_of_buckets_are_checked(void **state)
{
	static const struct {
		const char *text;
		int status;
	} cases[] = { { "s3://b", 0 }, { "s3://b/p/q", 0 }, { "s3://b?region=eu-1", 0 },
		{ "s3://b?endpoint=http%3A%2F%2F[::1]:9000&region=x", 0 }, { "s3://", -ERR_VALUE },
		{ "s3://b/../c", -ERR_VALUE }, { "s3://b c", -ERR_VALUE }, { "s3://b?endpoint=ftp://x", -ERR_VALUE },
		{ "s3://b?key=x", -ERR_VALUE }, { "s3://b?region=", -ERR_VALUE },
		{ "s3://b?region=a&region=b", -ERR_VALUE }, { "s3://id:secret@b", -ERR_VALUE },
		{ "http://b", -ERR_VALUE }, { "s3://b?region=%zz", -ERR_VALUE } };
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (bucket_address_check(cases[i].text, &err) != cases[i].status)
			fail_msg("%s", cases[i].text);
	}
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

	static struct CMUnitTest all[ARRAY_SIZE(kinds) * TESTS + 2];
	static char names[ARRAY_SIZE(kinds) * TESTS][NAME_BYTES];
	bool bucket_is_there = start_bucket();
	size_t count = 0;

	cluster_is_there = cluster_start();
	for (size_t i = 0; i < ARRAY_SIZE(kinds) * TESTS; i++) {
		const struct place_kind *kind = &kinds[i / TESTS];

		if ((kind->in_cluster && !cluster_is_there) || (kind->blobs == bucket_address && !bucket_is_there))
			continue;
		all[count] = tests[i % TESTS];
		snprintf(names[count], NAME_BYTES, "%s_%s", kind->name, all[count].name);
		all[count].name = names[count];
		all[count++].initial_state = (void *)(uintptr_t)kind;
	}
	all[count++] = (struct CMUnitTest)cmocka_unit_test(addresses_of_buckets_are_checked);
	if (bucket_is_there) {
		all[count] = (struct CMUnitTest)contract(a_bucket_that_refuses_says_why);
		all[count++].initial_state = (void *)(uintptr_t)&kinds[ARRAY_SIZE(kinds) - 1];
	}
	return _cmocka_run_group_tests("blobs", all, count, NULL, stop_servers);
}
