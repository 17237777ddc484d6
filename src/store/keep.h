#pragma once
/* Keeping, changing and removing runs, and with them their assessments. */
#include "store/document.h"
#include "store/run.h"
#include "store/upload.h"

/* An assessment with its report, its dump and the run that it comes of. */
struct entry {
	struct stored_assessment *record;
	const struct stored_document *report;
	struct upload *upload;
	struct run *run; /* its number, id and time are given here. NULL: of no project, called as the dump */
	const struct stored_document *waivers; /* that came with the dump; NULL: none */
};

/* Keeps a run and its assessment. 1 when that is new; 0 when one with its id was there already, which *record then is.
   Number and time are given here. */
int store_keep(struct store *store, const struct entry *entry, struct arena *arena, struct err *err);

/* Adds a run of an assessment that is there: 1 with number, id, time and record filled, 0 when it is not. */
int store_add_run(struct store *store, struct str assessment, struct arena *arena, struct run *run, struct err *err);

/* Changes of a run; ptr NULL and NULL: unchanged. */
struct run_change {
	struct str id, project;
	struct str name, tags;
	const bool *kept;
};

/* 1, or 0 if the run does not exist. */
int store_change_run(struct store *store, const struct run_change *change, struct err *err);

/* Set for all runs of an assessment whether retention keeps them: 1, or 0 without runs. */
int store_set_kept(struct store *store, const struct id_like *assessment, bool kept, struct err *err);

/* Remove a run, kept or not, and its assessment with the last one: 1, or 0 if it does not exist. */
int store_remove_run(struct store *store, struct str id, struct str project, struct err *err);

/* Remove all runs of an assessment: 1, or 0 without runs. */
int store_remove(struct store *store, const struct id_like *assessment, struct err *err);

/* --- for the store alone */

/* Remove a run by its number; hold the writer's lock. 1, or 0 if it does not exist or is kept, unless any. */
int run_remove(struct store *store, uint64_t number, bool any, struct err *err);
