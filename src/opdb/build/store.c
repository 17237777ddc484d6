#include "opdb/build/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/value/words.h"
#include "base/view/ascii.h"

enum { PARAMETER_BYTES = 64 };

int build_output_error(const struct build *build, struct err *err)
{
	return err_set(err, ERR_OUTPUT, "cannot write the database: %s", sqlite3_errmsg(build->db));
}

void build_clear(struct build *build)
{
	for (size_t i = 0; i < NAMES_COUNT; i++)
		axis_clear(&build->names[i]);
	for (size_t i = 0; i < LINE_COUNT; i++)
		timeline_clear(&build->lines[i]);
	free(build->fallbacks.items);
	sqlite3_close(build->db);
}

struct str build_cell(const struct build *build, const struct tsv *tsv, const char *column)
{
	size_t at = STR_POSITION(build->columns, tsv->count, str_from(column));

	return at == STR_NONE ? STR("") : tsv->cells[at];
}

/* --- binding */

void build_bind(struct build *build, const char *parameter, int64_t value)
{
	sqlite3_bind_int64(build->insert, sqlite3_bind_parameter_index(build->insert, parameter), value);
}

int build_bind_cell(struct build *build, const char *column, int64_t value)
{
	char parameter[PARAMETER_BYTES];

	snprintf(parameter, sizeof(parameter), ":%s", column);
	build_bind(build, parameter, value);
	return 0;
}

void build_bind_text(struct build *build, const char *parameter, struct str value)
{
	sqlite3_bind_text(build->insert, sqlite3_bind_parameter_index(build->insert, parameter), value.ptr,
		(int)value.len, SQLITE_STATIC);
}

void build_bind_null(struct build *build, const char *parameter)
{
	sqlite3_bind_null(build->insert, sqlite3_bind_parameter_index(build->insert, parameter));
}

int build_bind_source(
	struct build *build, const struct tsv *tsv, const char *parameter, struct str name, struct err *err)
{
	unsigned place;

	if (!name.len) {
		build_bind_null(build, parameter);
		return 0;
	}
	if (!axis_find(&build->names[NAMES_SOURCES], name, &place))
		return tsv_error(tsv, err, "unknown source \"%.*s\"", STR_ARG(name));
	build_bind(build, parameter, (int64_t)place + 1);
	return 0;
}

void build_swap(struct build *build)
{
	struct sqlite3_stmt *insert = build->insert;

	build->insert = build->insert_part;
	build->insert_part = insert;
}

/* --- rows with spans */

/* Check a row's key against that of the row before; rows of one key are in the order of their spans. */
static int begin_key(struct build *build, const struct tsv *tsv, unsigned first, struct err *err)
{
	int order = 0;

	for (size_t i = 0; i < build->table->keys && !order; i++)
		order = str_cmp(tsv->cells[i], build->key[i]);
	if (order < 0 || (!order && first <= build->key_first))
		return tsv_error(tsv, err, "the row is out of order or there twice");
	if (order)
		memset(build->covered, 0, sizeof(build->covered));
	memcpy(build->key, tsv->cells, build->table->keys * sizeof(build->key[0]));
	build->key_first = first;
	return 0;
}

/* The enum dense_key of a dispatch key in aten, or 0. */
static unsigned dense_key(struct str ns, struct str key)
{
	if (!str_eq(ns, STR("aten")))
		return 0;
	return str_eq(key, STR("XLA")) ? DENSE_XLA : str_eq(key, STR("PrivateUse1")) ? DENSE_PRIVATEUSE1 : 0;
}

/* Stores the row for a span; no two rows of one key hold at one place. */
static int insert_span(struct build *build, const struct tsv *tsv, struct span span, struct err *err)
{
	const struct axis *axis = &build->lines[build->table->spans].axis;

	for (unsigned place = span.first; place <= span.last; place++) {
		if (build->covered[place])
			return tsv_error(
				tsv, err, "a row of the same key covers \"%.*s\" too", STR_ARG(axis->items[place]));
		build->covered[place] = true;
	}
	if (build->table->counted)
		timeline_count(&build->lines[build->table->spans], span,
			dense_key(build_cell(build, tsv, "ns"), build_cell(build, tsv, "key")));
	build_bind(build, ":first", span.first);
	build_bind(build, ":last", span.last);
	return build_insert(build, tsv, err);
}

/* Stores the row once for every span in its last cell. */
static int insert_spans(struct build *build, const struct tsv *tsv, struct err *err)
{
	const struct axis *axis = &build->lines[build->table->spans].axis;
	struct str rest = tsv->cells[tsv->count - 1], name = { 0 };
	enum span_result result;
	struct span span;
	bool begins = true;

	while ((result = axis_span(axis, &rest, &span, &name)) == SPAN_OK) {
		int code = begins ? begin_key(build, tsv, span.first, err) : 0;

		if (!code)
			code = insert_span(build, tsv, span, err);
		if (code)
			return code;
		begins = false;
	}
	if (result == SPAN_UNKNOWN)
		return tsv_error(tsv, err, "unknown release or version \"%.*s\" in the span", STR_ARG(name));
	if (result == SPAN_REVERSED)
		return tsv_error(tsv, err, "the span up to \"%.*s\" ends before it begins", STR_ARG(name));
	return 0;
}

