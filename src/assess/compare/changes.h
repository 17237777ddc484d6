#pragma once
/*
 * Changes from one result to another: of the same model on other releases, with another database, or after work on
 * it.
 *
 * Findings are the same when their fingerprints are, operators when their names are, targets when their ids are.
 * Incomparable parts are named and left out.
 */
#include "assess/model/result.h"
#include "base/setup/err.h"

enum change_kind {
	CHANGE_OPERATOR_ADDED = 1 << 0,
	CHANGE_OPERATOR_REMOVED = 1 << 1,
	CHANGE_OPERATOR_BETTER = 1 << 2, /* on some target both have */
	CHANGE_OPERATOR_WORSE = 1 << 3,
	CHANGE_OPERATOR_SHARE = 1 << 4,
	CHANGE_OPERATOR_SHAPES = 1 << 5,
};

struct status_change {
	struct str target;
	enum op_status before, after;
	const struct result_verdict *then, *now; /* with the facts that they come of */
	bool worse, by_facts;                    /* by_facts: the dumps are the same */
};

struct operator_change {
	struct str name;
	unsigned kinds;                               /* enum change_kind */
	const struct result_operator *before, *after; /* NULL where it is not there */
	struct status_change *statuses;
	size_t status_count;
};

struct target_change {
	struct str id;
	const struct result_target *before, *after; /* NULL where it is not there */
	bool worse, better;                         /* its verdict; neither where captures differ */
};

struct finding_change {
	const struct result_finding *finding;
	bool is_new; /* else fixed */
};

struct changes {
	struct arena arena;
	const struct result *before, *after;
	struct message *notes; /* why some of it cannot be compared, or not be trusted to speak of the model alone */
	size_t note_count;
	bool shares, shapes;           /* can be compared; with shares verdicts */
	bool same_dumps;               /* statuses changed because of facts, or of what was asked, alone */
	struct target_change *targets; /* in the order of after, then those of before alone */
	size_t target_count;
	struct finding_change *findings; /* on common targets: new ones, then fixed ones; as their results sort them */
	size_t finding_count, new_count;
	struct result_cause *new_causes, *fixed_causes; /* of those findings */
	size_t new_cause_count, fixed_cause_count;
	struct operator_change *operators; /* those that changed, the largest share first */
	size_t operator_count;
};

/* Compares; a share counts as changed from so many millionths on. Both results outlive the changes. */
struct changes *changes_find(const struct result *before, const struct result *after, int64_t least_share_ppm);
void changes_free(struct changes *changes);
