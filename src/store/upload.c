#include "store/upload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "store/db.h"

struct upload {
	struct store *store;
	struct blob_file file;
	bool kept; /* a dump of the store */
	uint64_t max_bytes;
	struct sha256 *sha; /* NULL once the digest is known */
};

int upload_begin(struct store *store, uint64_t max_bytes, struct upload **ret, struct err *err)
{
	struct blob_file file;
	int status = blob_file_new(store->place.directory, &file, err);

	if (status)
		return status;
	*ret = mem_zalloc(sizeof(**ret));
	**ret = (struct upload){ .store = store, .file = file, .max_bytes = max_bytes, .sha = sha256_new() };
	return 0;
}

static void note_damage(struct store *store, struct str sha256)
{
	struct damaged_dump found;

	blobs_doubt(store->blobs, sha256);
	found.look = blobs_look(store->blobs, sha256);
	snprintf(found.sha256, sizeof(found.sha256), "%.*s", STR_ARG(sha256));
	pthread_mutex_lock(&store->lock);
	store->damaged = found;
	pthread_mutex_unlock(&store->lock);
}

void upload_note_damage(const struct upload *upload)
{
	note_damage(upload->store, upload_sha256(upload));
}

static int missing_dump(struct store *store, struct str sha256, struct err *err)
{
	note_damage(store, sha256);
	err_set(err, ERR_STORE_DAMAGED, "the dump %.*s is missing", STR_ARG(sha256));
	return err_file(err, store->place.directory);
}

int store_check_dumps(struct store *store, struct err *err)
{
	struct damaged_dump before;
	struct blob_look now;

	pthread_mutex_lock(&store->lock);
	before = store->damaged;
	pthread_mutex_unlock(&store->lock);
	if (!before.sha256[0])
		return blobs_check(store->blobs, err);
	now = blobs_look(store->blobs, str_from(before.sha256));
	if (now.bytes == before.look.bytes && now.changed_at == before.look.changed_at)
		return err_set(err, ERR_STORE_DAMAGED,
			before.look.bytes < 0 ? "the dump %s is missing" : "the dump %s is not what was stored",
			before.sha256);
	pthread_mutex_lock(&store->lock);
	store->damaged.sha256[0] = '\0'; /* put back, or removed: its next reader says more */
	pthread_mutex_unlock(&store->lock);
	return blobs_check(store->blobs, err);
}

int upload_of_dump(struct store *store, struct str sha256, struct upload **ret, struct err *err)
{
	struct blob_file file;
	int status = blobs_open(store->blobs, sha256, &file, err);

	if (status == 0)
		return missing_dump(store, sha256, err);
	if (status == -ERR_STORE_DAMAGED)
		note_damage(store, sha256);
	if (status < 0)
		return status;
	*ret = mem_zalloc(sizeof(**ret));
	**ret = (struct upload){ .store = store, .file = file, .kept = true };
	return 0;
}

int upload_add(struct upload *upload, struct str bytes, struct err *err)
{
	if (bytes.len > upload->max_bytes - upload->file.bytes) {
		err_set(err, ERR_LIMIT, "the upload has more than %llu bytes", (unsigned long long)upload->max_bytes);
		return err_hint(err, "compress the dump with gzip or zstd, or profile fewer steps");
	}
	sha256_add(upload->sha, bytes);
	upload->file.bytes += bytes.len;
	return blob_file_add(&upload->file, bytes, err);
}

void upload_end(struct upload *upload)
{
	sha256_end(upload->sha, upload->file.sha256);
	upload->sha = NULL;
}

int upload_open(const struct upload *upload, int *ret_fd, struct err *err)
{
	*ret_fd = open(upload->file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	return *ret_fd < 0 ? store_error(upload->store, errno, "cannot read the upload", err) : 0;
}

struct str upload_sha256(const struct upload *upload)
{
	return str_from(upload->file.sha256);
}

uint64_t upload_bytes(const struct upload *upload)
{
	return upload->file.bytes;
}

int upload_keep(struct upload *upload, struct err *err)
{
	int status = upload->kept ? 0 : blobs_put(upload->store->blobs, &upload->file, err);

	upload->kept |= !status || !upload->file.is_copy; /* moved, though perhaps not on disk */
	return status;
}

int upload_sync(struct upload *upload, struct err *err)
{
	if (blobs_grace(upload->store->blobs))
		return upload_keep(upload, err);
	return fsync(upload->file.fd) ? store_error(upload->store, errno, "cannot write the upload", err) : 0;
}

bool upload_is_kept(const struct upload *upload)
{
	return upload->kept;
}

void upload_drop_unused(struct store *store, struct str sha256)
{
	struct err ignored;

	blobs_collect(store->blobs, &(struct blob_collection){ store->writer.engine, UINT64_MAX, sha256 }, &ignored);
}

void upload_free(struct upload *upload)
{
	if (!upload)
		return;
	blob_file_close(&upload->file);
	sha256_free(upload->sha);
	free(upload);
}
