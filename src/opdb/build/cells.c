#include "opdb/build/cells.h"

#include <limits.h>
#include <stdio.h>

#include "base/memory/mem.h"
#include "base/value/date.h"
#include "opdb/model/chip.h"
#include "opdb/model/dtype.h"
#include "opdb/model/fact.h"
#include "opdb/model/unit.h"

/* ":torch" of "torch"; the longest name of a column has half as many characters. */
enum { PARAMETER_BYTES = 64 };

CELL_RULE(cell_any)
{
	(void)build;
	(void)tsv;
	(void)column;
	(void)err;
	return 0;
}

CELL_RULE(cell_op)
{
	(void)err;
	build_bind_text(build, ":base", base_of(build_cell(build, tsv, column)));
	return 0;
}

CELL_RULE(cell_full_op)
{
	struct str op = build_cell(build, tsv, column);
	size_t colons = str_find(op, STR("::"));

	if (colons == STR_NONE || !colons || colons + 2 == op.len)
		return tsv_error(tsv, err, "an operator is written with its namespace, such as aten::add");
	build_bind_text(build, ":ns", str_sub(op, 0, colons));
	build_bind_text(build, ":op", str_skip(op, colons + 2));
	build_bind_text(build, ":base", base_of(str_skip(op, colons + 2)));
	return 0;
}

CELL_RULE(cell_call_name)
{
	if (str_has(build_cell(build, tsv, column), STR("::")))
		return cell_full_op(build, tsv, column, err);
	build_bind_text(build, ":ns", STR(""));
	build_bind_text(build, ":base", build_cell(build, tsv, column));
	return 0;
}

CELL_RULE(cell_unit)
{
	struct str word = build_cell(build, tsv, column);
	enum unit unit;

	if (unit_from(word, &unit))
		return 0;
	return tsv_error(tsv, err, "\"%.*s\" is not a unit", STR_ARG(word));
}

CELL_RULE(cell_source)
{
	char parameter[PARAMETER_BYTES];

	snprintf(parameter, sizeof(parameter), ":%s", column);
	return build_bind_source(build, tsv, parameter, build_cell(build, tsv, column), err);
}

CELL_RULE(cell_https)
{
	struct str address = build_cell(build, tsv, column);

	if (!str_starts(address, STR("https://")))
		return tsv_error(tsv, err, "%s \"%.*s\" is not an https address", column, STR_ARG(address));
	return 0;
}

CELL_RULE(cell_signature)
{
	return str_starts(build_cell(build, tsv, column), STR("("))
		       ? 0
		       : tsv_error(tsv, err, "a signature begins with \"(\"");
}

/* A cell may have these words alone, joined by blanks. */
static int check_list(struct str list, const struct tsv *tsv, const struct words *words, struct err *err)
{
	CLEANUP(buf_clear) struct buf known = BUF_INIT(sizeof(err->text));
	unsigned bits;

	if (words_bits(words, list, &bits))
		return 0;
	words_put(&known, words, UINT_MAX, ", ");
	return tsv_error(tsv, err, "\"%.*s\" is not a list of %s", STR_ARG(list), buf_text(&known));
}

CELL_RULE(cell_has)
{
	return check_list(build_cell(build, tsv, column), tsv, &has_words, err);
}

CELL_RULE(cell_needs)
{
	return check_list(build_cell(build, tsv, column), tsv, &need_words, err);
}

CELL_RULE(cell_dtypes)
{
	struct str words = build_cell(build, tsv, column);
	unsigned types;

	return dtypes_from(words, &types) ? 0
					  : tsv_error(tsv, err, "\"%.*s\" is not a list of data types", STR_ARG(words));
}

CELL_RULE(cell_dtype_bits)
{
	unsigned types = 0;
	int code = cell_dtypes(build, tsv, column, err);

	dtypes_from(build_cell(build, tsv, column), &types);
	return code ? code : build_bind_cell(build, column, types);
}

