#include "store/run_list.h"

#include <sqlite3.h>

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"
#include "store/rows.h"

enum { SEARCH, TAG, MODEL, BRANCH, VERDICT, PROJECT, FILTERS };

/* The leading condition decides the table and the order of rows; others filter row by row, where the plus hides
   their index. */
static const struct run_filter {
	const char *from, *order, *leads, *follows;
} filters[FILTERS] = {
	[SEARCH] = { "run_text CROSS JOIN run ON run.number = run_text.rowid", "run_text.rowid", "run_text MATCH ?",
		"+run.number IN (SELECT rowid FROM run_text WHERE run_text MATCH ?)" },
	[TAG] = { "run_tag CROSS JOIN run ON run.number = run_tag.run", "run_tag.run", "run_tag.tag = ?",
		"EXISTS (SELECT 1 FROM run_tag WHERE tag = ? AND run = run.number)" },
	[MODEL] = { "run", "run.number", "run.model = ?", "+run.model = ?" },
	[BRANCH] = { "run", "run.number", "run.branch = ?", "+run.branch = ?" },
	[VERDICT] = { "run", "run.number", "run.verdict = ?", "+run.verdict = ?" },
	[PROJECT] = { "run", "run.number", "run.project = ?", "+run.project = ?" },
};

static struct str wanted(const struct run_query *query, size_t filter)
{
	const struct str values[FILTERS] = { [SEARCH] = query->search,
		[TAG] = query->tag,
		[MODEL] = query->model,
		[BRANCH] = query->branch,
		[VERDICT] = query->verdict,
		[PROJECT] = query->page.project };

	return values[filter];
}

void run_put_query(struct buf *sql, const struct run_query *query, bool count)
{
	static const struct run_filter all = { "run", "run.number", NULL, NULL };
	static const char *const words[] = {
		[RUN_MODEL] = "run.model", [RUN_BRANCH] = "run.branch", [RUN_VERDICT] = "run.verdict"
	};
	const struct run_filter *leader = &all;
	const char *direction = query->ascending ? "" : " DESC", *joint = " WHERE ";

	for (size_t i = query->order && !count ? 0 : FILTERS; i-- > 0;) /* an order has an index that leads */
		leader = wanted(query, i).len ? &filters[i] : leader;
	buf_printf(sql, "SELECT %s FROM %s", count ? "count(*)" : RUN_COLUMNS, leader->from);
	if (!count)
		buf_add(sql, STR(" CROSS JOIN assessment ON assessment.number = run.assessment"));
	for (size_t i = 0; i < FILTERS; i++) {
		if (!wanted(query, i).len)
			continue;
		buf_printf(sql, "%s%s", joint, leader == &filters[i] ? filters[i].leads : filters[i].follows);
		joint = " AND ";
	}
	if (count)
		return;
	if (query->order) {
		const char *word = words[query->order];

		buf_printf(sql, "%s(%s, run.number) %s (?, ?) ORDER BY %s%s, run.number%s LIMIT ?", joint, word,
			query->ascending ? ">" : "<", word, direction, direction);
	} else {
		buf_printf(sql, "%s%s %s ? ORDER BY %s%s LIMIT ?", joint, leader->order, query->ascending ? ">" : "<",
			leader->order, direction);
	}
}

/* As a phrase of FTS5. */
static struct str search_phrase(struct str search, struct arena *arena)
{
	CLEANUP(buf_clear) struct buf phrase = BUF_UNLIMITED;

	buf_byte(&phrase, '"');
	for (size_t i = 0; i < search.len; i++)
		buf_printf(&phrase, search.ptr[i] == '"' ? "\"\"" : "%c", search.ptr[i]);
	buf_byte(&phrase, '"');
	return arena_keep(arena, buf_str(&phrase));
}

/* Values of the filters that are wanted, and room for three more. */
struct query_values {
	struct db_value items[FILTERS + 4];
	size_t count;
};

static struct query_values filter_values(const struct run_query *query, struct arena *arena)
{
	struct query_values ret = { 0 };

	for (size_t i = 0; i < FILTERS; i++) {
		struct str value = wanted(query, i);

		if (value.len)
			ret.items[ret.count++] = TEXT(i == SEARCH ? search_phrase(value, arena) : value);
	}
	return ret;
}

static int start_query(
	struct db *db, const struct run_query *query, const struct query_values *values, bool count, sqlite3_stmt **ret)
{
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;
	int result;

	run_put_query(&sql, query, count);
	result = sqlite3_prepare_v2(db->sqlite, buf_text(&sql), -1, ret, NULL);
	if (!result)
		db_bind_values(*ret, values->items);
	return result;
}

static int count_runs(struct db *db, const struct run_query *query, struct arena *arena, uint64_t *ret, struct err *err)
{
	const struct query_values values = filter_values(query, arena);
	sqlite3_stmt *row = NULL;
	int status;

	if (start_query(db, query, &values, true, &row))
		return db_error(db, err);
	status = db_step(db, row, err);
	if (status == 1)
		*ret = (uint64_t)sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return status < 0 ? status : 0;
}

/* One row more than asked for shows whether there are more. */
static int read_page(
	struct db *db, const struct run_query *query, struct arena *arena, struct run_list *ret, struct err *err)
{
	const struct list_page *page = &query->page;
	struct query_values values = filter_values(query, arena);
	struct row_columns columns;
	sqlite3_stmt *rows = NULL;
	int status;

	if (query->order && !query->after.ptr && !query->ascending)
		values.items[values.count++] = BYTES(STR("")); /* is behind every text */
	else if (query->order)
		values.items[values.count++] = TEXT(query->after);
	values.items[values.count++] = INTEGER(page->before || query->ascending ? page->before : INT64_MAX);
	values.items[values.count++] = INTEGER(page->max + 1);
	if (start_query(db, query, &values, false, &rows))
		return db_error(db, err);
	status = row_match(rows, &run_row, &columns, err);
	if (!status) {
		while ((status = db_step(db, rows, err)) == 1 && ret->count < page->max)
			row_read(rows, &run_row, &columns, arena, &ret->items[ret->count++]);
	}
	ret->more = status == 1;
	sqlite3_finalize(rows);
	return status < 0 ? status : 0;
}

int store_list_runs(
	struct store *store, const struct run_query *query, struct arena *arena, struct run_list *ret, struct err *err)
{
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(store);
	int status;

	*ret = (struct run_list){ .items = arena_alloc(arena, (query->page.max + 1) * sizeof(ret->items[0])) };
	status = read_page(db, query, arena, ret, err);
	for (size_t i = 0; i < ret->count && !status; i++)
		status = record_read_verdicts(db, arena, &ret->items[i].record, err);
	return status ? status : count_runs(db, query, arena, &ret->total, err);
}
