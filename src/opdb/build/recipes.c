#include "opdb/build/recipes.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "opdb/model/dtype.h"

enum { NAME_BYTES = 64 };

/* A name is a part of a path: small letters, digits and hyphens alone. */
static bool is_name(struct str name)
{
	return ALL(i, name.len, is_digit(name.ptr[i]) || is_lower(name.ptr[i]) || name.ptr[i] == '-') && name.len &&
	       name.len <= NAME_BYTES;
}

static void put_file_name(struct buf *ret, struct str name)
{
	buf_printf(ret, "recipes/%.*s.py", STR_ARG(name));
}

/* --- which files there are */

static int add_file(struct arena *arena, const struct tsv *tsv, struct fact_text *text, struct err *err)
{
	CLEANUP(buf_clear) struct buf file = BUF_INIT(2 * NAME_BYTES);

	if (!is_name(tsv->cells[0]))
		return tsv_error(tsv, err, "\"%.*s\" is not a name of small letters, digits and hyphens",
			STR_ARG(tsv->cells[0]));
	put_file_name(&file, tsv->cells[0]);
	return arena_copy(arena, buf_str(&file), &text->files[text->count++].name)
		       ? 0
		       : err_set(err, ERR_LIMIT, "the fact text is too large");
}

int recipe_files(const char *text_dir, struct arena *arena, struct fact_text *text, struct err *err)
{
	size_t max = text->count + RECIPE_FILES;
	struct str rows = STR("");
	struct tsv tsv;
	int more = fact_text_load_file(text_dir, STR(RECIPES_FILE), arena, &rows, err)
			   ?: tsv_open(&tsv, STR(RECIPES_FILE), rows, STR(RECIPES_COLUMNS), err);

	while (!more && (more = tsv_next(&tsv, err)) > 0)
		more = text->count < max ? add_file(arena, &tsv, text, err)
					 : tsv_error(&tsv, err, "there are too many recipes");
	return more;
}

/* --- rows */

/* Returns whether a recipe can be offered for such a reason. */
static bool fits_when(struct str word)
{
	static const struct str fits[] = { STR("off-device"), STR("shapes"), STR("always") };
	unsigned types;

	return ANY(i, ARRAY_SIZE(fits), str_eq(word, fits[i])) || dtypes_of_reason(word, &types);
}

static int check_words(const struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str when = build_cell(build, tsv, "when"), sources = build_cell(build, tsv, "sources"), word = { 0 };
	struct str tolerance = build_cell(build, tsv, "tolerance");

	while (when.len && str_cut(&when, ' ', &word)) {
		if (!fits_when(word))
			return tsv_error(tsv, err,
				"\"%.*s\" is none of off-device, shapes, dtype, dtype:TYPE,..., always", STR_ARG(word));
	}
	while (!str_eq(sources, STR("general")) && str_cut(&sources, ' ', &word)) {
		if (!str_starts(word, STR("https://")))
			return tsv_error(
				tsv, err, "source \"%.*s\" is neither an https address nor \"general\"", STR_ARG(word));
	}
	if (!str_eq(tolerance, STR("exact")) && !is_digit(tolerance.ptr[0]))
		return tsv_error(tsv, err, "tolerance \"%.*s\" is neither a number nor exact", STR_ARG(tolerance));
	return 0;
}

static int insert_span(
	struct build *build, const struct tsv *tsv, const char *target, struct span span, struct err *err)
{
	build_bind(build, ":id", (int64_t)build->names[NAMES_RECIPES].count);
	build_bind_text(build, ":target", str_from(target));
	build_bind(build, ":first", span.first);
	build_bind(build, ":last", span.last);
	return build_insert(build, tsv, err);
}

/* Stores where a recipe holds on one target, whose column is called like it: "*" on all releases, "" on none. */
static int insert_spans(struct build *build, const struct tsv *tsv, const char *target, enum line line, struct err *err)
{
	const struct axis *axis = &build->lines[line].axis;
	struct str rest = build_cell(build, tsv, target), name = { 0 };
	struct span span = { 0, (unsigned)axis->count - 1 };
	enum span_result result;
	int code = 0;

	if (str_eq(rest, STR("*")))
		return insert_span(build, tsv, target, span, err);
	while (rest.len && !code && (result = axis_span(axis, &rest, &span, &name)) != SPAN_END)
		code = result == SPAN_OK
			       ? insert_span(build, tsv, target, span, err)
			       : tsv_error(tsv, err, "\"%.*s\" is unknown or ends before it begins", STR_ARG(name));
	return code;
}

int recipe_store(struct build *build, const struct tsv *tsv, struct err *err)
{
	CLEANUP(buf_clear) struct buf file = BUF_INIT(2 * NAME_BYTES);
	const struct axis *names = &build->names[NAMES_RECIPES];
	int code = check_words(build, tsv, err);

	if (code)
		return code;
	if (names->count > 1 && str_cmp(names->items[names->count - 2], tsv->cells[0]) > 0)
		return tsv_error(tsv, err, "the row is out of order");
	put_file_name(&file, tsv->cells[0]);
	build_bind(build, ":static", str_eq(build_cell(build, tsv, "static"), STR("1")));
	build_bind_text(build, ":code", fact_text_find(build->text, buf_str(&file)));
	if (str_eq(build_cell(build, tsv, "sources"), STR("general")))
		build_bind_text(build, ":sources", STR(""));
	code = build_insert(build, tsv, err);
	build_swap(build);
	if (!code)
		code = insert_spans(build, tsv, "npu", LINE_NPU, err);
	if (!code)
		code = insert_spans(build, tsv, "musa", LINE_MUSA, err);
	build_swap(build);
	return code;
}
