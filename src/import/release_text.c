#include "import/release_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/value/date.h"
#include "base/value/utf8.h"
#include "base/value/version.h"
#include "base/view/ascii.h"

enum { SUPPORT_KEYS = 3 };

enum text_file_number { TEXT_RELEASES, TEXT_VERSIONS, TEXT_SOURCES, TEXT_TORCH, TEXT_SUPPORT, TEXT_FILES };

static const char *const files[TARGET_COUNT][TEXT_FILES + 1] = {
	[TARGET_NPU] = { "npu/releases.tsv", "npu/versions.tsv", "sources.tsv", "torch/versions.tsv",
		"npu/support.tsv" },
	[TARGET_MUSA] = { "musa/releases.tsv", "", "sources.tsv", "torch/versions.tsv", "musa/support.tsv" },
};

/* --- reading */

static int read_tables(struct release_text *text, struct err *err)
{
	struct table *const tables[] = { &text->releases, &text->versions, &text->sources, &text->torch };
	const char *const *names = files[text->target];
	int code = 0;

	for (unsigned i = 0; i < TEXT_FILES && !code; i++) {
		if (!names[i][0])
			continue;
		code = text_file_load(text->options->opdb_dir, names[i], &text->arena, &text->files[i], err);
		if (code)
			return code;
		if (i == TEXT_SUPPORT)
			return fact_rows_read(&text->support, &text->files[i], SUPPORT_KEYS, &text->axis, err);
		code = table_read(tables[i], &text->files[i], err);
		for (size_t row = 0; row < text->releases.count && i == TEXT_RELEASES && !code; row++) {
			if (!axis_add(&text->axis, text->releases.items[row].cells[0]))
				code = err_set(err, ERR_FACT, "%s has \"%.*s\" twice", names[i],
					STR_ARG(text->releases.items[row].cells[0]));
		}
	}
	return code;
}

int release_text_open(
	struct release_text *text, enum target_kind target, const struct import_options *options, struct err *err)
{
	*text = (struct release_text){ .target = target, .options = options, .arena = ARENA_INIT(ARENA_UNLIMITED) };
	return read_tables(text, err);
}

void release_text_clear(struct release_text *text)
{
	table_clear(&text->releases);
	table_clear(&text->versions);
	table_clear(&text->sources);
	table_clear(&text->torch);
	axis_clear(&text->axis);
	fact_rows_clear(&text->support);
	span_tables_clear(&text->others);
	free(text->old.items);
	free(text->rows.items);
	map_clear(&text->old.map);
	map_clear(&text->rows.map);
	arena_clear(&text->arena);
}

/* --- rows */

static uint64_t hash_key(struct str ns, struct str op, struct str key)
{
	return hash_str(hash_str(hash_str(hash_seed(), ns), op), key);
}

struct listed *listed_find(const struct listed_rows *rows, struct str ns, struct str op, struct str key)
{
	struct map_cursor at = map_start(&rows->map, hash_key(ns, op, key));

	while (map_next(&rows->map, &at)) {
		const struct str *cells = rows->items[at.index].cells;

		if (str_eq(cells[0], ns) && str_eq(cells[1], op) && str_eq(cells[2], key))
			return &rows->items[at.index];
	}
	return NULL;
}

static struct listed *listed_like(const struct listed_rows *rows, const struct listed *row)
{
	return listed_find(rows, row->cells[0], row->cells[1], row->cells[2]);
}

static struct listed *listed_add(struct listed_rows *rows, struct listed row)
{
	map_add(&rows->map, hash_key(row.cells[0], row.cells[1], row.cells[2]), (uint32_t)rows->count);
	MEM_PUSH(rows, row);
	return &rows->items[rows->count - 1];
}

struct listed *release_text_add(struct release_text *text, struct str ns, struct str op, struct str key)
{
	struct listed row = { 0 };

	row.cells = arena_alloc(&text->arena, text->support.width * sizeof(row.cells[0]));
	row.cells[0] = arena_keep(&text->arena, ns);
	row.cells[1] = arena_keep(&text->arena, op);
	row.cells[2] = arena_keep(&text->arena, key);
	return listed_add(&text->rows, row);
}

