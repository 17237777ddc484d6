#pragma once
/*
 * The models that the dumps of a folder are of. A dump is of the model of an earlier one if both may be of one version
 * of PyTorch, and they have one name or show one run (op/profile_join.h). A name is the words of the path inside of the
 * folder, but for ranks, steps, formats and letters: "bert/rank0.a.log" is "bert". One of two names may have more words
 * behind the first dot of the file: "bert.log", "bert.dynamic.log".
 */
#include "check/input/reading.h"
#include "check/input/runs.h"

struct model {
	struct str head, words; /* of its first dump, up to the first dot and all: "bert", "bert dynamic" */
	struct dump_facts facts;
	struct profile *profile;
	struct run_queue dumps;
};

struct models {
	const struct limits *limits;
	struct arena *arena;
	bool apart; /* the next dump may be of another model than the first */
	MEM_LIST(struct model) list;
};

/* The model of a dump, a new one if it is of none; label: of its rank. The dump keeps its part. */
struct model *models_find(struct models *models, const struct read_dump *dump, struct str label);

void models_finish(struct models *models);
bool model_has_operator(const struct model *model);
void model_clear(struct model *model);
void models_clear(struct models *models);
