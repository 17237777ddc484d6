#pragma once
/* The targets of a check or a question, and the list of all there are. */
#include "base/buf.h"
#include "opdb/db/target.h"

struct target_list {
	struct target *items; /* on the heap: target_list_clear */
	size_t count, capacity;
};

/* Resolves targets as a user writes them; none: the newest stable release of npu and of musa. Two names of one
   release are one target. The errors of target_resolve; *ret is empty then. */
int targets_choose(const struct opdb *db, const struct str *specs, size_t count, struct str torch,
	struct target_list *ret, struct err *err);

void target_list_clear(struct target_list *list);

/* Appends every release that the database knows with all its names, as JSON. The errors of target_aliases. */
int targets_put_json(const struct opdb *db, struct buf *out, struct err *err);