void listed_set(struct release_text *text, struct listed *listed, const char *column, struct str value)
{
	listed->cells[column_at(text->support.columns, column)] = arena_keep(&text->arena, value);
}

static void collect_old(struct release_text *text)
{
	for (size_t i = 0; i < text->support.count; i++) {
		if (fact_row_holds(&text->support.items[i], text->place))
			listed_add(&text->old, (struct listed){ .cells = text->support.items[i].cells });
	}
	fact_rows_remove(&text->support, text->place);
}

/* --- the release */

struct str *release_text_field(struct release_text *text, const char *column)
{
	return table_cell(&text->releases, text->place, column);
}

/* The order of releases that opdb/README.md describes. musa: by PyTorch, then by date. */
static int release_cmp(struct release_text *text, const struct release_name *name, struct str date, size_t row)
{
	bool master = str_eq(name->name, STR("master")),
	     other_master = str_eq(text->releases.items[row].cells[0], STR("master"));
	bool head = str_eq(name->kind, STR("dev")),
	     other_head = str_eq(*table_cell(&text->releases, row, "kind"), STR("dev"));
	int order = master - other_master;

	if (!order)
		order = version_cmp(name->torch, *table_cell(&text->releases, row, "torch"));
	if (!order && text->target == TARGET_MUSA)
		return str_cmp(date, *table_cell(&text->releases, row, "date"));
	if (!order)
		order = head - other_head;
	return order ? order : version_cmp(name->plugin, *table_cell(&text->releases, row, "plugin"));
}

static struct str today(struct arena *arena)
{
	char date[DATE_BYTES];

	date_today(date);
	return arena_keep(arena, str_from(date));
}

static bool is_hex(struct str text)
{
	return ALL(i, text.len, is_digit(text.ptr[i]) || (text.ptr[i] >= 'a' && text.ptr[i] <= 'f')) && text.len <= 64;
}

static int check_options(struct release_text *text, struct release_name name, struct err *err)
{
	const struct import_options *options = text->options;

	if (table_find(&text->torch, "version", name.torch) == TABLE_NONE) {
		err_set(err, ERR_VALUE, "PyTorch '%s' has no universe in the fact text", shown(name.torch).text);
		return err_hint(err, "`python3 opdb/extract/facts.py torch` adds it, in the sources of opcheck");
	}
	if (options->date.len && !date_has_shape(options->date))
		return err_set(err, ERR_VALUE, "'%s' is not a date (YYYY-MM-DD)", shown(options->date).text);
	if (!is_hex(options->commit))
		return err_set(err, ERR_VALUE, "a commit is written in the digits 0-9 and a-f");
	return 0;
}

static int insert_release(struct release_text *text, struct str date, struct err *err)
{
	const struct release_name *name = &text->name;
	size_t row = 0;
	int code;

	if (text->releases.count == TIMELINE_PLACES)
		return err_set(err, ERR_LIMIT, "more than %d releases", TIMELINE_PLACES);
	code = span_tables_read(&text->others,
		&(struct span_folder){
			text->options->opdb_dir, target_kind_name(text->target).ptr, "releases", files[text->target] },
		&text->axis, &text->arena, err);
	if (code)
		return code;
	while (row < text->releases.count && release_cmp(text, name, date, row) >= 0)
		row++;
	text->place = (unsigned)row;
	text->is_new = true;
	table_insert(&text->releases, row, &text->arena);
	fact_rows_shift(&text->support, text->place);
	span_tables_shift(&text->others, text->place);
	axis_clear(&text->axis);
	text->releases.items[row].cells[0] = name->name;
	for (size_t i = 0; i < text->releases.count; i++)
		axis_add(&text->axis, text->releases.items[i].cells[0]);
	return 0;
}

