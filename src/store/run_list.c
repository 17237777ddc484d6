#include "store/run_list.h"

#include "base/memory/mem.h"
#include "store/db.h"
#include "store/pool.h"
#include "store/rows.h"

enum { SEARCH, TAG, MODEL, BRANCH, VERDICT, PROJECT, FILTERS };

/* The leading condition decides the table and the order of rows; others filter row by row. */
static const struct run_filter {
	const char *from, *order, *leads, *follows; /* follows NULL: as it leads, with its index hidden from SQLite */
} filters[FILTERS] = {
	[SEARCH] = { "run_text CROSS JOIN run", "run_text.rowid", "run.number = run_text.rowid AND run_text MATCH ?",
		"+run.number IN (SELECT rowid FROM run_text WHERE run_text MATCH ?)" },
	[TAG] = { "run_tag CROSS JOIN run", "run_tag.run", "run.number = run_tag.run AND run_tag.tag = ?",
		"EXISTS (SELECT 1 FROM run_tag WHERE tag = ? AND run = run.number)" },
	[MODEL] = { "run", "run.number", "run.model = ?" },
	[BRANCH] = { "run", "run.number", "run.branch = ?" },
	[VERDICT] = { "run", "run.number", "run.verdict = ?" },
	[PROJECT] = { "run", "run.number", "run.project = ?" },
}, postgresql_search = { "run_text CROSS JOIN run", "run_text.rowid",
	"run.number = run_text.rowid AND run_text.text ILIKE ?",
	"run.number IN (SELECT rowid FROM run_text WHERE text ILIKE ?)" };

static const struct run_filter *filter_of(enum dialect dialect, size_t filter)
{
	return filter == SEARCH && dialect == DIALECT_POSTGRESQL ? &postgresql_search : &filters[filter];
}

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

static void put_filters(
	struct buf *sql, const struct run_query *query, enum dialect dialect, const struct run_filter *leader)
{
	for (size_t i = 0; i < FILTERS; i++) {
		const struct run_filter *filter = filter_of(dialect, i);

		if (!wanted(query, i).len)
			continue;
		if (filter == leader)
			buf_printf(sql, " AND %s", filter->leads);
		else if (filter->follows)
			buf_printf(sql, " AND %s", filter->follows);
		else
			buf_printf(sql, " AND %s%s", dialect == DIALECT_SQLITE ? "+" : "", filter->leads);
	}
}

/* Rows of the rollup have "" for any model, branch or tag. */
static void put_total(struct buf *sql, const struct run_query *query)
{
	static const char *const columns[FILTERS] = {
		[TAG] = "tag", [MODEL] = "model", [BRANCH] = "branch", [VERDICT] = "verdict", [PROJECT] = "project"
	};

	buf_add(sql, STR("SELECT CAST(coalesce(sum(runs), 0) AS BIGINT) AS number FROM run_total_now WHERE 1 = 1"));
	for (size_t i = TAG; i < FILTERS; i++) {
		if (wanted(query, i).len)
			buf_printf(sql, " AND %s = ?", columns[i]);
		else if (i < VERDICT)
			buf_printf(sql, " AND %s = ''", columns[i]);
	}
}

void run_put_query(struct buf *sql, const struct run_query *query, enum dialect dialect, bool count)
{
	static const struct run_filter all = { "run", "run.number", NULL, NULL };
	static const char *const words[] = {
		[RUN_MODEL] = "run.model", [RUN_BRANCH] = "run.branch", [RUN_VERDICT] = "run.verdict"
	};
	const struct run_filter *leader = &all;
	const char *direction = query->ascending ? "" : " DESC", *side = query->ascending ? ">" : "<";

	for (size_t i = query->order && !count ? 0 : FILTERS; i-- > 0;) /* an order has an index that leads */
		leader = wanted(query, i).len ? filter_of(dialect, i) : leader;
	if (count && dialect == DIALECT_POSTGRESQL && !query->search.len) {
		put_total(sql, query);
		return;
	}
	if (count) /* hits of a search are looked at one by one */
		buf_printf(sql, "SELECT count(*) AS number FROM (SELECT 1 FROM %s WHERE 1 = 1", leader->from);
	else if (dialect == DIALECT_POSTGRESQL) /* the page first, then its assessments */
		buf_printf(sql, "SELECT " RUN_COLUMNS " FROM (SELECT run.* FROM %s WHERE 1 = 1", leader->from);
	else
		buf_printf(sql,
			"SELECT " RUN_COLUMNS " FROM %s CROSS JOIN assessment WHERE assessment.number = run.assessment",
			leader->from);
	put_filters(sql, query, dialect, leader);
	if (count && query->search.len)
		buf_printf(sql, " LIMIT %d", RUN_SEARCH_TOTAL + 1);
	if (count) {
		buf_add(sql, STR(") AS found"));
		return;
	}
	if (!query->order)
		buf_printf(sql, " AND %s %s ? ORDER BY %s%s", leader->order, side, leader->order, direction);
	if (query->order && query->after.ptr)
		buf_printf(sql, " AND (%s, run.number) %s (?, ?)", words[query->order], side);
	if (query->order)
		buf_printf(sql, " ORDER BY %s%s, run.number%s", words[query->order], direction, direction);
	buf_add(sql, STR(" LIMIT ?"));
	if (dialect != DIALECT_POSTGRESQL)
		return;
	buf_add(sql, STR(") AS run JOIN assessment ON assessment.number = run.assessment ORDER BY "));
	if (query->order)
		buf_printf(sql, "%s%s, ", words[query->order], direction);
	buf_printf(sql, "run.number%s", direction);
}

