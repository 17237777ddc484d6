#include "store/document.h"

#include "base/mem.h"
#include "base/sha256.h"
#include "io/gunzip.h"
#include "store/db.h"

static void digest_of(struct str bytes, char ret[SHA256_HEX_BYTES])
{
	struct sha256 *sha = sha256_new();

	sha256_add(sha, bytes);
	sha256_end(sha, ret);
}

/* A report of version 1, which has no checksum. */
static int find_plain(struct db *db, struct stored_document *document, struct arena *arena, struct err *err)
{
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_REPORT);
	struct str json;
	int status;

	db_bind_text(row, 1, document->id);
	status = db_step(db, row, err);
	if (status != 1)
		return status;
	json = db_text(row, 0, arena);
	db_stop(row);
	if (!gzip_pack(json, &packed))
		return err_set(err, ERR_STORE, "cannot compress a report");
	document->bytes = json.len;
	document->packed = arena_keep(arena, buf_str(&packed));
	return 1;
}

static int find_document(struct db *db, struct stored_document *document, struct arena *arena, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_DOCUMENT);
	char digest[SHA256_HEX_BYTES];
	struct str kept;
	int status;

	db_bind_text(row, 1, document->id);
	db_bind_text(row, 2, document->form);
	status = db_step(db, row, err);
	if (status == 0 && str_eq(document->form, STR("json")))
		return find_plain(db, document, arena, err);
	if (status != 1)
		return status;
	document->bytes = db_number(row, 0);
	kept = db_text(row, 1, arena);
	document->packed = db_text(row, 2, arena);
	db_stop(row);
	digest_of(document->packed, digest);
	if (str_eq(kept, str_from(digest)))
		return 1;
	err_set(err, ERR_STORE_DAMAGED, "the %.*s of assessment %.*s is not what was stored", STR_ARG(document->form),
		STR_ARG(document->id));
	return err_file(err, db->directory);
}

int store_document(struct store *store, struct stored_document *document, struct arena *arena, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = find_document(&store->reader, document, arena, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}

int document_add(struct db *db, const struct stored_document *document, struct err *err)
{
	struct sqlite3_stmt *add = db_statement(db, STATEMENT_ADD_DOCUMENT);
	char digest[SHA256_HEX_BYTES];

	digest_of(document->packed, digest);
	db_bind_text(add, 1, document->form);
	db_bind_number(add, 2, document->bytes);
	db_bind_text(add, 3, str_from(digest));
	db_bind_bytes(add, 4, document->packed);
	db_bind_text(add, 5, document->id);
	return db_step(db, add, err);
}

int store_keep_document(struct store *store, const struct stored_document *document, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->writer.lock);
	status = document_add(&store->writer, document, err);
	pthread_mutex_unlock(&store->writer.lock);
	return status;
}
