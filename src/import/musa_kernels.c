/*
 * What kernels of torch_musa, collectives and packages take: the tables of opdb/extract/musa.py into tables of the fact
 * text of the same rows, with fewer columns.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "import/given.h"
#include "import/import.h"
#include "import/verdicts.h"
#include "opdb/build/table.h"
#include "opdb/text/fact_text.h"

enum { CELLS = 12, NO_COLUMN = -1 };

/* A table of the fact text and where its columns come from. */
struct copy {
	struct given_table given;
	const char *file;
	size_t keys;             /* the first cells that identify a fact */
	const char *releases;    /* the table of the names that the last cell has spans over; NULL: none */
	signed char from[CELLS]; /* by column without the spans: the given one, or NO_COLUMN for source */
	unsigned types;          /* bit i: column i is a list of types */
	unsigned last_of;        /* the same: the last of the versions that the given one lists */
	const char *source;
	bool (*keeps)(const struct str *cells); /* NULL: every row */
	bool by_api;                            /* the first cell is a name of Python's */
};

struct copying {
	const struct copy *copy;
	const char *dir;
	struct arena *arena;
	struct axis axis;
	struct table apis;
	struct fact_rows rows;
	struct changes changes;
};

/* --- cells */

/* The types of a list that PyTorch's tensors have; '*' stands for itself. */
static int rewrite_types(const struct given *given, struct arena *arena, struct str *cell, struct err *err)
{
	struct str rest = *cell, word = { 0 };
	unsigned types = 0;

	if (str_eq(*cell, STR("*")))
		return 0;
	while (rest.len && str_cut(&rest, ' ', &word)) {
		unsigned type = dtype_from(word);

		if (!type && !str_has(word, STR("qint")) && !str_has(word, STR("quint")))
			return given_error(given, err, "no data type is called \"%s\"", shown(word).text);
		types |= type;
	}
	*cell = dtypes_text(arena, types, " ");
	return 0;
}

/* "v2.2.0" of "v1.7.1 v2.0.0..v2.2.0". */
static struct str last_version(struct str versions)
{
	struct str last = str_tail(versions, ' ');
	size_t dots = str_find(last, STR(".."));

	return dots == STR_NONE ? last : str_skip(last, dots + 2);
}

/* A row about nothing but PyTorch's own kernel, or without any limit, says nothing that an answer could use. */
static bool limits_something(const struct str *cells)
{
	enum { TAKES = 2, REFUSES, OTHER, HOST };
	bool lists = cells[TAKES].len && !str_eq(cells[TAKES], STR("*"));

	return lists || cells[REFUSES].len || cells[HOST].len || str_has(cells[OTHER], STR("always throws")) ||
	       str_starts(cells[OTHER], STR("composed: "));
}

/* "linalg_svd" for "torch.linalg.svd": what the table of APIs says it is about, else its last part. */
static struct str op_of_api(const struct copying *copying, struct str api)
{
	ptrdiff_t row = table_find(&copying->apis, "api", api);
	struct str about = row == TABLE_NONE ? STR("") : *table_cell(&copying->apis, (size_t)row, "about");

	return about.len && !str_has(about, STR(" ")) ? about : str_tail(api, '.');
}

/* --- rows */

/* Adds the row at every release of its spans; at none without spans, which is place 0. */
static int add_row(struct copying *copying, const struct given *given, const struct str *cells, struct err *err)
{
	struct str rest = given->cells[given->count - 1], name = { 0 };
	enum span_result result;
	struct span span;

	if (!copying->copy->releases) {
		fact_rows_add(&copying->rows, cells, 0);
		return 0;
	}
	while ((result = axis_span(&copying->axis, &rest, &span, &name)) == SPAN_OK) {
		for (unsigned place = span.first; place <= span.last; place++)
			fact_rows_add(&copying->rows, cells, place);
	}
	return result == SPAN_END
		       ? 0
		       : given_error(given, err, "release \"%s\" is unknown or before the beginning of its span",
				 shown(name).text);
}

static int take_row(void *ctx, const struct given *given, struct err *err)
{
	struct copying *copying = ctx;
	const struct copy *copy = copying->copy;
	struct str cells[CELLS];
	int code = 0;

	for (size_t i = 0; i < copying->rows.width && !code; i++) {
		cells[i] = copy->from[i] == NO_COLUMN ? str_from(copy->source) : given->cells[(int)copy->from[i]];
		if (copy->types >> i & 1)
			code = rewrite_types(given, copying->arena, &cells[i], err);
		if (copy->last_of >> i & 1)
			cells[i] = last_version(cells[i]);
	}
	if (code)
		return code;
	if (copy->by_api)
		cells[0] = op_of_api(copying, cells[0]);
	return copy->keeps && !copy->keeps(cells) ? 0 : add_row(copying, given, cells, err);
}

