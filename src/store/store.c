#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/engine/directory.h"
#include "store/engine/sqlite_steps.h"
#include "store/pool.h"

/* Room for the part of any path of the store after its directory. */
enum { LONGEST_NAME = 128, PROBE_BYTES = 64 * 1024 };

/* --- directories */

static const char *path_of(char path[PATH_MAX], const struct store *store, const char *name)
{
	snprintf(path, PATH_MAX, "%s/%s", store->place.directory, name);
	return path;
}

static int make_inside(struct store *store, const char *name, struct err *err)
{
	char path[PATH_MAX];

	if (mkdir(path_of(path, store, name), 0700) && errno != EEXIST)
		return store_error(store, errno, "cannot make the state directory", err);
	directory_share(store->place.directory, name);
	return 0;
}

/* Two services would remove each other's uploads and dumps, unless these are in a database that they share. Alone: no
   other one uses the directory. */
static int take_lock(struct store *store, bool *ret_alone, struct err *err)
{
	bool shares = store->place.url && !(store->place.blobs && strcmp(store->place.blobs, "directory") == 0);
	char path[PATH_MAX];

	store->lock_fd = open(path_of(path, store, "lock"), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	directory_share(store->place.directory, "lock");
	*ret_alone = store->lock_fd >= 0 && flock(store->lock_fd, LOCK_EX | LOCK_NB) == 0;
	if (*ret_alone || (shares && store->lock_fd >= 0 && flock(store->lock_fd, LOCK_SH | LOCK_NB) == 0))
		return 0;
	if (store->lock_fd < 0 || errno != EWOULDBLOCK)
		return store_error(store, errno, "cannot lock the state directory", err);
	err_set(err, ERR_STORE, "another opcheckd uses the state directory");
	err_hint(err, "give each its own with --state-dir");
	return err_file(err, store->place.directory);
}

/* Uploads that a crash cut off. Then others may share a directory. */
static int empty_incoming(struct store *store, bool alone, struct err *err)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *directory;

	if (!alone)
		return 0;
	directory = opendir(path_of(path, store, "incoming"));
	if (!directory)
		return store_error(store, errno, "cannot read the state directory", err);
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(directory), entry->d_name, 0);
	}
	closedir(directory);
	return store->place.url && flock(store->lock_fd, LOCK_SH)
		       ? store_error(store, errno, "cannot lock the state directory", err)
		       : 0;
}

/* This process has the lock, so every process that had a lease has ended; those of a shared store expire. */
static int free_leases(struct store *store, struct err *err)
{
	int status;

	if (store->place.url)
		return 0;
	status = db_run(&store->writer, STATEMENT_FREE_TICKETS, BIND_NOTHING, err);

	return status ? status : db_run(&store->writer, STATEMENT_FREE_KEYS, BIND_NOTHING, err);
}

/* --- changes */

static void count_commit(void *ctx)
{
	atomic_fetch_add(&((struct store *)ctx)->changes, 1);
}

uint64_t store_changes(const struct store *store)
{
	return atomic_load(&store->changes);
}

/* --- opening */

static int open_parts(struct store *store, struct err *err)
{
	int status = directory_make(store->place.directory, err);
	bool alone = false;

	if (status)
		err_file(err, store->place.directory);

	if (!status)
		status = take_lock(store, &alone, err);
	if (!status)
		status = make_inside(store, "incoming", err);
	if (!status)
		status = empty_incoming(store, alone, err);
	if (!status)
		status = db_open(&store->writer, &store->place, true, err);
	if (!status && store->place.url)
		status = db_open(&store->claimer, &store->place, false, err);
	if (!status)
		engine_on_commit(store->writer.engine, count_commit, store);
	if (!status)
		status = pool_new(&store->place, &store->pool, err);
	if (!status)
		status = free_leases(store, err);
	if (!status)
		status = blobs_new(&store->place, &store->blobs, err);
	if (!status && !blobs_grace(store->blobs)) /* a crash came between a dump and its row */
		status = blobs_collect(
			store->blobs, &(struct blob_collection){ store->writer.engine, UINT64_MAX }, err);
	return status;
}

int store_open(const struct store_place *place, struct store **ret, struct err *err)
{
	struct store *store;
	int status;

	if (strlen(place->directory) > PATH_MAX - LONGEST_NAME)
		return err_set(err, ERR_STORE, "the path of the state directory is too long");
	store = mem_zalloc(sizeof(*store));
	store->lock_fd = -1;
	store->poke_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	store->place = *place;
	pthread_mutex_init(&store->writer.lock, NULL);
	pthread_mutex_init(&store->claimer.lock, NULL);
	pthread_mutex_init(&store->lock, NULL);
	status = open_parts(store, err);
	if (status)
		store_close(store);
	else
		*ret = store;
	return status;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	blobs_free(store->blobs);
	pool_free(store->pool);
	db_close(&store->writer);
	db_close(&store->claimer);
	close(store->poke_fd);
	if (store->lock_fd >= 0)
		close(store->lock_fd);
	pthread_mutex_destroy(&store->lock);
	pthread_mutex_destroy(&store->writer.lock);
	pthread_mutex_destroy(&store->claimer.lock);
	free(store);
}

int store_bound_readers(struct store *store, unsigned count, uint64_t seconds, struct err *err)
{
	return pool_grow(store->pool, count, seconds, err);
}

/* --- the rest */

int store_renew(struct store *store, const struct lease *lease, struct err *err)
{
	int status = store_write(store, STATEMENT_RENEW_TICKETS, BIND(TEXT(lease->holder), INTEGER(lease->until)), err);

	if (status)
		return status;
	return store_write(store, STATEMENT_RENEW_KEYS, BIND(TEXT(lease->holder), INTEGER(lease->until)), err);
}

int store_scratch(struct store *store, int *ret_fd, struct err *err)
{
	char path[PATH_MAX];

	*ret_fd = open(path_of(path, store, "incoming"), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (*ret_fd >= 0)
		return 0;
	path_of(path, store, "incoming/XXXXXX");
	*ret_fd = mkostemp(path, O_CLOEXEC);
	if (*ret_fd < 0)
		return store_error(store, errno, "cannot make a file", err);
	unlink(path);
	return 0;
}

static int probe_files(struct store *store, struct err *err)
{
	int fd, failed, status = store_scratch(store, &fd, err);

	if (status)
		return status;
	failed = posix_fallocate(fd, 0, PROBE_BYTES);
	close(fd);
	return failed ? store_error(store, failed, "an upload has no room", err) : 0;
}

int store_probe(struct store *store, struct err *err)
{
	int status = probe_files(store, err);
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	if (!status)
		status = db_begin_adding(db, err);
	return status ? status : db_run(db, STATEMENT_ROLLBACK, BIND_NOTHING, err);
}

int store_has_room(struct store *store, uint64_t free_bytes, struct err *err)
{
	struct statvfs disk;

	if (statvfs(store->place.directory, &disk))
		return store_error(store, errno, "cannot look at the state directory", err);
	if ((uint64_t)disk.f_bavail * disk.f_frsize >= free_bytes)
		return 0;
	err_set(err, ERR_STORE_FULL, "less than %llu bytes are free", (unsigned long long)free_bytes);
	return err_file(err, store->place.directory);
}

uint64_t store_now(const struct store *store)
{
	return engine_now(store->writer.engine);
}

unsigned store_schema_version(void)
{
	return sqlite_steps_version();
}
