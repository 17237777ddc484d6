#include "tests/unit/sheets.h"

#include "base/view/ascii.h"
#include "base/value/decimal.h"
#include "tests/unit/check.h"

/* Makes figures that nothing else has, with six digits that carry information. */
static int64_t serial;

static int64_t microseconds(struct str text)
{
	int64_t ns = 0;

	if (!decimal_scaled(text, 1000, &ns))
		fail_msg("\"%.*s\" is no time", STR_ARG(text));
	return ns;
}

/* Takes the figures off the end of a row. */
static struct str take_figures(struct str text, struct op_row *row)
{
	for (;;) {
		size_t at = text.len;
		struct str word;

		while (at && text.ptr[at - 1] != ' ')
			at--;
		word = str_skip(text, at);
		if (!at || !memchr("x=d", word.len ? word.ptr[0] : '-', 3) || word.len < 2 ||
			!(is_digit(word.ptr[1]) || word.ptr[1] == '-'))
			return str_trim(text);
		if (word.ptr[0] == 'x')
			assert_true(decimal_unsigned(str_skip(word, 1), &row->calls));
		else if (word.ptr[0] == 'd')
			row->self_device_ns = microseconds(str_skip(word, 1));
		else
			row->self_cpu_ns = microseconds(str_skip(word, 1));
		text = str_trim(str_sub(text, 0, at));
	}
}

static void feed_row(const struct event_sink *sink, unsigned stream, const struct sheet *sheet, struct str text)
{
	struct op_row row = { .overload = STR(""),
		.shapes = STR(""),
		.dtypes = STR(""),
		.calls = 1,
		.self_cpu_ns = 100001 + 10 * ++serial };
	size_t shapes, slash;

	text = take_figures(str_trim(text), &row);
	shapes = str_find(text, STR("["));
	if (shapes != STR_NONE) {
		row.shapes = str_skip(text, shapes);
		text = str_trim(str_sub(text, 0, shapes));
	}
	slash = str_find(text, STR("/"));
	row.has_overload = sheet->has & TABLE_HAS_OVERLOADS;
	if (slash != STR_NONE) {
		row.overload = str_skip(text, slash + 1);
		text = str_sub(text, 0, slash);
	}
	row.name = text;
	row.name_cut = str_ends(text, STR("..."));
	row.cpu_total_ns = row.self_cpu_ns;
	row.shapes_cut = row.shapes.len && row.shapes.ptr[row.shapes.len - 1] != ']';
	sink->rows(sink->ctx, stream, &row, 1);
}

void feed_sheet(const struct event_sink *sink, unsigned stream, const struct sheet *sheet)
{
	struct table_end end = { .footer_cpu_ns = sheet->footer ? microseconds(str_from(sheet->footer)) : -1,
		.footer_device_ns = -1,
		.share_ppm = -1 };
	struct str rows = str_from(sheet->rows), row;

	sink->table_begin(sink->ctx, stream, sheet->has);
	while (str_cut(&rows, ';', &row)) {
		if (str_trim(row).len)
			feed_row(sink, stream, sheet, row);
	}
	sink->table_end(sink->ctx, stream, &end);
}

void feed_steps(const struct event_sink *sink, const char *label, const char *tables)
{
	unsigned stream = sink->stream(sink->ctx, str_from(label));
	struct str rest = str_from(tables), table;

	while (str_cut(&rest, '|', &table)) {
		CLEANUP(buf_clear) struct buf rows = BUF_INIT(1 << 20);
		struct sheet sheet = { WHOLE, NULL, "" };

		buf_add(&rows, table);
		sheet.rows = buf_text(&rows);
		feed_sheet(sink, stream, &sheet);
	}
}

struct profile *profile_of_steps(const char *tables)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));

	feed_steps(&sink, "", tables);
	profile_finish(profile);
	return profile;
}

const struct profile_use *use_find(
	const struct profile *profile, unsigned stream, const char *name, const char *overload, const char *shapes)
{
	size_t name_count, use_count;
	const struct profile_name *names = profile_names(profile, &name_count);
	const struct profile_use *uses = profile_uses(profile, &use_count);

	for (size_t i = 0; i < use_count; i++) {
		if (uses[i].stream == stream && str_eq(names[uses[i].name].text, str_from(name)) &&
			str_eq(uses[i].overload, str_from(overload)) && str_eq(uses[i].shapes, str_from(shapes)))
			return &uses[i];
	}
	return NULL;
}

const char *steps_text(const struct step_runs *runs)
{
	static char space[1000];
	CLEANUP(buf_clear) struct buf text = BUF_INIT(sizeof(space) - 1);
	const struct step_run *items = step_runs_items(runs);

	for (size_t i = 0; i < runs->count; i++) {
		buf_printf(&text, i ? ",%u" : "%u", items[i].first);
		if (items[i].last != items[i].first)
			buf_printf(&text, "-%u", items[i].last);
	}
	memcpy(space, buf_text(&text), text.len + 1);
	return space;
}
