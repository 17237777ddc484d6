#pragma once
/*
 * The assessment of one profile against some targets: what the JSON report says, no more and no less.
 *
 * Every format is rendered from this struct, whether it was just computed or read back from a JSON report, so all times
 * are whole nanoseconds and all shares whole millionths. Lists have the order in which they are printed. Immutable once
 * made; everything in it lives in its arena.
 */
#include "assess/model/result_agreement.h"
#include "assess/model/result_buckets.h"
#include "assess/model/result_cost.h"
#include "assess/model/result_finding.h"
#include "assess/model/result_input.h"
#include "assess/model/result_parts.h"
#include "assess/model/result_place.h"
#include "assess/model/result_releases.h"
#include "assess/model/result_source.h"
#include "assess/model/result_target.h"
#include "op/name.h"

struct result_ignored {
	struct str name;
	enum name_class name_class;
	uint64_t calls;
};

/* The base of shares. */
enum basis { BASIS_DEVICE_TIME, BASIS_CPU_TIME, BASIS_CALLS };

struct result {
	struct arena arena;
	struct str tool_version;
	struct result_db db;
	struct result_assumption *assumptions;
	size_t assumption_count;
	enum basis basis;
	int64_t shown_ppm; /* of the time in the basis: what operators took, whatever else the dumps state */
	struct result_input *inputs;
	size_t input_count;
	struct result_operator *operators; /* largest share first */
	size_t operator_count;
	struct result_types *type_sets; /* what is known of data types, each once */
	size_t type_set_count;
	struct result_cost cost;
	struct result_places places;
	struct result_buckets buckets;
	struct result_releases releases;
	struct result_ignored *ignored;
	size_t ignored_count;
	struct result_target *targets;
	size_t target_count;
	struct result_finding *findings;
	size_t finding_count;
	struct result_cause *causes; /* of all findings, the gravest and largest first */
	size_t cause_count;
	struct result_recipe *recipes; /* that advice on findings names, by name */
	size_t recipe_count;
	struct result_implied *implied; /* by name */
	size_t implied_count;
	struct result_training *training; /* in the order of the targets */
	size_t training_count;
	struct result_finding *waived; /* findings that a waiver excuses, in the same order */
	size_t waived_count;
	struct result_question *questions; /* while some are open, a verdict is the one that all answers lead to */
	size_t question_count;
	struct result_policy policy;
	struct agreement *agreements; /* of a dump made on a device: one a target of that device */
	size_t agreement_count;
	struct result_source_tree *source; /* of a scan of scripts, which has no dumps and no operators; else NULL */
	struct message *warnings;          /* about the assessment as a whole */
	size_t warning_count;
};

/* Frees a result and all it holds. NULL is allowed. */
void result_free(struct result *result);
