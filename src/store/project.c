#include "store/project.h"

#include <time.h>

#include "store/db.h"

/* Hold the lock. */
static int find_waivers(
	struct db *db, struct str project, struct arena *arena, struct project_waivers *ret, struct err *err)
{
	struct sqlite3_stmt *row = db_statement(db, STATEMENT_PROJECT_WAIVERS);
	struct sha256 *sha = sha256_new();
	int status;

	db_bind_text(row, 1, project);
	status = db_step(db, row, err);
	ret->text = status == 1 ? db_text(row, 0, arena) : STR("");
	db_stop(row);
	sha256_add(sha, ret->text);
	sha256_end(sha, ret->sha256);
	return status < 0 ? status : 0;
}

int store_project_waivers(
	struct store *store, struct str project, struct arena *arena, struct project_waivers *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = find_waivers(&store->reader, project, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}

static int set_waivers(struct db *db, const struct waivers_change *change, struct err *err)
{
	struct sqlite3_stmt *set = db_statement(db, STATEMENT_SET_PROJECT_WAIVERS);
	char now[RECORD_TIME_BYTES];
	int status;

	record_time((uint64_t)time(NULL), now);
	db_bind_text(set, 1, change->project);
	db_bind_text(set, 2, str_from(now));
	db_bind_text(set, 3, change->text);
	status = db_step(db, set, err);
	return status < 0 ? status : 1;
}

int store_set_project_waivers(struct store *store, const struct waivers_change *change, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct project_waivers waivers;
	int status;

	pthread_mutex_lock(&store->writer.lock);
	status = find_waivers(&store->writer, change->project, &arena, &waivers, err);
	if (!status && str_eq(str_from(waivers.sha256), change->before))
		status = set_waivers(&store->writer, change, err);
	pthread_mutex_unlock(&store->writer.lock);
	arena_clear(&arena);
	return status;
}

/* Hold the lock. */
static int read_uses(
	struct db *db, const struct use_query *query, struct arena *arena, struct use_list *ret, struct err *err)
{
	struct sqlite3_stmt *rows = db_statement(db, STATEMENT_USES);
	int status;

	*ret = (struct use_list){ .items = arena_alloc(arena, (query->max + 1) * sizeof(ret->items[0])) };
	db_bind_text(rows, 1, query->project.len ? query->project : STR(""));
	db_bind_number(rows, 2, query->max);
	while ((status = db_step(db, rows, err)) == 1)
		ret->items[ret->count++] = (struct operator_use){ db_text(rows, 0, arena), db_number(rows, 1) };
	return status;
}

int store_list_uses(
	struct store *store, const struct use_query *query, struct arena *arena, struct use_list *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->reader.lock);
	status = read_uses(&store->reader, query, arena, ret, err);
	pthread_mutex_unlock(&store->reader.lock);
	return status;
}
