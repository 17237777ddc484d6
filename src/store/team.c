#include "store/team.h"

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"

/* --- the latest runs */

struct latest_runs {
	struct latest_run *items;
	size_t count, capacity, groups, most;
	struct arena *arena;
};

static bool is_same_branch(const struct latest_run *a, const struct latest_run *b)
{
	return str_eq(a->project, b->project) && str_eq(a->model, b->model) && str_eq(a->branch, b->branch);
}

/* False for the first row of a branch too many. */
static bool take_latest(struct latest_runs *found, const struct latest_run *latest)
{
	if (!found->count || !is_same_branch(latest, &found->items[found->count - 1])) {
		if (found->groups == found->most)
			return false;
		found->groups++;
	}
	MEM_PUSH(found, *latest);
	return true;
}

/* Reads the rows of a bound statement, up to a number of branches. */
static int list_latest(
	struct db *db, enum statement which, struct latest_runs *found, struct latest_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db->statements[which];
	struct latest_run latest = { 0 };
	int status;

	while ((status = db_step(db, rows, err)) == 1) {
		db_read(db, which, found->arena, &latest);
		if (!take_latest(found, &latest))
			break;
	}
	*ret = (struct latest_list){ .count = found->count, .more = status == 1 };
	ret->items = db_keep_items(found->arena, found->items, found->count, sizeof(found->items[0]));
	return db_finish(rows, status);
}

int store_list_latest(struct store *store, const struct latest_query *query, struct arena *arena,
	struct latest_list *ret, struct err *err)
{
	bool one = query->project.len > 0;
	enum statement which = one ? STATEMENT_STANDINGS_PROJECT : STATEMENT_STANDINGS;
	CLEANUP(db_unlock) struct db *db = db_reader(store);

	db_bind(db, which,
		BIND(TEXT(query->after_model), TEXT(query->after_branch),
			TEXT(one ? query->project : query->after_project), TEXT(query->search), TEXT(query->model),
			TEXT(query->branch), TEXT(query->target), TEXT(query->verdict)));
	return list_latest(db, which, &(struct latest_runs){ .most = query->max, .arena = arena }, ret, err);
}

int store_list_branches(struct store *store, const struct trend_query *query, struct arena *arena,
	struct latest_list *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);

	db_bind(db, STATEMENT_BRANCHES, BIND(TEXT(query->project), TEXT(query->model)));
	return list_latest(
		db, STATEMENT_BRANCHES, &(struct latest_runs){ .most = query->max, .arena = arena }, ret, err);
}

/* --- models that ran last */

static bool has_model(const struct recent_models *models, const struct trend_query *model)
{
	for (size_t i = 0; i < models->count; i++) {
		const struct trend_query *item = &models->items[i];

		if (str_eq(item->project, model->project) && str_eq(item->model, model->model) &&
			str_eq(item->branch, model->branch))
			return true;
	}
	return false;
}

int store_recent_models(
	struct store *store, struct str project, struct arena *arena, struct recent_models *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct sqlite3_stmt *rows = db_bind(db, STATEMENT_RECENT_MODELS, BIND(TEXT(project), INTEGER(RECENT_RUNS)));
	int status = 0;

	*ret = (struct recent_models){ 0 };
	while (ret->count < RECENT_MODELS && (status = db_step(db, rows, err)) == 1) {
		struct trend_query model = { 0 };

		db_read(db, STATEMENT_RECENT_MODELS, arena, &model);
		if (!has_model(ret, &model))
			ret->items[ret->count++] = model;
	}
	return db_finish(rows, status);
}

static void read_demand(struct db *db, struct arena *arena, struct demand *ret)
{
	size_t types;

	db_read(db, STATEMENT_DEMAND, arena, ret);
	types = str_find(ret->op, STR(" ("));
	ret->name = str_sub(ret->op, 0, types == STR_NONE ? ret->op.len : types);
	ret->dtypes = types == STR_NONE ? STR("") : str_chop(str_skip(ret->op, types + 2), 1);
}

int store_list_demand(struct store *store, const struct demand_query *query, struct arena *arena,
	struct demand_list *ret, struct err *err)
{
	static const struct demand first = { .runs = INT64_MAX, .share_ppm = INT64_MAX };
	const struct demand *after = query->after ? query->after : &first;
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct sqlite3_stmt *rows = db_bind(db, STATEMENT_DEMAND,
		BIND(TEXT(query->project), TEXT(query->target), INTEGER(query->max + 1), INTEGER(after->runs),
			INTEGER(after->share_ppm), TEXT(after->target), TEXT(after->op), TEXT(after->status)));
	int status;

	*ret = (struct demand_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	while ((status = db_step(db, rows, err)) == 1 && ret->count < query->max)
		read_demand(db, arena, &ret->items[ret->count++]);
	ret->more = status == 1;
	return db_finish(rows, status);
}
