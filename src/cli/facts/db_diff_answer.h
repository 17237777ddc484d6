#pragma once
/* The answer of `db diff` in every format. */
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "check/database/diff_details.h"
#include "opdb/db/opdb.h"
#include "opdb/diff.h"

struct change {
	struct str release;        /* of two databases; "" where two releases are compared */
	struct op_difference what; /* without a name: the release itself was added or removed */
};

struct diff {
	struct opdb *old_db, *new_db; /* one handle twice where two releases are compared */
	struct str old_name, new_name;
	struct str release;
	bool some; /* operators of these names alone */
	MEM_LIST(struct str) names;
	MEM_LIST(struct change) changes;
	size_t counts[CHANGE_COUNT]; /* of operators */
	struct diff_details details; /* sorted */
	struct arena arena;
	struct err *err;
};

/* Appends the difference in a format of `db diff` (for common_write); as a document in one of the document formats. */
int db_diff_put(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err);
void db_diff_put_document(struct buf *out, const struct diff *diff, struct str format, enum lang lang);
