#include "store/team.h"

#include <stdlib.h>

#include "base/mem.h"
#include "store/db.h"

/* --- standings; hold the lock */

struct standings {
	struct standing *items;
	size_t count, capacity, groups, most;
	bool more;
};

static void read_standing(struct sqlite3_stmt *row, struct arena *arena, struct standing *ret)
{
	struct str *const texts[] = { &ret->project, &ret->model, &ret->branch, &ret->verdict.target, &ret->run,
		&ret->created_at, &ret->revision, &ret->verdict.verdict, &ret->verdict.gate };

	*ret = (struct standing){ 0 };
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		*texts[i] = db_text(row, i, arena);
	ret->verdict.readiness_lo_ppm = (int64_t)db_number(row, (int)ARRAY_SIZE(texts));
	ret->verdict.readiness_hi_ppm = (int64_t)db_number(row, (int)ARRAY_SIZE(texts) + 1);
}

static bool is_same_branch(const struct standing *a, const struct standing *b)
{
	return str_eq(a->project, b->project) && str_eq(a->model, b->model) && str_eq(a->branch, b->branch);
}

/* False for the first row of a branch too many. */
static bool take_standing(struct standings *found, const struct standing *standing)
{
	if (!found->count || !is_same_branch(standing, &found->items[found->count - 1])) {
		if (found->groups == found->most)
			return false;
		found->groups++;
	}
	MEM_PUSH(found, *standing);
	return true;
}

/* Reads the rows of a bound statement, up to the limit of branches. */
static int read_standings(
	struct db *db, struct sqlite3_stmt *rows, struct arena *arena, struct standings *found, struct err *err)
{
	struct standing standing;
	int status;

	while ((status = db_step(db, rows, err)) == 1) {
		read_standing(rows, arena, &standing);
		if (!take_standing(found, &standing))
			break;
	}
	found->more = status == 1;
	db_stop(rows);
	return status < 0 ? status : 0;
}

static void give_standings(struct standings *found, struct arena *arena, struct standing_list *ret)
{
	ret->count = found->count;
	ret->more = found->more;
	ret->items = arena_alloc(arena, (found->count + 1) * sizeof(ret->items[0]));
	if (found->count)
		memcpy(ret->items, found->items, found->count * sizeof(ret->items[0]));
	free(found->items);
}

static struct sqlite3_stmt *bind_standings(struct db *db, const struct standing_query *query)
{
	struct sqlite3_stmt *rows = db_statement(
		db, query->project.len ? STATEMENT_STANDINGS_PROJECT : STATEMENT_STANDINGS);
	const struct str *const texts[] = { &query->after_model, &query->after_branch,
		query->project.len ? &query->project : &query->after_project, &query->search, &query->model,
		&query->branch, &query->target, &query->verdict };

	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		db_bind_text(rows, 1 + i, texts[i]->len ? *texts[i] : STR(""));
	return rows;
}

int store_list_standings(struct store *store, const struct standing_query *query, struct arena *arena,
	struct standing_list *ret, struct err *err)
{
	struct standings found = { .most = query->max };
	struct db *db = &store->reader;
	int status;

	pthread_mutex_lock(&db->lock);
	status = read_standings(db, bind_standings(db, query), arena, &found, err);
	pthread_mutex_unlock(&db->lock);
	give_standings(&found, arena, ret);
	return status;
}

int store_list_branches(struct store *store, const struct trend_query *query, struct arena *arena,
	struct standing_list *ret, struct err *err)
{
	struct standings found = { .most = query->max };
	struct db *db = &store->reader;
	struct sqlite3_stmt *rows;
	int status;

	pthread_mutex_lock(&db->lock);
	rows = db_statement(db, STATEMENT_BRANCHES);
	db_bind_text(rows, 1, query->project);
	db_bind_text(rows, 2, query->model);
	status = read_standings(db, rows, arena, &found, err);
	pthread_mutex_unlock(&db->lock);
	give_standings(&found, arena, ret);
	return status;
}

/* --- models that ran last; hold the lock */

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

static int read_recent_models(
	struct db *db, struct str project, struct arena *arena, struct recent_models *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_RECENT_MODELS);
	int status = 0;

	db_bind_text(rows, 1, project.len ? project : STR(""));
	db_bind_number(rows, 2, RECENT_RUNS);
	while (ret->count < RECENT_MODELS && (status = db_step(db, rows, err)) == 1) {
		struct trend_query model = { db_text(rows, 0, arena), db_text(rows, 1, arena), db_text(rows, 2, arena),
			0 };

		if (!has_model(ret, &model))
			ret->items[ret->count++] = model;
	}
	db_stop(rows);
	return status < 0 ? status : 0;
}

int store_recent_models(
	struct store *store, struct str project, struct arena *arena, struct recent_models *ret, struct err *err)
{
	int status;

	*ret = (struct recent_models){ 0 };
	pthread_mutex_lock(&store->reader.lock);
	status = read_recent_models(&store->reader, project, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}

/* --- demand; hold the lock */

static int read_demand(
	struct db *db, const struct demand_query *query, struct arena *arena, struct demand_list *ret, struct err *err)
{
	static const struct demand first = { .runs = INT64_MAX, .share_ppm = INT64_MAX };
	const struct demand *after = query->after ? query->after : &first;
	const struct str *const keys[] = { &after->target, &after->op, &after->status };
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_DEMAND);
	int status;

	*ret = (struct demand_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	db_bind_text(rows, 1, query->project.len ? query->project : STR(""));
	db_bind_text(rows, 2, query->target.len ? query->target : STR(""));
	db_bind_number(rows, 3, query->max + 1);
	db_bind_number(rows, 4, after->runs);
	db_bind_number(rows, 5, after->share_ppm);
	for (int i = 0; i < (int)ARRAY_SIZE(keys); i++)
		db_bind_text(rows, 6 + i, keys[i]->len ? *keys[i] : STR(""));
	while ((status = db_step(db, rows, err)) == 1 && ret->count < query->max)
		ret->items[ret->count++] = (struct demand){ db_text(rows, 0, arena), db_text(rows, 1, arena),
			db_text(rows, 2, arena), db_number(rows, 3), db_number(rows, 4), (int64_t)db_number(rows, 5),
			db_number(rows, 6) };
	ret->more = status == 1;
	db_stop(rows);
	return status < 0 ? status : 0;
}

int store_list_demand(struct store *store, const struct demand_query *query, struct arena *arena,
	struct demand_list *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = read_demand(&store->reader, query, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}
