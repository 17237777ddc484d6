#include "store/blobs/database.h"

#include <errno.h>
#include <unistd.h>

#include "base/memory/mem.h"

enum { PART_BYTES = 1 << 20 };

/* --- putting */

static int add_parts(struct engine *engine, const struct blob_file *file, char *piece, struct err *err)
{
	uint64_t at = 0;
	int status = 0;

	for (uint64_t part = 0; at < file->bytes && !status; part++) {
		ssize_t count = pread(file->fd, piece, PART_BYTES, (off_t)at);

		if (count <= 0)
			return blob_file_error(file->path, count ? errno : EIO, "cannot read the upload", err);
		at += (uint64_t)count;
		status = engine_run(engine, BLOB_ADD_PART,
			BIND(AS("sha256", TEXT(str_from(file->sha256))), AS("part", INTEGER(part)),
				AS("content", BYTES(((struct str){ piece, (size_t)count })))),
			err);
	}
	return status;
}

static int put_parts(struct blob_rows *rows, const struct blob_file *file, struct err *err)
{
	CLEANUP(mem_release) char *piece = mem_zalloc(PART_BYTES);
	const struct str sha256 = str_from(file->sha256), place = str_from(blob_bytes_database.place);
	struct engine *engine = rows->writing.engine;
	int status = engine_run(engine, BLOB_DROP_PARTS, BIND(TEXT(sha256)), err);

	if (!status)
		status = add_parts(engine, file, piece, err);
	if (!status)
		status = engine_run(
			engine, BLOB_STORED, BIND(TEXT(sha256), INTEGER(engine_now(engine)), TEXT(place)), err);
	return status < 0 ? status : 0;
}

/* --- opening */

/* 1, 0 behind the last part, or an error. */
static int copy_part(struct blob_rows *rows, const struct blob_file *file, uint64_t part, uint64_t *at, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct rows *find = engine_bind(
		rows->reading.engine, BLOB_PART, BIND(TEXT(str_from(file->sha256)), INTEGER(part)));
	struct blob_part row;
	int status = rows_one(find, &arena, &row, err);

	if (status != 1)
		return status;
	*at += row.content.len;
	return blob_file_add(file, row.content, err) ? -err->code : 1;
}

static int open_parts(struct blob_rows *rows, struct blob_file *ret, struct err *err)
{
	uint64_t at = 0;
	int status = 1;

	blob_link_lock(&rows->reading);
	for (uint64_t part = 0; at < ret->bytes && status == 1; part++)
		status = copy_part(rows, ret, part, &at, err);
	pthread_mutex_unlock(&rows->reading.lock);
	return status;
}

/* Its parts go with the row. */
const struct blob_bytes blob_bytes_database = { "database", true, put_parts, open_parts, NULL, NULL };
