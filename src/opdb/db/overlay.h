#pragma once
/*
 * Overlays: facts of a site's own, as text, laid over those of the database (opdb(5) describes the form).
 *
 * An overlay belongs to a handle from the moment it is added. Every answer of the handle follows it: its facts win over
 * the shipped ones, and where two of them speak of the same thing, the more specific one and then the later overlay.
 */
#include "base/setup/err.h"
#include "base/view/str.h"

struct opdb;

struct overlay {
	struct str name;   /* the file's, without its directory, printable */
	struct str sha256; /* of its bytes, in hexadecimal */
	size_t facts;
};

/* Reads a file of at most max_bytes and lays it over db. Call it before the handle answers anything. ERR_FACT at
   "file:line", ERR_LIMIT; the handle is unchanged then. */
int opdb_add_overlay(struct opdb *db, const char *path, size_t max_bytes, struct err *err);

/* The same for text at hand. */
int opdb_add_overlay_text(struct opdb *db, struct str name, struct str text, struct err *err);

/* Those that were added, in their order. */
const struct overlay *opdb_overlays(const struct opdb *db, size_t *ret_count);
