#include "opdb/build.h"

#include <sqlite3.h>

#include "base/buf.h"
#include "base/mem.h"
#include "opdb/fact_text.h"

#define RECIPES_FILE "recipes/recipes.tsv"
#define RECIPES_COLUMNS "recipe operators when npu musa effort torch static tolerance sources cost_en cost_zh en zh"

enum { NAME_BYTES = 64 };

/* A name is a part of a path: small letters, digits and hyphens alone. */
static bool is_name(struct str name)
{
	for (size_t i = 0; i < name.len; i++) {
		if (!is_digit(name.ptr[i]) && !(name.ptr[i] >= 'a' && name.ptr[i] <= 'z') && name.ptr[i] != '-')
			return false;
	}
	return name.len && name.len <= NAME_BYTES;
}

static void put_file_name(struct buf *ret, struct str name)
{
	buf_printf(ret, "recipes/%.*s.py", STR_ARG(name));
}

/* --- which files there are */

static int add_file(struct arena *arena, const struct tsv *tsv, struct str *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf file = BUF_INIT(2 * NAME_BYTES);

	if (!is_name(tsv->cells[0]))
		return tsv_error(
			tsv, err, "\"%.*s\" is no name of small letters, digits and hyphens", STR_ARG(tsv->cells[0]));
	put_file_name(&file, tsv->cells[0]);
	return arena_copy(arena, buf_str(&file), ret) ? 0 : err_set(err, ERR_LIMIT, "the fact text is too large");
}

int recipe_files(
	const char *text_dir, struct arena *arena, struct str *names, size_t max, size_t *count, struct err *err)
{
	struct str file = STR(RECIPES_FILE);
	struct fact_text text;
	struct tsv tsv;
	int more = fact_text_load(text_dir, &file, 1, arena, &text, err);

	if (!more)
		more = tsv_open(&tsv, file, text.files[0].text, STR(RECIPES_COLUMNS), err);
	if (more)
		return more;
	while ((more = tsv_next(&tsv, err)) > 0) {
		int code = *count < max ? add_file(arena, &tsv, &names[*count], err)
					: tsv_error(&tsv, err, "there are too many recipes");

		if (code)
			return code;
		++*count;
	}
	return more;
}

/* --- rows */

static bool is_known_word(struct str word)
{
	static const struct str words[] = { STR("off-device"), STR("shapes"), STR("dtype"), STR("always") };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (str_eq(words[i], word))
			return true;
	}
	return false;
}

static int check_words(const struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str rest = build_cell(build, tsv, "when"), sources = build_cell(build, tsv, "sources"), word = { 0 };
	struct str tolerance = build_cell(build, tsv, "tolerance");

	while (rest.len && str_cut(&rest, ' ', &word)) {
		if (!is_known_word(word))
			return tsv_error(
				tsv, err, "\"%.*s\" is none of off-device, shapes, dtype, always", STR_ARG(word));
	}
	while (!str_eq(sources, STR("general")) && str_cut(&sources, ' ', &word)) {
		if (!str_starts(word, STR("https://")))
			return tsv_error(
				tsv, err, "source \"%.*s\" is neither an https address nor general", STR_ARG(word));
	}
	if (!str_eq(tolerance, STR("exact")) && !is_digit(tolerance.ptr[0]))
		return tsv_error(tsv, err, "tolerance \"%.*s\" is neither a number nor exact", STR_ARG(tolerance));
	return 0;
}

static int insert_span(
	struct build *build, const struct tsv *tsv, const char *target, struct span span, struct err *err)
{
	build_bind(build, ":id", (int64_t)build->recipes.count);
	build_bind_text(build, ":target", str_from(target));
	build_bind(build, ":first", span.first);
	build_bind(build, ":last", span.last);
	return build_insert(build, tsv, err);
}

/* Stores where a recipe holds on one target: "*" on all releases, "" on none. */
static int add_spans(
	struct build *build, const struct tsv *tsv, enum target_kind kind, const char *target, struct err *err)
{
	const struct axis *axis = &build->releases[kind].axis;
	struct str rest = build_cell(build, tsv, target), name = { 0 };
	struct span span = { 0, (unsigned)axis->count - 1 };

	if (!rest.len)
		return 0;
	if (str_eq(rest, STR("*")))
		return insert_span(build, tsv, target, span, err);
	for (;;) {
		enum span_result result = axis_span(axis, &rest, &span, &name);
		int code;

		if (result == SPAN_END)
			return 0;
		if (result != SPAN_OK)
			return tsv_error(tsv, err, "\"%.*s\" is unknown or ends before it begins", STR_ARG(name));
		code = insert_span(build, tsv, target, span, err);
		if (code)
			return code;
	}
}

static int add_all_spans(struct build *build, const struct tsv *tsv, struct err *err)
{
	sqlite3_stmt *recipe = build->insert;
	int code = 0;

	if (sqlite3_prepare_v2(build->db, "INSERT INTO recipe_span VALUES (:id, :target, :first, :last)", -1,
		    &build->insert, NULL))
		code = tsv_error(tsv, err, "%s", sqlite3_errmsg(build->db));
	if (!code)
		code = add_spans(build, tsv, TARGET_NPU, "npu", err);
	if (!code)
		code = add_spans(build, tsv, TARGET_MUSA, "musa", err);
	sqlite3_finalize(build->insert);
	build->insert = recipe;
	return code;
}

static int add_recipe(struct build *build, const struct tsv *tsv, struct err *err)
{
	CLEANUP(buf_clear) struct buf file = BUF_INIT(2 * NAME_BYTES);
	int code = check_words(build, tsv, err);

	if (code)
		return code;
	if (build->recipes.count && str_cmp(build->recipes.items[build->recipes.count - 1], tsv->cells[0]) >= 0)
		return tsv_error(tsv, err, "the row is out of order or there twice");
	axis_add(&build->recipes, tsv->cells[0]);
	put_file_name(&file, tsv->cells[0]);
	build_bind(build, ":id", (int64_t)build->recipes.count);
	build_bind(build, ":static", str_eq(build_cell(build, tsv, "static"), STR("1")));
	build_bind_text(build, ":code", fact_text_find(build->text, buf_str(&file)));
	if (str_eq(build_cell(build, tsv, "sources"), STR("general")))
		build_bind_text(build, ":sources", STR(""));
	code = build_insert(build, tsv, err);
	return code ? code : add_all_spans(build, tsv, err);
}

const struct fact_table recipe_tables[] = {
	{
		.file = RECIPES_FILE,
		.columns = RECIPES_COLUMNS,
		.insert = "INSERT INTO recipe VALUES (:id, :recipe, :operators, :when, :effort, :torch, :static, "
			  ":tolerance, "
			  ":sources, :cost_en, :cost_zh, :en, :zh, :code)",
		.row = add_recipe,
	},
	{ .file = NULL },
};
