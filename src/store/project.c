#include "store/project.h"

#include "store/db.h"
#include "store/pool.h"
#include "store/rows.h"

/* Hold the lock. */
static int find_waivers(
	struct db *db, struct str project, struct arena *arena, struct project_waivers *ret, struct err *err)
{
	struct text_row waivers = { STR("") };
	int status = rows_one(db_bind(db, STATEMENT_PROJECT_WAIVERS, BIND(TEXT(project))), arena, &waivers, err);

	ret->text = waivers.text;
	sha256_of(ret->text, ret->sha256);
	return status < 0 ? status : 0;
}

int store_project_waivers(
	struct store *store, struct str project, struct arena *arena, struct project_waivers *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);

	return find_waivers(db, project, arena, ret, err);
}

static int set_waivers(struct db *db, const struct waivers_change *change, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct project_waivers waivers;
	char now[STORED_TIME_BYTES];
	int status = find_waivers(db, change->project, &arena, &waivers, err);

	if (status || !str_eq(str_from(waivers.sha256), change->before))
		return status;
	stored_time(engine_now(db->engine), now);
	status = db_run(db, STATEMENT_SET_PROJECT_WAIVERS,
		BIND(AS("project", TEXT(change->project)), AS("changed_at", TEXT(str_from(now))),
			AS("text", TEXT(change->text))),
		err);
	return status < 0 ? status : 1;
}

/* Other services may change them, too. */
int store_set_project_waivers(struct store *store, const struct waivers_change *change, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	int status = db_begin(db, err);

	return status ? status : db_end(db, set_waivers(db, change, err), err);
}

int store_list_uses(
	struct store *store, const struct use_query *query, struct arena *arena, struct use_list *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct rows *rows = db_bind(db, STATEMENT_USES, BIND(TEXT(query->project), INTEGER(query->max)));
	int status = db_fold(db, err);

	*ret = (struct use_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	if (status)
		return status;
	while ((status = rows_step(rows, err)) == 1)
		rows_read(rows, arena, &ret->items[ret->count++]);
	return status;
}
