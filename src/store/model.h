#pragma once
/* Models: all runs of a project that name the same one, whatever their branch. One that is renamed keeps its former
   names: a run that is sent under one belongs to it. */
#include "base/view/str.h"
#include "store/store.h"

/* Changes of a model of a project, "" without one; ptr NULL and NULL: unchanged. */
struct model_change {
	struct str project, model;
	struct str name;
	const bool *kept; /* whether retention leaves its runs */
};

/* 1, 0 if the model does not exist, or ERR_TAKEN for the name of another one. */
int store_change_model(struct store *store, const struct model_change *change, struct err *err);

/* Remove all its runs, kept or not: 1, or 0 without runs. */
int store_remove_model(struct store *store, struct str project, struct str model, struct err *err);

struct model_name {
	struct str project, model;
};

/* Looks up what the model is called now that had a name, in a project or in any for "": 1, or 0 when none had it. */
int store_find_former(struct store *store, struct arena *arena, struct model_name *name, struct err *err);
