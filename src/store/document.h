#pragma once
/* Reports and what was rendered of them, as they are sent. All text lives in the arena that is given. */
#include "store/store.h"

/* Reports of an assessment, compressed by gzip. */
struct stored_document {
	struct str id, form; /* of the assessment; "json" is its report, "waivers" what came with its dump */
	struct str packed;
	uint64_t bytes; /* before compression */
};

/* Look up packed and bytes for id and form: 1, 0 if absent, or an error: ERR_STORE_DAMAGED if its checksum differs. */
int store_document(struct store *store, struct stored_document *document, struct arena *arena, struct err *err);

/* Keeps what was rendered of a report, beside it. With dumps in a bucket, both are there, too. */
int store_keep_document(struct store *store, const struct stored_document *document, struct err *err);

/* The same for a kind of forms, which begin with its name: at most so many stay, this one among them. */
int store_keep_document_of(
	struct store *store, const struct stored_document *document, struct str kind, uint64_t most, struct err *err);

/* --- for the store alone */

/* Puts a document where dumps are in a bucket; without the lock. document_add marks it. */
int document_put(struct store *store, const struct stored_document *document, struct err *err);

/* In a transaction of the writer. */
int document_add(struct store *store, const struct stored_document *document, struct err *err);

/* The same for a statement that removes documents and names their blobs. */
struct rows;
int document_release(struct store *store, struct rows *rows, struct err *err);
