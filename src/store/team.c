#include "store/team.h"

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"

/* --- the latest runs */

enum { TARGETS_A_BRANCH = 128 }; /* of which a page has room; a branch with more takes the room of others */

struct latest_runs {
	struct latest_run *items;
	size_t count, capacity, groups, most;
	struct arena *arena;
};

/* Rows that make a page, one branch more than asked for. */
static uint64_t most_rows(const struct latest_runs *found)
{
	return (found->most + 1) * TARGETS_A_BRANCH;
}

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

/* Leave a branch out that may lack rows. */
static void drop_cut_branch(struct latest_runs *found)
{
	size_t count = found->count;

	while (count && is_same_branch(&found->items[count - 1], &found->items[found->count - 1]))
		count--;
	found->count = count ? count : found->count;
}

/* Reads the rows of a bound statement, up to a number of branches. */
static int list_latest(struct rows *rows, struct latest_runs *found, struct latest_list *ret, struct err *err)
{
	struct latest_run latest = { 0 };
	int status;

	while ((status = rows_step(rows, err)) == 1) {
		rows_read(rows, found->arena, &latest);
		if (!take_latest(found, &latest))
			break;
	}
	ret->more = status == 1 || found->count == most_rows(found);
	if (found->count == most_rows(found))
		drop_cut_branch(found);
	ret->count = found->count;
	ret->items = db_keep_items(found->arena, found->items, found->count, sizeof(found->items[0]));
	return db_finish(rows, status);
}

int store_list_latest(struct store *store, const struct latest_query *query, struct arena *arena,
	struct latest_list *ret, struct err *err)
{
	bool one = query->project.len > 0;
	enum statement which = one ? STATEMENT_STANDINGS_PROJECT : STATEMENT_STANDINGS;
	struct latest_runs found = { .most = query->max, .arena = arena };
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct rows *rows = db_bind(db, which,
		BIND(TEXT(query->after_model), TEXT(query->after_branch),
			TEXT(one ? query->project : query->after_project), TEXT(query->search), TEXT(query->model),
			TEXT(query->branch), TEXT(query->target), TEXT(query->verdict), INTEGER(most_rows(&found))));
	int status = db_fold(db, err);

	return status ? status : list_latest(rows, &found, ret, err);
}

int store_list_branches(struct store *store, const struct trend_query *query, struct arena *arena,
	struct latest_list *ret, struct err *err)
{
	struct latest_runs found = { .most = query->max, .arena = arena };
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct rows *rows = db_bind(
		db, STATEMENT_BRANCHES, BIND(TEXT(query->project), TEXT(query->model), INTEGER(most_rows(&found))));
	int status = db_fold(db, err);

	return status ? status : list_latest(rows, &found, ret, err);
}

/* --- models that ran last */

static bool has_model(const struct recent_models *models, const struct trend_query *model)
{
	const struct trend_query *items = models->items;

	return ANY(i, models->count,
		str_eq(items[i].project, model->project) && str_eq(items[i].model, model->model) &&
			str_eq(items[i].branch, model->branch));
}

int store_recent_models(
	struct store *store, struct str project, struct arena *arena, struct recent_models *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	struct rows *rows = db_bind(db, STATEMENT_RECENT_MODELS, BIND(TEXT(project), INTEGER(RECENT_RUNS)));
	int status = 0;

	*ret = (struct recent_models){ 0 };
	while (ret->count < RECENT_MODELS && (status = rows_step(rows, err)) == 1) {
		struct trend_query model = { 0 };

		rows_read(rows, arena, &model);
		if (!has_model(ret, &model))
			ret->items[ret->count++] = model;
	}
	return db_finish(rows, status);
}

static void read_demand(const struct rows *rows, struct arena *arena, struct demand *ret)
{
	size_t types;

	rows_read(rows, arena, ret);
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
	struct rows *rows = db_bind(db, STATEMENT_DEMAND,
		BIND(TEXT(query->project), TEXT(query->target), INTEGER(query->max + 1), INTEGER(after->runs),
			INTEGER(after->share_ppm), TEXT(after->target), TEXT(after->op), TEXT(after->status)));
	int status = db_fold(db, err);

	*ret = (struct demand_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	if (status)
		return status;
	while ((status = rows_step(rows, err)) == 1 && ret->count < query->max)
		read_demand(rows, arena, &ret->items[ret->count++]);
	ret->more = status == 1;
	return db_finish(rows, status);
}
