#include "opdb/build/cells.h"

#include <stdio.h>

#include "base/mem.h"
#include "opdb/model/dtype.h"
#include "opdb/model/fact.h"

/* ":torch" of "torch"; the longest name of a column has half as many characters. */
enum { PARAMETER_BYTES = 64 };

bool all_words(struct str words, const struct str *known, size_t count)
{
	struct str word = { 0 };
	size_t i = 0;

	while (i < count && words.len && str_cut(&words, ' ', &word)) {
		for (i = 0; i < count && !str_eq(known[i], word); i++)
			;
	}
	return i < count;
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
		return tsv_error(tsv, err, "%s \"%.*s\" is no https address", column, STR_ARG(address));
	return 0;
}

CELL_RULE(cell_signature)
{
	return str_starts(build_cell(build, tsv, column), STR("("))
		       ? 0
		       : tsv_error(tsv, err, "a signature begins with \"(\"");
}

CELL_RULE(cell_has)
{
	struct str has = build_cell(build, tsv, column);
	unsigned bits;

	if (has_from(has, &bits))
		return 0;
	return tsv_error(tsv, err,
		"\"%.*s\" is no list of cpu, cuda, implicit, explicit, nonfunctional, structured and view",
		STR_ARG(has));
}

CELL_RULE(cell_needs)
{
	static const struct str known[] = { STR("backward"), STR("optimizer"), STR("fp16") };
	struct str needs = build_cell(build, tsv, column);

	if (all_words(needs, known, ARRAY_SIZE(known)))
		return 0;
	return tsv_error(tsv, err, "\"%.*s\" is no list of backward, optimizer and fp16", STR_ARG(needs));
}

CELL_RULE(cell_dtypes)
{
	struct str words = build_cell(build, tsv, column);
	unsigned types;

	return dtypes_from(words, &types) ? 0
					  : tsv_error(tsv, err, "\"%.*s\" is no list of data types", STR_ARG(words));
}

CELL_RULE(cell_date)
{
	struct str date = build_cell(build, tsv, column);

	return !date.len || tsv_is_date(date) ? 0 : tsv_error(tsv, err, "\"%.*s\" is no date", STR_ARG(date));
}

CELL_RULE(cell_built)
{
	struct str date = build_cell(build, tsv, column);

	if (!tsv_is_date(date))
		return tsv_error(tsv, err, "\"%.*s\" is no date", STR_ARG(date));
	if (str_cmp(date, build->newest_date) > 0)
		build->newest_date = date;
	return 0;
}

CELL_RULE(cell_torch)
{
	struct str version = build_cell(build, tsv, column);
	unsigned place;

	if (!version.len)
		build_bind_null(build, ":torch");
	else if (axis_find(&build->lines[LINE_TORCH].axis, version, &place))
		build_bind(build, ":torch", place);
	else
		return tsv_error(tsv, err, "unknown version of PyTorch \"%.*s\"", STR_ARG(version));
	return 0;
}

CELL_RULE(cell_release)
{
	struct str release = build_cell(build, tsv, column);
	unsigned place;

	if (!release.len)
		build_bind_null(build, ":release");
	else if (axis_find(&build->lines[LINE_NPU].axis, release, &place))
		build_bind(build, ":release", place);
	else
		return tsv_error(tsv, err, "unknown release \"%.*s\"", STR_ARG(release));
	return 0;
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

	for (size_t i = 0; i < build->fallbacks.count; i++) {
		const struct fallback *fallback = &build->fallbacks.items[i];

		if (!str_eq(fallback->name, name))
			continue;
		build_bind_text(build, ":boxed", fallback->boxed);
		build_bind_text(build, ":fallback", fallback->text);
		return build_bind_source(build, tsv, ":fallback_source", fallback->source, err);
	}
	return tsv_error(tsv, err, "unknown fallback \"%.*s\"", STR_ARG(name));
}

CELL_RULE(cell_published)
{
	static const struct str known_remarks[] = { STR("beta"), STR("no-facts") };
	struct str remarks = build_cell(build, tsv, column), release = build_cell(build, tsv, "release");
	bool known = !str_has(remarks, STR("no-facts"));
	unsigned place;

	if (!all_words(remarks, known_remarks, ARRAY_SIZE(known_remarks)))
		return tsv_error(tsv, err, "unknown remark \"%.*s\"", STR_ARG(remarks));
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