static void fill_release(struct release_text *text, struct str date)
{
	const struct import_options *options = text->options;

	if (text->is_new) {
		*release_text_field(text, "ref") = text->name.ref;
		*release_text_field(text, "torch") = text->name.torch;
		*release_text_field(text, "plugin") = text->name.plugin;
		*release_text_field(text, "kind") = text->name.kind;
	}
	if (text->is_new || options->date.len)
		*release_text_field(text, "date") = date;
	if (options->commit.len)
		*release_text_field(text, "commit") = options->commit;
}

int release_text_begin(struct release_text *text, struct release_name name, struct err *err)
{
	struct str date = text->options->date.len ? text->options->date : today(&text->arena);
	int code = check_options(text, name, err);
	bool known = axis_find(&text->axis, name.name, &text->place);

	text->name = name;
	if (!code && known && !text->options->force) {
		err_set(err, ERR_EXISTS, "the fact text has %.*s %s already", STR_ARG(target_kind_name(text->target)),
			shown(name.name).text);
		return err_hint(err, "give --force to replace what its lists say");
	}
	if (!code && known && !str_eq(*release_text_field(text, "torch"), name.torch))
		code = err_set(err, ERR_VALUE, "%s is a release for PyTorch %s, not %s", shown(name.name).text,
			shown(*release_text_field(text, "torch")).text, shown(name.torch).text);
	if (!code && !known)
		code = insert_release(text, date, err);
	if (code)
		return code;
	fill_release(text, date);
	collect_old(text);
	return 0;
}

/* --- writing */

struct difference {
	size_t added, removed, changed;
};

static struct difference compare_texts(struct release_text *text)
{
	struct difference difference = { 0 };

	for (size_t i = 0; i < text->rows.count; i++) {
		const struct listed *row = &text->rows.items[i];
		const struct listed *old = listed_like(&text->old, row);
		bool same = old != NULL;

		for (size_t cell = 0; old && cell < text->support.width; cell++)
			same = same && str_eq(row->cells[cell], old->cells[cell]);
		difference.added += !old;
		difference.changed += old && !same;
	}
	for (size_t i = 0; i < text->old.count; i++)
		difference.removed += !listed_like(&text->rows, &text->old.items[i]);
	return difference;
}

static size_t count_rows(struct release_text *text)
{
	struct str key = *release_text_field(text, "key");
	size_t dense = 0;

	for (size_t i = 0; i < text->rows.count; i++) {
		const struct listed *row = &text->rows.items[i];

		fact_rows_add(&text->support, row->cells, text->place);
		dense += str_eq(row->cells[0], STR("aten")) && str_eq(row->cells[2], key);
	}
	*release_text_field(text, "rows") = arena_printf(&text->arena, "%zu", text->rows.count);
	*release_text_field(text, "dense_rows") = arena_printf(&text->arena, "%zu", dense);
	return dense;
}

static struct buf *add_change(struct changes *changes, const struct release_text *text, enum text_file_number file)
{
	return changes_add(changes, files[text->target][file], text->files[file].text);
}

int release_text_end(struct release_text *text, struct buf *report, struct err *err)
{
	struct difference difference = compare_texts(text);
	size_t dense = count_rows(text);
	struct changes changes = { 0 };
	int code;

	fact_rows_write(&text->support, &text->axis, add_change(&changes, text, TEXT_SUPPORT));
	if (files[text->target][TEXT_VERSIONS][0])
		table_write(&text->versions, add_change(&changes, text, TEXT_VERSIONS));
	span_tables_write(&text->others, &text->axis, &changes);
	table_write(&text->sources, add_change(&changes, text, TEXT_SOURCES));
	table_write(&text->releases, add_change(&changes, text, TEXT_RELEASES));
	code = changes_write(&changes, text->options->opdb_dir, err);
	changes_clear(&changes);
	if (!code)
		buf_printf(report,
			"%.*s@%.*s: %zu registrations, %zu of them dense\n%zu added, %zu removed, %zu changed\n",
			STR_ARG(target_kind_name(text->target)), STR_ARG(text->name.name), text->rows.count, dense,
			difference.added, difference.removed, difference.changed);
	return code;
}
