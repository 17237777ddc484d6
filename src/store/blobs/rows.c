#include "store/blobs/rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "store/blobs/bucket.h"
#include "store/blobs/bytes.h"
#include "store/blobs/database.h"
#include "store/blobs/kind.h"

enum { BATCH = 1000 };

static const struct blob_bytes *const places[] = { &blob_bytes_database, &blob_bytes_bucket };

static struct blob_rows *of(struct blob_keeper *keeper)
{
	return (struct blob_rows *)keeper;
}

static const struct blob_bytes *place_named(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		if (str_eq(name, str_from(places[i]->place)))
			return places[i];
	}
	return NULL;
}

/* --- calls */

/* Claims the row, whose lock waits for a removal under way. Until it is marked the grace period runs. */
static int claim_row(struct blob_rows *rows, const struct blob_file *file, uint64_t *ret_stored_at, struct err *err)
{
	struct engine *engine = rows->writing.engine;
	struct rows *claim = engine_bind(engine, BLOB_CLAIM,
		BIND(AS("sha256", TEXT(str_from(file->sha256))), AS("bytes", INTEGER(file->bytes)),
			AS("place", TEXT(str_from(rows->bytes->place))), AS("unused_at", INTEGER(engine_now(engine)))));
	struct blob_row row = { 0 };
	int status = rows_one(claim, NULL, &row, err);

	*ret_stored_at = row.stored_at;
	return status < 0 ? status : 0;
}

static int put_with_row(struct blob_rows *rows, const struct blob_file *file, struct err *err)
{
	struct engine *engine = blob_link_lock(&rows->writing);
	uint64_t stored_at = 0;
	int status = engine_run(engine, BLOB_BEGIN, BIND_NOTHING, err);

	if (!status) {
		status = claim_row(rows, file, &stored_at, err);
		if (!status && !stored_at)
			status = rows->bytes->put(rows, file, err);
		status = blob_end(engine, status, err);
	}
	pthread_mutex_unlock(&rows->writing.lock);
	return status;
}

static int put_file(struct blob_keeper *keeper, struct blob_file *file, struct err *err)
{
	struct blob_rows *rows = of(keeper);
	uint64_t stored_at = 0;
	int status;

	if (rows->bytes->with_the_rows)
		return put_with_row(rows, file, err);
	blob_link_lock(&rows->writing);
	status = claim_row(rows, file, &stored_at, err);
	pthread_mutex_unlock(&rows->writing.lock);
	return status || stored_at ? status : rows->bytes->put(rows, file, err);
}

/* Only the row of bytes that are there can be marked. */
static int mark_row(struct blob_keeper *keeper UNUSED, struct engine *writer, struct str sha256, struct err *err)
{
	return engine_ask(writer, "UPDATE blob SET unused_at = 0 WHERE sha256 = ?1 AND stored_at > 0 RETURNING 1",
		BIND(TEXT(sha256)), err);
}

static int release_row(struct blob_keeper *keeper UNUSED, struct engine *writer, struct str sha256, struct err *err)
{
	return engine_ask(writer,
		"UPDATE blob SET unused_at = ?2 WHERE sha256 = ?1 AND unused_at = 0 AND " BLOB_IS_UNUSED("?1"),
		BIND(TEXT(sha256), INTEGER(engine_now(writer))), err);
}

static int find_row(
	struct blob_rows *rows, struct str sha256, struct arena *arena, struct blob_row *ret, struct err *err)
{
	struct engine *engine = blob_link_lock(&rows->reading);
	int status = rows_one(engine_bind(engine, BLOB_FIND, BIND(TEXT(sha256))), arena, ret, err);

	pthread_mutex_unlock(&rows->reading.lock);
	return status;
}

static int open_blob(struct blob_keeper *keeper, struct str sha256, struct blob_file *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct blob_rows *rows = of(keeper);
	struct blob_row row;
	int status = find_row(rows, sha256, &arena, &row, err);

	if (status != 1)
		return status;
	status = blob_file_new(keeper->place->directory, ret, err);
	if (status)
		return status;
	ret->bytes = row.bytes;
	snprintf(ret->sha256, sizeof(ret->sha256), "%.*s", STR_ARG(sha256));
	status = place_named(row.place)->open(rows, ret, err);
	if (status != 1)
		blob_file_close(ret);
	return status;
}

