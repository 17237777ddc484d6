#include "store/assessments.h"

#include <time.h>

#include "assess/compare/share_base.h"
#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"
#include "store/rows.h"

void stored_time(uint64_t seconds, char ret[STORED_TIME_BYTES])
{
	time_t time = (time_t)seconds;
	struct tm parts = { 0 };

	gmtime_r(&time, &parts);
	strftime(ret, STORED_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static bool base_of(const struct stored_assessment *record, struct share_base *ret)
{
	unsigned basis;

	if (!word_find(&basis_words, record->basis, &basis))
		return false;
	*ret = (struct share_base){ (enum basis)basis, record->shown_ppm };
	return true;
}

bool stored_shares_compare(const struct stored_assessment *before, const struct stored_assessment *after)
{
	struct share_base then, now;

	return !base_of(before, &then) || !base_of(after, &now) || share_bases_compare(then, now);
}

/* --- reading; hold the lock */

/* Its verdicts among those of all, which are ordered by their assessments. */
static void take_verdicts(
	struct stored_assessment *record, struct verdict_row *found, struct arena *arena, size_t count)
{
	size_t first = 0;

	while (first < count && found[first].assessment != record->number)
		first++;
	while (first + record->verdict_count < count &&
		found[first + record->verdict_count].assessment == record->number)
		record->verdict_count++;
	record->verdicts = arena_alloc(arena, (record->verdict_count + 1) * sizeof(record->verdicts[0]));
	for (size_t i = 0; i < record->verdict_count; i++)
		record->verdicts[i] = found[first + i].verdict;
}

int records_read_verdicts(
	struct db *db, struct arena *arena, struct stored_assessment *const *records, size_t count, struct err *err)
{
	uint64_t *numbers = arena_alloc(arena, (count + 1) * sizeof(numbers[0]));
	MEM_LIST(struct verdict_row) found = { 0 };
	struct rows *rows;
	int status = 0;

	for (size_t i = 0; i < count; i++) {
		numbers[i] = records[i]->number;
		records[i]->verdict_count = 0;
	}
	rows = db_bind(db, STATEMENT_VERDICTS, BIND(INTEGERS(numbers, count)));
	while (count && (status = rows_step(rows, err)) == 1) {
		struct verdict_row row;

		rows_read(rows, arena, &row);
		MEM_PUSH(&found, row);
	}
	for (size_t i = 0; i < count && !status; i++)
		take_verdicts(records[i], found.items, arena, found.count);
	free(found.items);
	return status;
}

static int read_all_verdicts(struct db *db, struct arena *arena, const struct stored_list *list, struct err *err)
{
	struct stored_assessment **records = arena_alloc(arena, (list->count + 1) * sizeof(struct stored_assessment *));

	for (size_t i = 0; i < list->count; i++)
		records[i] = &list->items[i];
	return records_read_verdicts(db, arena, records, list->count, err);
}

int stored_find(struct db *db, struct str id, struct arena *arena, struct stored_assessment *ret, struct err *err)
{
	struct stored_assessment found = { 0 };
	int status = rows_one(db_bind(db, STATEMENT_FIND, BIND(TEXT(id))), arena, &found, err);

	if (status != 1)
		return status;
	*ret = found;
	status = records_read_verdicts(db, arena, &ret, 1, err);
	return status ? status : 1;
}

int store_find(struct store *store, struct str id, struct arena *arena, struct stored_assessment *ret, struct err *err)
{
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(store);

	return stored_find(db, id, arena, ret, err);
}

int store_find_like(struct store *store, const struct id_like *like, struct arena *arena, struct stored_assessment *ret,
	struct err *err)
{
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(store);
	struct rows *rows = db_bind(
		db, STATEMENT_FIND_LIKE, BIND(TEXT(like->begin), TEXT(like->project), INTEGER(like->max)));
	int status, count = 0;

	while ((status = rows_step(rows, err)) == 1) {
		struct found_row found = { 0 };

		rows_read(rows, arena, &found);
		if (like->project.len)
			found.record.created_at = found.seen_at;
		ret[count++] = found.record;
	}
	if (!status)
		status = read_all_verdicts(
			db, arena, &(struct stored_list){ .items = ret, .count = (size_t)count }, err);
	return status ? status : count;
}

static size_t common_letters(struct str a, struct str b)
{
	size_t count = 0;

	while (count < a.len && count < b.len && a.ptr[count] == b.ptr[count])
		count++;
	return count;
}

int store_shortest(struct store *store, struct str id, size_t *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(store);
	struct neighbours_row neighbours = { 0 };
	int status = rows_one(db_bind(db, STATEMENT_NEIGHBOURS, BIND(TEXT(id))), &arena, &neighbours, err);
	size_t before, after;

	before = common_letters(id, neighbours.before) + 1;
	after = common_letters(id, neighbours.after) + 1;
	*ret = before > after ? before : after;
	*ret = *ret > ID_SHORTEST ? *ret : ID_SHORTEST;
	return status < 0 ? status : 0;
}

static int count_rows(struct db *db, struct str project, uint64_t *ret, struct err *err)
{
	enum statement which = project.len ? STATEMENT_COUNT_PROJECT : STATEMENT_COUNT_ALL;
	int status = db_find_number(db, which, BIND(TEXT(project)), ret, err);

	return status < 0 ? status : 0;
}

/* Counting looks at every row; those of all are counted again only when something has changed. */
static int count_all(struct store *store, struct db *db, uint64_t at, uint64_t *ret, struct err *err)
{
	int status;

	pthread_mutex_lock(&store->lock);
	*ret = store->total;
	status = store->counted_at == at;
	pthread_mutex_unlock(&store->lock);
	if (status)
		return 0;
	status = count_rows(db, STR(""), ret, err);
	if (status)
		return status;
	pthread_mutex_lock(&store->lock);
	store->total = *ret;
	store->counted_at = at;
	pthread_mutex_unlock(&store->lock);
	return 0;
}

/* One row more than asked for shows whether there are more. */
static int list_records(
	struct db *db, const struct list_page *page, struct arena *arena, struct stored_list *ret, struct err *err)
{
	enum statement which = page->project.len ? STATEMENT_LIST_PROJECT : STATEMENT_LIST;
	struct rows *rows = db_bind(db, which,
		BIND(TEXT(page->project), INTEGER(page->before ? page->before : INT64_MAX), INTEGER(page->max + 1)));
	struct found_row found = { 0 };
	int status;

	*ret = (struct stored_list){ .items = arena_alloc(arena, (page->max + 1) * sizeof(ret->items[0])) };
	while ((status = rows_step(rows, err)) == 1 && ret->count < page->max) {
		rows_read(rows, arena, &found);
		found.record.created_at = found.seen_at; /* by the project: another one's may be older */
		ret->items[ret->count++] = found.record;
	}
	ret->more = status == 1;
	status = db_finish(rows, status);
	return status ? status : read_all_verdicts(db, arena, ret, err);
}

int store_list(struct store *store, const struct list_page *page, struct arena *arena, struct stored_list *ret,
	struct err *err)
{
	uint64_t at = store_changes(store) + 1; /* of the snapshot, or before it: then it is counted once more */
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(store);
	int status = list_records(db, page, arena, ret, err);

	if (status)
		return status;
	return page->project.len ? count_rows(db, page->project, &ret->total, err)
				 : count_all(store, db, at, &ret->total, err);
}