#define LIMITS "op kernel argument takes refuses other host source releases"
#define COLLECTIVES "collective reduce_op dtypes supported note source releases"
#define PACKAGES "package op target since versions argument takes refuses how note test-skip source"

static const struct copy copies[] = {
	{ .given = { "musa_kernel_limits.tsv", LIMITS, take_row },
		.file = "musa/kernel_limits.tsv",
		.keys = 6,
		.releases = "musa/releases.tsv",
		.from = { 0, 2, 3, 4, 5, 6, 7, NO_COLUMN },
		.types = 1 << 2 | 1 << 3,
		.source = "musa-kernels",
		.keeps = limits_something },
	{ .given = { "musa_tested_types.tsv", "api test types source releases", take_row },
		.file = "musa/tested_types.tsv",
		.keys = 3,
		.releases = "musa/releases.tsv",
		.from = { 0, 2, 3, NO_COLUMN },
		.types = 1 << 1,
		.source = "musa-kernels",
		.by_api = true },
	{ .given = { "musa_collectives.tsv", COLLECTIVES, take_row },
		.file = "musa/collectives.tsv",
		.keys = 5,
		.releases = "musa/releases.tsv",
		.from = { 0, 1, 2, 3, 4, 5, NO_COLUMN },
		.types = 1 << 2,
		.source = "musa-kernels" },
	{ .given = { "hccl_collectives.tsv", COLLECTIVES, take_row },
		.file = "npu/collectives.tsv",
		.keys = 5,
		.releases = "npu/releases.tsv",
		.from = { 0, 1, 2, 3, 4, 5, NO_COLUMN },
		.types = 1 << 2,
		.source = "npu-collectives" },
	{ .given = { "package_ops.tsv", PACKAGES, take_row },
		.file = "package_ops.tsv",
		.keys = 12,
		.from = { 1, 2, 0, 5, 3, 4, 6, 7, 8, 9, 10, 11 },
		.types = 1 << 6 | 1 << 7 | 1 << 10,
		.last_of = 1 << 5 },
};

/* --- the fact text */

static int read_names(struct copying *copying, const char *file, struct err *err)
{
	struct table table = { 0 };
	int code = table_load(&table, copying->dir, file, copying->arena, err);

	for (size_t i = 0; i < table.count && !code; i++)
		axis_add(&copying->axis, table.items[i].cells[0]);
	table_clear(&table);
	return code;
}

/* The width of a table without its spans. */
static size_t width_of(struct str columns, bool spans)
{
	struct str name = { 0 };
	size_t width = 0;

	while (str_cut(&columns, ' ', &name))
		width++;
	return width - spans;
}

static int copy_table(struct copying *copying, const struct copy *copy, const char *tables, struct err *err)
{
	struct str columns = fact_table_columns(copy->file);
	int code = 0;

	copying->copy = copy;
	copying->rows = (struct fact_rows){ .name = str_from(copy->file),
		.columns = columns,
		.arena = copying->arena,
		.keys = copy->keys,
		.width = width_of(columns, copy->releases) };
	if (copy->releases)
		code = read_names(copying, copy->releases, err);
	if (!code && copy->by_api)
		code = table_load(&copying->apis, copying->dir, "torch/apis.tsv", copying->arena, err);
	if (!code)
		code = given_read(&copy->given, tables, copying->arena, copying, err);
	if (!code)
		fact_rows_write(&copying->rows, copy->releases ? &copying->axis : NULL,
			changes_add_any(&copying->changes, copying->dir, copy->file, copying->arena));
	fact_rows_clear(&copying->rows);
	table_clear(&copying->apis);
	axis_clear(&copying->axis);
	return code;
}

int import_musa_kernels(const struct import_options *options, const char *path, struct buf *report, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct copying copying = { .dir = options->opdb_dir, .arena = &arena };
	int code = 0;

	for (size_t i = 0; i < ARRAY_SIZE(copies) && !code; i++)
		code = copy_table(&copying, &copies[i], path, err);
	if (!code)
		code = changes_write(&copying.changes, options->opdb_dir, err);
	if (!code)
		changes_report(&copying.changes, report);
	changes_clear(&copying.changes);
	arena_clear(&arena);
	return code;
}
