#include "cli/shared/output.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"
#include "io/outfile.h"
#include "report/render.h"

/* --- formats */

/* Other words for a format, and suffixes beside ".FORMAT". */
static const struct alias {
	struct str format, alias;
} aliases[] = {
	{ STR("md"), STR("markdown") },
	{ STR("md"), STR(".markdown") },
	{ STR("html"), STR(".htm") },
	{ STR("text"), STR(".txt") },
};

/* The format at a place of the list; false behind its end. */
static bool format_at(const struct outputs *outputs, size_t place, struct str *ret)
{
	struct str rest = str_from(outputs->formats ? outputs->formats : "");

	if (!outputs->formats && place < renderer_count) {
		*ret = str_from(renderers[place].name);
		return true;
	}
	for (size_t i = 0; str_cut(&rest, ' ', ret); i++) {
		if (i == place)
			return true;
	}
	return false;
}

/* The name of a format as the list has it; "" when it has none. */
static struct str format_named(const struct outputs *outputs, struct str name)
{
	struct str format;

	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (str_eq(aliases[i].alias, name))
			name = aliases[i].format;
	}
	for (size_t i = 0; format_at(outputs, i, &format); i++) {
		if (str_eq(format, name))
			return format;
	}
	return STR("");
}

static bool has_suffix(struct str path, struct str format)
{
	const struct renderer *renderer = renderer_find(format);

	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (str_eq(aliases[i].format, format) && aliases[i].alias.ptr[0] == '.' &&
			str_ends(path, aliases[i].alias))
			return true;
	}
	if (renderer)
		return str_ends(path, str_from(renderer->suffix));
	return str_ends(path, format) && str_ends(str_chop(path, format.len), STR("."));
}

/* The format whose suffix a path ends with, the last of the list, for ".badge.json" ends like ".json"; "" when none has
   it. */
static struct str format_of_path(const struct outputs *outputs, struct str path)
{
	struct str format, found = STR("");

	for (size_t i = 0; format_at(outputs, i, &format); i++) {
		if (has_suffix(path, format))
			found = format;
	}
	return found;
}

static int unknown_format(const struct outputs *outputs, struct str name, struct err *err)
{
	CLEANUP(buf_clear) struct buf known = BUF_INIT(400);
	struct str format;

	for (size_t i = 0; format_at(outputs, i, &format); i++)
		buf_printf(&known, "%s%.*s", i ? ", " : "", STR_ARG(format));
	err_set(err, ERR_VALUE, "no format '%s'", shown(name).text);
	return err_hint(err, "choose one of %s", buf_text(&known));
}

/* --- options */

int outputs_set_format(struct outputs *outputs, struct str value, struct err *err)
{
	outputs->format = format_named(outputs, value);
	return outputs->format.len ? 0 : unknown_format(outputs, value, err);
}

/* "html=report.html": a word before the sign, not a part of a path. */
static bool names_a_format(struct str value, struct str *ret_name, struct str *ret_path)
{
	*ret_path = value;
	str_cut(ret_path, '=', ret_name);
	return ret_path->ptr && !str_has(*ret_name, STR("/")) && !str_has(*ret_name, STR("."));
}

int outputs_add(struct outputs *outputs, struct str value, struct err *err)
{
	struct output output = { .format = STR("") };
	struct str name, path;

	output.named = names_a_format(value, &name, &path);
	if (!output.named)
		path = value;
	if (!path.len || format_named(outputs, path).len) {
		err_set(err, ERR_VALUE, path.len ? "'%s' is a format, not a path" : "--output needs a path", path.ptr);
		return err_hint(err, "for example --output report.json, or --output json=PATH");
	}
	if (output.named)
		output.format = format_named(outputs, name);
	if (output.named && !output.format.len)
		return unknown_format(outputs, name, err);
	output.path = strndup(path.ptr, path.len);
	MEM_PUSH(outputs, output);
	return 0;
}

/* Suffixes of formats that opcheck does not write, where another format would surprise, and what to do instead. */
static const struct {
	struct str suffix;
	const char *instead, *then;
} refused_suffixes[] = {
	{ STR(".pdf"), "html", ", then print that page: chromium --headless --print-to-pdf" },
	{ STR(".docx"), "html", "" },
	{ STR(".xlsx"), "csv", "" },
	{ STR(".xls"), "csv", "" },
};

static int refuse_suffix(struct str path, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused_suffixes); i++) {
		struct str suffix = refused_suffixes[i].suffix, stem;

		if (!str_ends(path, suffix))
			continue;
		stem = str_chop(path, suffix.len);
		err_set(err, ERR_VALUE, "opcheck does not write %.*s", STR_ARG(suffix));
		return err_hint(err, "write -o %s.%s%s", shown(stem).text, refused_suffixes[i].instead,
			translated(refused_suffixes[i].then));
	}
	return 0;
}

int outputs_settle(struct outputs *outputs, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < outputs->count && !status; i++) {
		struct output *output = &outputs->items[i];

		if (!output->named)
			output->format = format_of_path(outputs, str_from(output->path));
		if (!output->format.len)
			status = refuse_suffix(str_from(output->path), err);
		if (!output->format.len)
			output->format = outputs->format;
		if (!output->format.len)
			format_at(outputs, 0, &output->format);
		if (!status)
			status = outfile_check(output->path, outputs->replace, err);
	}
	return status;
}

void outputs_clear(struct outputs *outputs)
{
	for (size_t i = 0; i < outputs->count; i++)
		free(outputs->items[i].path);
	free(outputs->items);
	*outputs = (struct outputs){ 0 };
}

/* --- writing */

bool outputs_print(const struct outputs *outputs)
{
	return ALL(i, outputs->count, outputs->items[i].named || !str_eq(outputs->items[i].format, outputs->format)) &&
	       (!outputs->count || outputs->format.len);
}

static struct str printed_format(const struct outputs *outputs)
{
	struct str format = outputs->format;

	if (!format.len)
		format_at(outputs, 0, &format);
	return format;
}

bool outputs_want(const struct outputs *outputs, struct str format)
{
	return ANY(i, outputs->count, str_eq(outputs->items[i].format, format)) ||
	       (outputs_print(outputs) && str_eq(printed_format(outputs), format));
}

int put_table(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	const struct table_answer *table = answer;
	struct sheet sheet;

	if (table->json && str_eq(format, STR("json")))
		return table->json(table->answer, out, err);
	if (table->text && str_eq(format, STR("text"))) {
		table->text(table->answer, out);
		return 0;
	}
	sheet_begin(&sheet, table->shape, format, render, out);
	table->rows(table->answer, &sheet);
	sheet_end(&sheet);
	return 0;
}

int outputs_write(const struct outputs *outputs, const struct render_options *render, put_answer *put,
	const void *answer, struct err *err)
{
	struct render_options plain = *render;
	int status = 0;

	plain.color = false;
	plain.width = 0;
	plain.section = STR("");
	for (size_t i = 0; i < outputs->count && !status; i++) {
		CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

		status = put(answer, outputs->items[i].format, &plain, &text, err);
		if (!status)
			status = outfile_write(outputs->items[i].path, buf_str(&text), outputs->replace, err);
	}
	if (!status && outputs_print(outputs)) {
		CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

		status = put(answer, printed_format(outputs), &outputs->printed, &text, err);
		if (!status)
			status = output_print(buf_str(&text), err);
	}
	return status;
}

int output_print(struct str text, struct err *err)
{
	int status = outfile_put(STDOUT_FILENO, text, err);

	return status ? err_where(err, "standard output") : 0;
}
