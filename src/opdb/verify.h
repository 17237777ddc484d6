#pragma once
/*
 * Checks that a database is whole and keeps the invariants of the resolver, and counts of its gaps.
 *
 * opdb_open has checked kind and version and the small tables before.
 */
#include "opdb/resolve/resolve.h"

/* Call each with one line for every broken invariant: its count, and the first case. ERR_DB_DAMAGED when the file
   cannot be read to its end. */
int opdb_verify(const struct opdb *db, void (*each)(void *ctx, struct str broken), void *ctx, size_t *ret_broken,
	struct err *err);

struct coverage {
	size_t operators; /* overloads that the release's PyTorch has */
	size_t known;     /* of these with a status */
	size_t inferred;  /* of these by a rule that was not seen at work */
};

/* Number of operators of PyTorch with an answer on a release. ERR_DB_DAMAGED, ERR_LIMIT. */
int opdb_coverage(struct resolver *resolver, const struct release *release, struct coverage *ret, struct err *err);

/* Calls each with one line for everything that is named and about which nothing, or not all, is known.
   ERR_DB_DAMAGED. */
int opdb_gaps(const struct opdb *db, void (*each)(void *ctx, struct str gap), void *ctx, struct err *err);

/* Number of sources by enum evidence_kind. */
struct source_counts {
	size_t source, vendor_doc, inferred;
};

struct source_counts opdb_source_counts(const struct opdb *db);
