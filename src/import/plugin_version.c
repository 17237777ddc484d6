#include "import/plugin_version.h"

#include "base/decimal.h"
#include "base/utf8.h"

bool plugin_version_number(struct str text, unsigned *ret)
{
	struct str major_text, minor_text;
	uint64_t major, minor;

	if (!str_starts(text, STR("v")))
		return false;
	text = str_skip(text, 1);
	if (!str_cut(&text, '.', &major_text) || !str_cut(&text, '.', &minor_text) || text.ptr)
		return false;
	if (!decimal_unsigned(major_text, &major) || !decimal_unsigned(minor_text, &minor) || major > 999 ||
		minor > 999)
		return false;
	*ret = (unsigned)(major * 1000 + minor);
	return true;
}

static int bad_version(const struct plugin_versions *versions, size_t line, struct str text, struct err *err)
{
	return input_error(versions->input, line, err, "\"%s\" is no version such as v2.7", shown(text).text);
}

int plugin_versions_read(struct plugin_versions *versions, const struct input *input, const struct node *all,
	struct str version, struct err *err)
{
	bool found = false;
	unsigned number;

	*versions = (struct plugin_versions){ .input = input, .version = version };
	if (all->kind != NODE_LIST)
		return input_error(input, all->line, err, "all_version must be a list");
	for (const struct node *item = all->first; item; item = item->next) {
		if (item->kind != NODE_TEXT || !plugin_version_number(item->text, &number))
			return bad_version(versions, item->line, item->text, err);
		if (versions->count == PLUGIN_VERSIONS)
			return input_error(input, item->line, err, "more than %d versions", PLUGIN_VERSIONS);
		versions->all[versions->count++] = item->text;
		found = found || str_eq(item->text, version);
	}
	if (!found)
		return input_error(
			input, all->line, err, "the list is not for %s: all_version lacks it", shown(version).text);
	return 0;
}

/* "v2.1, v2.2": by element, because v2.1 is a part of v2.10. */
static int hold_elements(const struct plugin_versions *versions, const struct node *value, bool *ret, struct err *err)
{
	struct str rest = value->text, part = { 0 };
	bool holds = false;
	unsigned number;

	if (str_eq(value->text, STR("all_version"))) {
		*ret = true;
		return 0;
	}
	while (str_cut(&rest, ',', &part)) {
		part = str_trim(part);
		if (!plugin_version_number(part, &number))
			return bad_version(versions, value->line, part, err);
		holds = holds || str_eq(part, versions->version);
	}
	*ret = holds;
	return 0;
}

static int hold_range(const struct plugin_versions *versions, const struct node *value, bool *ret, struct err *err)
{
	const struct node *first = value->first, *last = first ? first->next : NULL;
	unsigned from, to, at;

	if (!last || last->next || first->kind != NODE_TEXT || last->kind != NODE_TEXT)
		return input_error(versions->input, value->line, err, "a range has a first and a last version");
	if (!plugin_version_number(first->text, &from))
		return bad_version(versions, first->line, first->text, err);
	if (str_eq(last->text, STR("newest")))
		to = UINT32_MAX;
	else if (!plugin_version_number(last->text, &to))
		return bad_version(versions, last->line, last->text, err);
	if (to < from)
		return input_error(versions->input, value->line, err, "the range ends before it begins");
	*ret = plugin_version_number(versions->version, &at) && from <= at && at <= to;
	return 0;
}

int plugin_versions_hold(const struct plugin_versions *versions, const struct node *value, bool *ret, struct err *err)
{
	*ret = false;
	if (node_is_empty(value))
		return 0;
	if (value->kind == NODE_TEXT)
		return hold_elements(versions, value, ret, err);
	if (value->kind == NODE_LIST)
		return hold_range(versions, value, ret, err);
	return input_error(versions->input, value->line, err, "expected versions, not %s", node_kind_name(value->kind));
}
