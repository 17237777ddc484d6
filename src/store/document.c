#include "store/document.h"

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "io/gunzip.h"
#include "store/db.h"
#include "store/pool.h"
#include "store/rows.h"

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
	struct rows *row = db_bind(db, STATEMENT_REPORT, BIND(TEXT(document->id)));
	struct text_row json;
	int status = rows_step(row, err);

	if (status != 1)
		return status;
	rows_read(row, arena, &json);
	rows_stop(row);
	if (!gzip_pack(json.text, &packed))
		return err_set(err, ERR_STORE, "cannot compress a report");
	document->bytes = json.text.len;
	document->packed = arena_keep(arena, buf_str(&packed));
	return 1;
}

int store_document(struct store *store, struct stored_document *document, struct arena *arena, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct rows *row = db_bind(db, STATEMENT_DOCUMENT, BIND(TEXT(document->id), TEXT(document->form)));
	char digest[SHA256_HEX_BYTES];
	struct document_row kept;
	int status = rows_step(row, err);

	if (status == 0 && str_eq(document->form, STR("json")))
		return find_plain(db, document, arena, err);
	if (status != 1)
		return status;
	rows_read(row, arena, &kept);
	rows_stop(row);
	document->bytes = kept.document.bytes;
	document->packed = kept.document.packed;
	digest_of(document->packed, digest);
	if (str_eq(kept.sha256, str_from(digest)))
		return 1;
	err_set(err, ERR_STORE_DAMAGED, "the %.*s of assessment %.*s is not what was stored", STR_ARG(document->form),
		STR_ARG(document->id));
	return err_file(err, engine_name(db->engine));
}

int document_add(struct db *db, const struct stored_document *document, struct err *err)
{
	char digest[SHA256_HEX_BYTES];

	digest_of(document->packed, digest);
	return db_run(db, STATEMENT_ADD_DOCUMENT,
		BIND(TEXT(document->form), INTEGER(document->bytes), TEXT(str_from(digest)), BYTES(document->packed),
			TEXT(document->id)),
		err);
}

int store_keep_document(struct store *store, const struct stored_document *document, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);

	return document_add(db, document, err);
}

int store_keep_document_of(
	struct store *store, const struct stored_document *document, struct str kind, uint64_t most, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int status = db_begin(db, err);

	if (status)
		return status;
	status = document_add(db, document, err);
	if (!status)
		status = db_run(db, STATEMENT_DROP_FORMS,
			BIND(TEXT(document->id), TEXT(kind), TEXT(document->form), INTEGER(most - 1)), err);
	return db_end(db, status, err);
}