static int look_at_row(struct blob_keeper *keeper, struct str sha256, struct blob_look *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct blob_row row = { 0 };
	int status = find_row(of(keeper), sha256, &arena, &row, err);

	if (status == 1)
		*ret = (struct blob_look){ (int64_t)row.bytes, (int64_t)row.stored_at };
	return status;
}

static int doubt_row(struct blob_keeper *keeper, struct str sha256, struct err *err)
{
	struct blob_rows *rows = of(keeper);
	int status = engine_run(blob_link_lock(&rows->writing), BLOB_DOUBT, BIND(TEXT(sha256)), err);

	pthread_mutex_unlock(&rows->writing.lock);
	return status;
}

/* --- collecting */

struct doomed {
	struct blob_row *items;
	size_t count, capacity;
};

/* From here on a put stores the bytes anew. */
static int doom_rows(struct engine *engine, uint64_t before, struct arena *arena, struct doomed *ret, struct err *err)
{
	struct rows *doom = engine_bind(engine, BLOB_DOOM, BIND(INTEGER(before), INTEGER(BATCH)));
	struct blob_row row;
	int status;

	while ((status = rows_step(doom, err)) == 1) {
		rows_read(doom, arena, &row);
		MEM_PUSH(ret, row);
	}
	return status;
}

/* Removes the bytes, then their row, unless they were put again meanwhile. Whoever puts them waits until both are gone:
   for the row in PostgreSQL; in SQLite, whose writers must not wait for a bucket, for the link of the one service. A
   removal that fails may have removed them. */
static int drop_row(struct blob_rows *rows, const struct blob_row *row, uint64_t before, struct err *err)
{
	const struct blob_bytes *bytes = place_named(row->place);
	struct engine *engine = blob_link_lock(&rows->writing);
	bool locks_row = engine_dialect(engine) == DIALECT_POSTGRESQL;
	int status = locks_row ? engine_run(engine, BLOB_BEGIN, BIND_NOTHING, err) : 0, removed = 0;
	struct err ignored;

	if (!status) {
		status = engine_run(engine, BLOB_HOLD_DOOMED, BIND(INTEGER(before), TEXT(row->sha256)), err);
		if (status == 1 && bytes->remove)
			removed = bytes->remove(rows, row->sha256, err);
		if (status == 1)
			status = engine_run(engine, removed ? BLOB_SPOIL : BLOB_DROP, BIND(TEXT(row->sha256)),
				removed ? &ignored : err);
		if (locks_row)
			status = blob_end(engine, status, removed ? &ignored : err);
	}
	pthread_mutex_unlock(&rows->writing.lock);
	return removed ? removed : status;
}

static int collect_rows(struct blob_keeper *keeper, const struct blob_collection *collection, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct blob_rows *rows = of(keeper);
	struct doomed doomed = { 0 };
	int status;

	if (collection->only.len)
		return 0;
	blob_link_lock(&rows->writing);
	status = doom_rows(rows->writing.engine, collection->before, &arena, &doomed, err);
	pthread_mutex_unlock(&rows->writing.lock);
	for (size_t i = 0; i < doomed.count && !status; i++)
		status = drop_row(rows, &doomed.items[i], collection->before, err);
	free(doomed.items);
	return status;
}

/* --- the whole */

static int check_bytes(struct blob_keeper *keeper, struct err *err)
{
	return of(keeper)->bytes->check ? of(keeper)->bytes->check(of(keeper), err) : 0;
}

static void free_rows(struct blob_keeper *keeper)
{
	blob_link_close(&of(keeper)->writing);
	blob_link_close(&of(keeper)->reading);
	bucket_free(of(keeper)->bucket);
	free(keeper);
}

static const struct blob_kind kind = { put_file, open_blob, mark_row, release_row, collect_rows, look_at_row, doubt_row,
	check_bytes, free_rows };

int blob_rows_new(const struct store_place *place, struct blob_keeper **ret, struct err *err)
{
	struct blob_rows *rows = mem_zalloc(sizeof(*rows));
	bool in_bucket = place->blobs && str_starts(str_from(place->blobs), STR("s3://"));
	int status = blob_link_open(&rows->writing, place, err), other;
	struct err ignored;

	rows->keeper = (struct blob_keeper){ &kind, place };
	rows->bytes = in_bucket ? &blob_bytes_bucket : &blob_bytes_database;
	*ret = &rows->keeper;
	other = blob_link_open(&rows->reading, place, status ? &ignored : err); /* so that both can be closed */
	status = status ? status : other;
	return status || !in_bucket ? status : bucket_new(place, &rows->bucket, err);
}
