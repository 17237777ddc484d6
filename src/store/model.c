#include "store/model.h"

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/keep.h"
#include "store/pool.h"

/* --- hold the lock */

/* Of one of its runs. 1, or 0 when it has none. */
static int find_number(struct db *db, struct str project, struct str model, uint64_t *ret, struct err *err)
{
	return db_find_number(db, STATEMENT_MODEL_RUN, BIND(TEXT(project), TEXT(model)), ret, err);
}

static int check_name(struct db *db, const struct model_change *change, struct err *err)
{
	uint64_t number;
	int status = find_number(db, change->project, change->name, &number, err);

	if (status == 1) {
		err_set(err, ERR_TAKEN, "a model of that name exists");
		return err_hint(err, "give another name, or rename that model first");
	}
	return status;
}

static int rename_rows(struct db *db, const struct model_change *change, struct err *err)
{
	static const enum statement steps[] = { STATEMENT_RENAME_RUNS, STATEMENT_RENAME_LATEST, STATEMENT_RENAME_TEXTS,
		STATEMENT_TAKE_FORMER, STATEMENT_MOVE_FORMER };
	int status = check_name(db, change, err);

	for (size_t i = 0; i < ARRAY_SIZE(steps) && !status; i++)
		status = db_run(
			db, steps[i], BIND(TEXT(change->project), TEXT(change->model), TEXT(change->name)), err);
	return status ? status
		      : db_run(db, STATEMENT_ADD_FORMER,
				BIND(AS("project", TEXT(change->project)), AS("name", TEXT(change->model)),
					AS("model", TEXT(change->name))),
				err);
}

static int change_model(struct db *db, const struct model_change *change, struct err *err)
{
	uint64_t number;
	int status = find_number(db, change->project, change->model, &number, err);

	if (status < 1)
		return status;
	if (change->kept)
		status = db_run(db, STATEMENT_KEEP_MODEL,
			BIND(TEXT(change->project), TEXT(change->model), INTEGER(*change->kept)), err);
	if (status >= 0 && change->name.len && !str_eq(change->name, change->model))
		status = rename_rows(db, change, err);
	return status < 0 ? status : 1;
}

int store_change_model(struct store *store, const struct model_change *change, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int status = db_begin(db, err);

	return status ? status : db_end(db, change_model(db, change, err), err);
}

/* One run after the other, so that other writers wait for one alone. */
int store_remove_model(struct store *store, struct str project, struct str model, struct err *err)
{
	int status, found = 0;

	do {
		CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
		uint64_t number;

		status = find_number(db, project, model, &number, err);
		if (status == 1)
			status = run_remove(store, number, true, err);
		found |= status == 1;
	} while (status == 1);
	return status ? status : found;
}

int store_find_former(struct store *store, struct arena *arena, struct model_name *name, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);

	return rows_one(db_bind(db, STATEMENT_FORMER, BIND(TEXT(name->project), TEXT(name->model))), arena, name, err);
}
