#pragma once
/* The targets of a check or a question, as users write them, and the list of all there are. */
#include "assess/model/message.h"
#include "base/memory/buf.h"
#include "opdb/db/target.h"
#include "record/record.h"

struct target_list {
	struct target *items; /* on the heap: target_list_clear */
	size_t count, capacity;
	/* For each item: the user's text, and a sentence on how it was resolved; "" and no sentence for an id, the
	   bare name of the target, or no text. */
	struct {
		struct target_asked {
			struct str text;
			struct message became;
		} * items;
		size_t count, capacity;
	} asked;
	struct arena arena; /* of these texts */
};

/*
 * The release that a spec means: one of target_resolve, or a shorter way to say it.
 *
 *	ascend, NPU           npu
 *	910b, 310P3           npu:910B, npu:310P3: a chip alone
 *	npu@latest            npu
 *	npu@2.7               npu@2.7.1 if the releases have one 2.7.x, else ERR_AMBIGUOUS; the same for torch
 *
 * Devices that dumps come from (cuda) are ERR_TARGET; target_hint advises on vendors, servers and CANN. Other errors
 * are those of target_resolve.
 */
int target_parse(const struct opdb *db, struct str text, struct str torch, struct target *ret, struct err *err);

/* Requested targets. */
struct target_question {
	const struct str *specs; /* each one or several with commas or blanks between them; none: npu and musa */
	size_t count;
	struct str torch; /* a version of PyTorch that all must have; "": any */
};

/* Resolves targets. Two names of one release are one target. The errors of target_parse; *ret is empty then. */
int targets_choose(
	const struct opdb *db, const struct target_question *question, struct target_list *ret, struct err *err);

void target_list_clear(struct target_list *list);

/* Appends the peaks of the chips that estimates are for, as text. ERR_DB_DAMAGED. */
int targets_put_chips(const struct opdb *db, struct buf *out, struct err *err);

extern const struct record listed_target_record; /* of a release among them */

/* Appends every release that the database knows with all its names, and the peaks of all chips, as JSON. The errors of
   target_aliases. */
int targets_put_json(const struct opdb *db, struct buf *out, struct err *err);