CELL_RULE(cell_chip_bits)
{
	struct str words = build_cell(build, tsv, column), word = { 0 }, usual;
	unsigned chips = 0;

	while (words.len && str_cut(&words, ' ', &word)) {
		const struct chip *chip = chip_find(TARGET_NPU, word, &usual);

		if (!chip)
			return tsv_error(tsv, err, "\"%.*s\" is not a family of NPUs", STR_ARG(word));
		for (unsigned i = 0; chip_at(TARGET_NPU, i); i++)
			chips |= chip_at(TARGET_NPU, i) == chip ? 1u << i : 0;
	}
	return build_bind_cell(build, column, chips);
}

CELL_RULE(cell_date)
{
	struct str date = build_cell(build, tsv, column);

	return !date.len || date_has_shape(date) ? 0 : tsv_error(tsv, err, "\"%.*s\" is not a date", STR_ARG(date));
}

CELL_RULE(cell_built)
{
	struct str date = build_cell(build, tsv, column);

	if (!date_has_shape(date))
		return tsv_error(tsv, err, "\"%.*s\" is not a date", STR_ARG(date));
	if (str_cmp(date, build->newest_date) > 0)
		build->newest_date = date;
	return 0;
}

/* Binds the place of a name, NULL for "". */
static int bind_place(struct build *build, const struct tsv *tsv, const char *column, enum line line, struct err *err)
{
	struct str name = build_cell(build, tsv, column);
	char parameter[PARAMETER_BYTES];
	unsigned place;

	snprintf(parameter, sizeof(parameter), ":%s", column);
	if (!name.len)
		build_bind_null(build, parameter);
	else if (axis_find(&build->lines[line].axis, name, &place))
		build_bind(build, parameter, place);
	else
		return tsv_error(tsv, err,
			line == LINE_TORCH ? "unknown version of PyTorch \"%.*s\"" : "unknown release \"%.*s\"",
			STR_ARG(name));
	return 0;
}

CELL_RULE(cell_torch)
{
	return bind_place(build, tsv, column, LINE_TORCH, err);
}

CELL_RULE(cell_release)
{
	return bind_place(build, tsv, column, LINE_NPU, err);
}

CELL_RULE(cell_until)
{
	bool npu = str_eq(build_cell(build, tsv, "target"), STR("npu"));

	return bind_place(build, tsv, column, npu ? LINE_NPU : LINE_MUSA, err);
}

CELL_RULE(cell_rule)
{
	struct str rule = build_cell(build, tsv, column);
	unsigned place;

	if (!axis_find(&build->names[NAMES_RULES], rule, &place))
		return tsv_error(tsv, err, "unknown rule \"%.*s\"", STR_ARG(rule));
	build_bind(build, ":rule", (int64_t)place + 1);
	return 0;
}

CELL_RULE(cell_fallback)
{
	struct str name = build_cell(build, tsv, column);
	size_t at = STR_POSITION(build->fallbacks.items, build->fallbacks.count, name);
	const struct fallback *fallback;

	if (at == STR_NONE)
		return tsv_error(tsv, err, "unknown fallback \"%.*s\"", STR_ARG(name));
	fallback = &build->fallbacks.items[at];
	build_bind_text(build, ":boxed", fallback->boxed);
	build_bind_text(build, ":fallback", fallback->text);
	return build_bind_source(build, tsv, ":fallback_source", fallback->source, err);
}

CELL_RULE(cell_published)
{
	static const struct str remark_names[] = { STR("beta"), STR("no-facts") };
	static const struct words remark_words = { remark_names, ARRAY_SIZE(remark_names), 0 };
	struct str remarks = build_cell(build, tsv, column), release = build_cell(build, tsv, "release");
	bool known = !str_has(remarks, STR("no-facts"));
	unsigned place;

	if (check_list(remarks, tsv, &remark_words, err))
		return -err->code;
	if (known != axis_find(&build->lines[LINE_NPU].axis, release, &place))
		return tsv_error(
			tsv, err, known ? "unknown release \"%.*s\"" : "release \"%.*s\" has facts", STR_ARG(release));
	build_bind(build, ":known", known);
	build_bind(build, ":beta", str_has(remarks, STR("beta")));
	return 0;
}

CELL_RULE(cell_equivalent)
{
	struct str names = build_cell(build, tsv, column);

	if (str_has(names, STR("*")) && !str_eq(build_cell(build, tsv, "mode"), STR("manual")))
		return tsv_error(tsv, err, "only a manual rule may name \"%.*s\" with a star", STR_ARG(names));
	return 0;
}
