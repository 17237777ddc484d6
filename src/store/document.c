#include "store/document.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "io/gunzip.h"
#include "store/db.h"
#include "store/pool.h"
#include "store/rows.h"

/* A report of version 1, which has no checksum. */
static int find_plain(struct db *db, struct stored_document *document, struct arena *arena, struct err *err)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;
	struct text_row json;
	int status = rows_one(db_bind(db, STATEMENT_REPORT, BIND(TEXT(document->id))), arena, &json, err);

	if (status != 1)
		return status;
	if (!gzip_pack(json.text, &packed))
		return err_set(err, ERR_STORE, "cannot compress a report");
	document->bytes = json.text.len;
	document->packed = arena_keep(arena, buf_str(&packed));
	return 1;
}

static int find_row(struct store *store, struct stored_document *document, struct arena *arena,
	struct document_row *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct rows *row = db_bind(db, STATEMENT_DOCUMENT, BIND(TEXT(document->id), TEXT(document->form)));
	int status = rows_one(row, arena, ret, err);

	if (status == 0 && str_eq(document->form, STR("json"))) {
		*ret = (struct document_row){ 0 };
		return find_plain(db, document, arena, err);
	}
	if (status != 1)
		return status;
	document->bytes = ret->document.bytes;
	document->packed = ret->document.packed;
	return 1;
}

/* 1, or 0 when it is missing. */
static int read_blob(struct store *store, struct str sha256, struct arena *arena, struct str *ret, struct err *err)
{
	struct blob_file file;
	int status = blobs_open(store->blobs, sha256, &file, err);
	uint64_t at = 0;
	char *bytes;

	if (status != 1)
		return status;
	bytes = arena_alloc(arena, file.bytes + 1);
	while (bytes && at < file.bytes) {
		ssize_t count = pread(file.fd, bytes + at, file.bytes - at, (off_t)at);

		if (count <= 0)
			break;
		at += (uint64_t)count;
	}
	*ret = (struct str){ bytes, bytes ? at : 0 };
	blob_file_close(&file);
	return 1;
}

int store_document(struct store *store, struct stored_document *document, struct arena *arena, struct err *err)
{
	char digest[SHA256_HEX_BYTES];
	struct document_row kept;
	int status = find_row(store, document, arena, &kept, err);

	if (status == 1 && kept.sha256.len && !document->packed.len)
		status = read_blob(store, kept.sha256, arena, &document->packed, err) < 0 ? -err->code : 1;
	if (status != 1 || !kept.sha256.len)
		return status;
	sha256_of(document->packed, digest);
	if (str_eq(kept.sha256, str_from(digest)))
		return 1;
	err_set(err, ERR_STORE_DAMAGED, "the %.*s of assessment %.*s is not what was stored", STR_ARG(document->form),
		STR_ARG(document->id));
	return err_file(err, engine_name(store->writer.engine));
}

int document_put(struct store *store, const struct stored_document *document, struct err *err)
{
	struct blob_file file;
	int status;

	if (!blobs_in_bucket(store->blobs))
		return 0;
	status = blob_file_new(store->place.directory, &file, err);
	if (status)
		return status;
	sha256_of(document->packed, file.sha256);
	file.bytes = document->packed.len;
	status = blob_file_add(&file, document->packed, err);
	if (!status)
		status = blobs_put(store->blobs, &file, err);
	blob_file_close(&file);
	return status;
}

static int add_row(
	struct db *db, const struct stored_document *document, struct str sha256, struct str content, struct err *err)
{
	return db_run(db, STATEMENT_ADD_DOCUMENT,
		BIND(AS("id", TEXT(document->id)), AS("form", TEXT(document->form)),
			AS("bytes", INTEGER(document->bytes)), AS("sha256", TEXT(sha256)),
			AS("content", BYTES(content))),
		err);
}

/* The blob of a document that this one replaces is not needed any more. */
static int add_marked(struct store *store, const struct stored_document *document, struct str sha256, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct db *db = &store->writer;
	struct rows *row = db_bind(db, STATEMENT_DOCUMENT, BIND(TEXT(document->id), TEXT(document->form)));
	struct document_row before = { 0 };
	int status = rows_one(row, &arena, &before, err);

	if (status >= 0)
		status = blobs_mark(store->blobs, db->engine, sha256, err);
	if (!status)
		status = add_row(db, document, sha256, STR(""), err);
	return status || !before.sha256.len || str_eq(before.sha256, sha256)
		       ? status
		       : blobs_release(store->blobs, db->engine, before.sha256, err);
}

int document_add(struct store *store, const struct stored_document *document, struct err *err)
{
	char digest[SHA256_HEX_BYTES];

	sha256_of(document->packed, digest);
	if (blobs_in_bucket(store->blobs))
		return add_marked(store, document, str_from(digest), err);
	return add_row(&store->writer, document, str_from(digest), document->packed, err);
}

int document_release(struct store *store, struct rows *rows, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct {
		struct str *items;
		size_t count, capacity;
	} blobs = { 0 };
	struct text_row row;
	int status;

	while ((status = rows_step(rows, err)) == 1) {
		rows_read(rows, &arena, &row);
		if (row.text.len)
			MEM_PUSH(&blobs, row.text);
	}
	for (size_t i = 0; i < blobs.count && !status; i++)
		status = blobs_release(store->blobs, store->writer.engine, blobs.items[i], err);
	free(blobs.items);
	return status;
}

int store_keep_document(struct store *store, const struct stored_document *document, struct err *err)
{
	int status = document_put(store, document, err);
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	if (status || !blobs_in_bucket(store->blobs))
		return status ? status : document_add(store, document, err);
	status = db_begin_adding(db, err);
	return status ? status : db_end(db, document_add(store, document, err), err);
}

int store_keep_document_of(
	struct store *store, const struct stored_document *document, struct str kind, uint64_t most, struct err *err)
{
	int status = document_put(store, document, err);
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	if (!status)
		status = db_begin(db, err);
	if (status)
		return status;
	status = document_add(store, document, err);
	if (!status)
		status = document_release(store,
			db_bind(db, STATEMENT_DROP_FORMS,
				BIND(TEXT(document->id), TEXT(kind), TEXT(document->form), INTEGER(most - 1))),
			err);
	return db_end(db, status, err);
}