/* Quotes the words for FTS5 as a phrase, for PostgreSQL as a pattern of LIKE. */
static struct str search_phrase(struct str search, enum dialect dialect, struct arena *arena)
{
	CLEANUP(buf_clear) struct buf phrase = BUF_UNLIMITED;
	bool is_pattern = dialect == DIALECT_POSTGRESQL;

	buf_byte(&phrase, is_pattern ? '%' : '"');
	for (size_t i = 0; i < search.len; i++) {
		if (is_pattern && strchr("%_\\", search.ptr[i]))
			buf_byte(&phrase, '\\');
		if (!is_pattern && search.ptr[i] == '"')
			buf_byte(&phrase, '"');
		buf_byte(&phrase, search.ptr[i]);
	}
	buf_byte(&phrase, is_pattern ? '%' : '"');
	return arena_keep(arena, buf_str(&phrase));
}

/* Values of the filters that are wanted, and room for three more. */
struct query_values {
	struct db_value items[FILTERS + 4];
	size_t count;
};

static struct query_values filter_values(const struct run_query *query, enum dialect dialect, struct arena *arena)
{
	struct query_values ret = { 0 };

	for (size_t i = 0; i < FILTERS; i++) {
		struct str value = wanted(query, i);

		if (value.len)
			ret.items[ret.count++] = TEXT(i == SEARCH ? search_phrase(value, dialect, arena) : value);
	}
	return ret;
}

static int count_runs(
	struct db *db, const struct run_query *query, struct arena *arena, struct run_list *ret, struct err *err)
{
	enum dialect dialect = engine_dialect(db->engine);
	const struct query_values values = filter_values(query, dialect, arena);
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;
	CLEANUP(rows_free) struct rows *row = NULL;
	struct number_row count = { 0 };
	int status;

	run_put_query(&sql, query, dialect, true);
	row = engine_query(db->engine, buf_text(&sql), &number_row, values.items);
	status = rows_one(row, NULL, &count, err);
	ret->total = count.number;
	ret->more_than_total = query->search.len && ret->total > RUN_SEARCH_TOTAL;
	ret->total -= ret->more_than_total;
	return status < 0 ? status : 0;
}

/* One row more than asked for shows whether there are more. */
static int read_page(
	struct db *db, const struct run_query *query, struct arena *arena, struct run_list *ret, struct err *err)
{
	const struct list_page *page = &query->page;
	enum dialect dialect = engine_dialect(db->engine);
	struct query_values values = filter_values(query, dialect, arena);
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;
	CLEANUP(rows_free) struct rows *rows = NULL;
	int status;

	if (query->order && query->after.ptr)
		values.items[values.count++] = TEXT(query->after);
	if (!query->order || query->after.ptr)
		values.items[values.count++] = INTEGER(page->before || query->ascending ? page->before : INT64_MAX);
	values.items[values.count++] = INTEGER(page->max + 1);
	run_put_query(&sql, query, dialect, false);
	rows = engine_query(db->engine, buf_text(&sql), &run_row, values.items);
	while ((status = rows_step(rows, err)) == 1 && ret->count < page->max)
		rows_read(rows, arena, &ret->items[ret->count++]);
	ret->more = status == 1;
	return status < 0 ? status : 0;
}

/* Read before the snapshot: runs with lower numbers than later ones may still come. */
static int read_settled(struct store *store, uint64_t *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_reader(store);
	int status = db_find_number(db, STATEMENT_SETTLED, BIND_NOTHING, ret, err);

	return status < 0 ? status : 0;
}

/* A list that goes up ends there. */
static void cut_unsettled(struct run_list *list, uint64_t settled)
{
	while (list->count && list->items[list->count - 1].number > settled) {
		list->count--;
		list->more = false;
	}
}

int store_list_runs(
	struct store *store, const struct run_query *query, struct arena *arena, struct run_list *ret, struct err *err)
{
	uint64_t settled = INT64_MAX;
	int status = query->ascending && !query->order ? read_settled(store, &settled, err) : 0;
	CLEANUP(db_snapshot_end) struct db *db = db_snapshot(store);

	*ret = (struct run_list){ .items = arena_alloc(arena, (query->page.max + 1) * sizeof(ret->items[0])) };
	if (!status)
		status = read_page(db, query, arena, ret, err);
	cut_unsettled(ret, settled);
	if (!status)
		status = run_list_read_verdicts(db, arena, ret, err);
	return status ? status : count_runs(db, query, arena, ret, err);
}
