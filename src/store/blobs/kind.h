#pragma once
/* Inside the room: the calls that each place of blobs implements. */
#include "store/blobs/blobs.h"

/* Begins the struct of each place. */
struct blob_keeper {
	const struct blob_kind *kind;
	const struct store_place *place;
};

struct blob_kind {
	int (*put)(struct blob_keeper *keeper, struct blob_file *file, struct err *err);
	int (*open)(struct blob_keeper *keeper, struct str sha256, struct blob_file *ret, struct err *err);
	int (*mark)(
		struct blob_keeper *keeper, struct engine *writer, struct str sha256, struct err *err); /* 0: missing */
	int (*release)(struct blob_keeper *keeper, struct engine *writer, struct str sha256, struct err *err);
	int (*collect)(struct blob_keeper *keeper, const struct blob_collection *collection, struct err *err);
	int (*look)(struct blob_keeper *keeper, struct str sha256, struct blob_look *ret, struct err *err);
	int (*doubt)(struct blob_keeper *keeper, struct str sha256, struct err *err);
	int (*check)(struct blob_keeper *keeper, struct err *err);
	void (*free)(struct blob_keeper *keeper);
};

/* A condition of SQL: no row needs the blob of this digest. */
#define BLOB_IS_UNUSED(sha256)                                                                                         \
	"NOT EXISTS (SELECT 1 FROM assessment WHERE input_sha256 = " sha256 ") AND NOT EXISTS"                         \
	" (SELECT 1 FROM ticket WHERE input_sha256 = " sha256 " AND status = 'queued') AND NOT EXISTS"                 \
	" (SELECT 1 FROM document WHERE document.sha256 = " sha256 " AND length(content) = 0)"
