#pragma once
/*
 * Overlays: facts of a site's own, as text, laid over those of the database (opdb(5) describes the form).
 *
 * An overlay belongs to a handle from the moment it is added. Every answer of the handle follows it: its facts win over
 * the shipped ones, and where two of them speak of the same thing, the more specific one and then the later overlay.
 */
#include "base/err.h"
#include "opdb/answer.h"
#include "opdb/opdb.h"

struct overlay {
	struct str name;   /* the file's, without its directory, printable */
	struct str sha256; /* of its bytes, in hexadecimal */
	size_t facts;
};

/* What an overlay says of some data types, or of a chip that nobody named: it may apply. */
struct site_limit {
	struct str text; /* "bf16 on 310P: cpu-fallback (overlay site.tsv:7 (0123456789ab): reason)" */
	unsigned dtypes; /* enum dtype; 0: any */
	bool has_status;
	enum op_status status;
	unsigned flags;
};

/* Reads a file of at most max_bytes and lays it over db. Call it before the handle answers anything. ERR_FACT at
   "file:line", ERR_LIMIT; the handle is unchanged then. */
int opdb_add_overlay(struct opdb *db, const char *path, size_t max_bytes, struct err *err);

/* The same for text at hand. */
int opdb_add_overlay_text(struct opdb *db, struct str name, struct str text, struct err *err);

/* Those that were added, in their order. */
const struct overlay *opdb_overlays(const struct opdb *db, size_t *ret_count);
