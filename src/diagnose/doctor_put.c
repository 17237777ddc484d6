#include "diagnose/doctor_put.h"

#include "record/kinds.h"
#include "report/doc/sheet.h"
#include "report/doc/textw.h"

static const char *const kind_words[] = { "part", "fit", "install", "variable" };
static const char *const state_words[] = { "note", "fits", "does-not-fit", "check", "unknown" };
static const char *const fit_words[] = { "fits", "does-not-fit", "nothing-found" };
/* The same for people. */
static const char *const kind_ids[] = { "doctor.parts", "doctor.fit", "doctor.install", "doctor.variables" };
static const char *const state_ids[] = { "doctor.note", "doctor.fits", "doctor.wrong", "doctor.check",
	"doctor.unknown" };
static const char *const verdict_ids[] = { "doctor.all-fits", "doctor.does-not-fit", "doctor.nothing-found" };

void doctor_put_said(const struct doctor_row *row, enum lang lang, struct buf *out)
{
	if (row->text.id)
		catalog_put(out, lang, &row->text);
	else
		buf_add(out, row->said[lang]);
}

/* --- text */

static void put_row_text(const struct doctor_row *row, enum lang lang, struct textw *text)
{
	CLEANUP(buf_clear) struct buf line = BUF_UNLIMITED;
	struct str state = catalog_text(lang, str_from(state_ids[row->state]));

	if (row->kind == DOCTOR_PART && !row->text.id)
		buf_printf(&line, "%.*s %.*s  %.*s", STR_ARG(row->name),
			STR_ARG(row->value.len ? row->value : STR("?")), STR_ARG(row->place));
	else if (row->kind == DOCTOR_VARIABLE)
		buf_printf(&line, "%.*s=%.*s: ", STR_ARG(row->name), STR_ARG(row->value));
	if (row->kind == DOCTOR_FIT || (row->kind == DOCTOR_VARIABLE && row->state == DOCTOR_CHECK))
		buf_printf(&line, "%.*s: ", STR_ARG(state));
	doctor_put_said(row, lang, &line);
	buf_add(text->out, STR("  "));
	textw_wrap(text, buf_str(&line), 2, 4);
}

static void put_doctor_text(const struct doctor *doctor, const struct render_options *render, struct buf *out)
{
	struct textw text = { .out = out, .width = render->width, .color = render->color };

	textw_wrap(&text, catalog_text(render->lang, str_from(verdict_ids[doctor->verdict])), 0, 0);
	for (size_t i = 0; i < doctor->rows.count; i++) {
		const struct doctor_row *row = &doctor->rows.items[i];

		if (!i || row[-1].kind != row->kind)
			buf_printf(out, "\n%.*s\n", STR_ARG(catalog_text(render->lang, str_from(kind_ids[row->kind]))));
		put_row_text(row, render->lang, &text);
	}
}

/* --- for programs */

void doctor_put_rows(const struct doctor *doctor, const char *key, struct jsonw *json)
{
	jsonw_key_list(json, key);
	for (size_t i = 0; i < doctor->rows.count; i++) {
		const struct doctor_row *row = &doctor->rows.items[i];
		CLEANUP(buf_clear) struct buf english = BUF_UNLIMITED, chinese = BUF_UNLIMITED;

		doctor_put_said(row, LANG_EN, &english);
		doctor_put_said(row, LANG_ZH_CN, &chinese);
		jsonw_fill(json, "{'kind': $, 'name': $, 'value': $, 'state': $, 'text': $, 'text_zh': $, 'source': $}",
			str_from(kind_words[row->kind]), row->name, row->value, str_from(state_words[row->state]),
			buf_str(&english), buf_str(&chinese), row->place);
	}
	jsonw_list_end(json);
}

static void put_doctor_json(const struct doctor *doctor, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_fill(&json, "{'verdict': $", str_from(fit_words[doctor->verdict]));
	doctor_put_rows(doctor, "rows", &json);
	jsonw_object_end(&json);
	buf_byte(out, '\n');
}

/* A row as a table has it: in one language. */
struct doctor_cells {
	struct str kind, name, value, state, text, source;
};

static const struct field doctor_fields[] = {
	{ "kind", &kind_text, AT(doctor_cells, kind) },
	{ "name", &kind_text, AT(doctor_cells, name) },
	{ "value", &kind_text, AT(doctor_cells, value) },
	{ "state", &kind_text, AT(doctor_cells, state) },
	{ "text", &kind_text, AT(doctor_cells, text) },
	{ "source", &kind_text, AT(doctor_cells, source) },
	{ 0 },
};
static const struct record doctor_record = { sizeof(struct doctor_cells), doctor_fields };
static const struct sheet_shape doctor_shape = { "page.doctor", &doctor_record };

static void put_sheet(
	const struct doctor *doctor, struct str format, const struct render_options *render, struct buf *out)
{
	enum lang lang = str_eq(format, STR("csv")) ? LANG_EN : render->lang;
	struct sheet sheet;

	sheet_begin(&sheet, &doctor_shape, format, render, out);
	for (size_t i = 0; i < doctor->rows.count; i++) {
		const struct doctor_row *row = &doctor->rows.items[i];
		CLEANUP(buf_clear) struct buf said = BUF_UNLIMITED;

		doctor_put_said(row, lang, &said);
		sheet_row(&sheet, &(struct doctor_cells){ str_from(kind_words[row->kind]), row->name, row->value,
					  str_from(state_words[row->state]), buf_str(&said), row->place });
	}
	sheet_end(&sheet);
}

void doctor_put(const struct doctor *doctor, struct str format, const struct render_options *render, struct buf *out)
{
	if (str_eq(format, STR("json")))
		put_doctor_json(doctor, out);
	else if (sheet_is_format(format))
		put_sheet(doctor, format, render, out);
	else
		put_doctor_text(doctor, render, out);
}