/* --- rows */

int build_insert(struct build *build, const struct tsv *tsv, struct err *err)
{
	int result = sqlite3_step(build->insert);

	if (result != SQLITE_DONE && sqlite3_errcode(build->db) == SQLITE_CONSTRAINT)
		tsv_error(tsv, err, "%s", sqlite3_errmsg(build->db));
	else if (result != SQLITE_DONE)
		build_output_error(build, err);
	sqlite3_reset(build->insert);
	return result == SQLITE_DONE ? 0 : -err->code;
}

/* Gives the row's name its place in the list that the table is. */
static int add_place(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct timeline *timeline = &build->lines[build->table->lists];
	struct str rows = build_cell(build, tsv, "rows");
	struct announced announced = { .name = tsv->cells[0],
		.rows = rows.len ? rows : build_cell(build, tsv, "overloads"),
		.dense_rows = build_cell(build, tsv, "dense_rows"),
		.dense = str_eq(build_cell(build, tsv, "key"), STR("XLA")) ? DENSE_XLA : DENSE_PRIVATEUSE1 };
	int code = timeline_add(timeline, tsv, &announced, err);

	build_bind(build, ":place", (int64_t)timeline->count - 1);
	return code;
}

static int store_row(struct build *build, const struct tsv *tsv, struct err *err)
{
	const struct fact_table *table = build->table;
	char parameter[PARAMETER_BYTES];
	int code = 0;

	for (size_t i = 0; build->insert && i < tsv->count; i++) { /* a statement need not have every column */
		snprintf(parameter, sizeof(parameter), ":%.*s", STR_ARG(build->columns[i]));
		build_bind_text(build, parameter, tsv->cells[i]);
	}
	if (table->lists)
		code = add_place(build, tsv, err);
	if (!code && table->names) {
		struct axis *axis = &build->names[table->names];

		if (!axis_add(axis, tsv->cells[0]))
			return tsv_error(tsv, err, "\"%.*s\" exists already", STR_ARG(tsv->cells[0]));
		build_bind(build, ":id", (int64_t)axis->count);
	}
	for (size_t i = 0; i < tsv->count && !code; i++) {
		if (build->rules[i])
			code = build->rules[i]->check(build, tsv, build->rules[i]->column, err);
	}
	if (code)
		return code;
	if (table->store)
		return table->store(build, tsv, err);
	return table->spans ? insert_spans(build, tsv, err) : build_insert(build, tsv, err);
}

/* --- tables */

static int prepare_insert(struct build *build, const char *into, struct sqlite3_stmt **ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED, values = BUF_UNLIMITED;
	struct str words = str_from(into ? into : ""), word = { 0 }, column;

	*ret = NULL;
	str_cut(&words, ' ', &word);
	buf_printf(&sql, "INSERT INTO %.*s ", STR_ARG(word));
	for (char before = '('; str_cut(&words, ' ', &word); before = ',') {
		str_cut(&word, '=', &column);
		word = word.ptr ? word : column;
		buf_printf(&sql, "%c%.*s", before, STR_ARG(column));
		buf_printf(&values, is_lower(word.ptr[0]) ? "%c:%.*s" : "%c%.*s", before, STR_ARG(word));
	}
	buf_printf(&sql, ") VALUES %s)", buf_text(&values));
	return into && sqlite3_prepare_v2(build->db, buf_text(&sql), -1, ret, NULL) ? build_output_error(build, err)
										    : 0;
}

static const struct cell_rule *rule_for(const struct cell_rule *rules, struct str column)
{
	while (rules->column && !str_eq(column, str_from(rules->column)))
		rules++;
	return rules->column ? rules : NULL;
}

int build_table(struct build *build, const struct fact_table *table, struct str text, struct err *err)
{
	struct str columns = str_from(table->columns);
	struct tsv tsv;
	int code = tsv_open(&tsv, str_from(table->file), text, str_from(table->columns), err), more = 0;

	if (code)
		return code;
	build->table = table;
	for (size_t i = 0; i < TSV_COLUMNS && str_cut(&columns, ' ', &build->columns[i]); i++) {
		const struct cell_rule *own = rule_for(table->cells, build->columns[i]);

		build->rules[i] = own ? own : rule_for(build->usual_cells, build->columns[i]);
	}
	memset(build->key, 0, sizeof(build->key));
	build->insert_part = NULL;
	code = prepare_insert(build, table->into, &build->insert, err)
		       ?: prepare_insert(build, table->part, &build->insert_part, err);
	while (!code && (more = tsv_next(&tsv, err)) > 0)
		code = store_row(build, &tsv, err);
	sqlite3_finalize(build->insert);
	sqlite3_finalize(build->insert_part);
	if (code || more < 0)
		return code ? code : more;
	return table->counted ? timeline_check(&build->lines[table->spans], err) : 0;
}
