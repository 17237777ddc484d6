/* The form for dumps. It works as any other form; with the script it remembers, shows what it chose, and tells how far
   it is (web/app.js). */
#include "base/mem.h"
#include "opdb/model/chip.h"
#include "server/page.h"

struct upload_form {
	const struct page *page;
	const struct opdb *db;
};

/* Texts that the script shows, as data of the form. */
static void put_texts(const struct page *page)
{
	static const struct {
		const char *attribute, *id;
	} texts[] = {
		{ "data-busy", "page.busy" },
		{ "data-sending", "page.sending" },
		{ "data-checking", "page.checking" },
		{ "data-lost", "page.lost" },
		{ "data-no-release", "page.no-release" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		html_attribute(page->out, texts[i].attribute, catalog_text(page->lang, str_from(texts[i].id)));
}

static void put_action(const struct page *page, const char *id, const char *action)
{
	buf_printf(
		page->out, "<form id=\"%s\" method=\"post\" enctype=\"multipart/form-data\" action=\"%s", id, action);
	if (page->request->lang_given) {
		html(page->out, "?lang=");
		html_text(page->out, lang_name(page->lang));
	}
	html(page->out, "\"");
	put_texts(page);
	html(page->out, ">\n");
	page_put_csrf(page);
}

static void put_file(const struct page *page)
{
	html(page->out, "<div id=\"drop\" class=\"drop\"><label for=\"file\">");
	page_label(page, "page.file");
	html(page->out, "</label>\n<input id=\"file\" name=\"file\" type=\"file\" multiple required"
			" aria-describedby=\"file-about\">\n"
			"<p id=\"file-about\" class=\"soft\"><span class=\"js-only-inline\">");
	page_label(page, "page.drop");
	html(page->out, " </span>");
	page_label(page, "page.file-about");
	html(page->out, " <a href=\"/help");
	if (page->request->lang_given) {
		html(page->out, "?lang=");
		html_text(page->out, lang_name(page->lang));
	}
	html(page->out, "\">");
	page_label(page, "page.file-how");
	html(page->out, "</a></p>\n<details id=\"pasting\" class=\"js-only-block\"><summary>");
	page_label(page, "page.paste");
	html(page->out, "</summary><textarea id=\"paste\" rows=\"6\" spellcheck=\"false\"");
	html_attribute(page->out, "aria-label", catalog_text(page->lang, STR("page.paste")));
	html(page->out, "></textarea></details></div>\n");
}

/* --- targets */

/* What to choose releases by; the buttons belong to no form, so that they are not sent. */
static void put_modes(const struct page *page)
{
	static const char *const modes[][2] = { { "newest", "page.mode-newest" }, { "versions", "page.mode-versions" },
		{ "all", "page.mode-all" } };

	html(page->out, "<div class=\"modes js-only\" role=\"radiogroup\" aria-labelledby=\"targets\">\n");
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		buf_printf(page->out,
			"<label><input type=\"radio\" id=\"mode-%s\" name=\"mode\" value=\"%s\" form=\"none\"%s> ",
			modes[i][0], modes[i][0], i ? "" : " checked");
		page_label(page, modes[i][1]);
		html(page->out, "</label>\n");
	}
	html(page->out, "</div>\n");
}

static const struct line_input {
	const char *name, *example, *label, *about;
} torch_input = { "torch", "2.7.1", "page.torch", "page.torch-about" },
  cann_input = { "cann", "8.5.0", "page.cann-there", "page.cann-about" },
  type_input = { "dtype", "fp32,bf16", "page.dtype", "page.dtype-about" },
  model_input = { "model", "resnet50", "page.model-name", "page.model-about" },
  uncovered_input = { "max_uncovered_time", "5%", "page.uncovered", "page.uncovered-about" };

static void put_line_input(struct buf *out, enum lang lang, const struct line_input *input, const char *more)
{
	buf_printf(out,
		"<div><label for=\"%s\">%.*s</label>\n"
		"<input id=\"%s\" %s autocomplete=\"off\" placeholder=\"%s\" size=\"14\" "
		"aria-describedby=\"%s-about\">\n<p id=\"%s-about\" class=\"soft\">%.*s</p></div>\n",
		input->name, STR_ARG(catalog_text(lang, str_from(input->label))), input->name, more, input->example,
		input->name, input->name, STR_ARG(catalog_text(lang, str_from(input->about))));
}

static void put_chips(const struct page *page, enum target_kind target)
{
	struct str name = target_kind_name(target);

	buf_printf(page->out, "<div class=\"js-only-block\"><label for=\"chip-%.*s\">", STR_ARG(name));
	page_label(page, "page.chip");
	html(page->out, " ");
	page_label(page, page_target_label(target));
	buf_printf(page->out, "</label>\n<select id=\"chip-%.*s\"><option value=\"\">", STR_ARG(name));
	page_label(page, "page.any-chip");
	html(page->out, "</option>");
	for (size_t i = 0; chip_at(target, i); i++) {
		html(page->out, "<option>");
		html_text(page->out, chip_at(target, i)->family);
		html(page->out, "</option>");
	}
	html(page->out, "</select></div>\n");
}

static void put_versions(const struct page *page)
{
	html(page->out, "<div id=\"panel-versions\"><div class=\"choices\">\n");
	put_line_input(page->out, page->lang, &torch_input, "name=\"torch\"");
	html(page->out, "<div class=\"js-only-block\">");
	put_line_input(page->out, page->lang, &cann_input, "");
	html(page->out, "</div>\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		put_chips(page, (enum target_kind)target);
	html(page->out, "</div>\n<p class=\"js-only-block\">");
	page_label(page, "page.exact");
	html(page->out,
		" <output id=\"exact\" class=\"name\" for=\"torch cann chip-npu chip-musa\"></output></p></div>\n");
}

/* One list a target, so that both choices are in sight. */
static void put_target(const struct page *page, const struct opdb *db, enum target_kind target)
{
	struct str name = target_kind_name(target);

	html(page->out, "<div><label for=\"target-");
	html_text(page->out, name);
	html(page->out, "\">");
	page_label(page, page_target_label(target));
	html(page->out, "</label>\n<select id=\"target-");
	html_text(page->out, name);
	html(page->out, "\" name=\"target\" multiple size=\"8\" aria-describedby=\"target-about\">\n");
	page_put_releases(page, db, target, true);
	html(page->out, "</select></div>\n");
}

static void put_all(const struct page *page, const struct opdb *db)
{
	html(page->out, "<div id=\"panel-all\"><p id=\"target-about\" class=\"soft\">");
	page_label(page, "page.target-about");
	html(page->out, "</p>\n<div class=\"js-only\"><input id=\"find-release\" type=\"search\" autocomplete=\"off\"");
	html_attribute(page->out, "placeholder", catalog_text(page->lang, STR("page.find-release")));
	html_attribute(page->out, "aria-label", catalog_text(page->lang, STR("page.find-release")));
	html(page->out, "></div>\n<div class=\"choices\">\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		put_target(page, db, (enum target_kind)target);
	html(page->out, "</div></div>\n");
}

/* --- the rest */

static void put_options(const struct page *page)
{
	html(page->out, "<div class=\"choices\">\n");
	put_line_input(page->out, page->lang, &type_input, "name=\"dtype\" list=\"types\"");
	put_line_input(page->out, page->lang, &model_input, "name=\"model\" maxlength=\"128\"");
	html(page->out, "</div>\n<datalist id=\"types\"><option value=\"fp32\"><option value=\"fp16\"><option "
			"value=\"bf16\"><option value=\"fp32,fp16\"><option value=\"fp32,bf16\"></datalist>\n"
			"<details><summary>");
	page_label(page, "page.more-options");
	html(page->out, "</summary><div>\n");
	put_line_input(page->out, page->lang, &uncovered_input, "name=\"max_uncovered_time\"");
	html(page->out, "<p><label><input id=\"require_dtypes\" name=\"require_dtypes\" type=\"checkbox\" "
			"value=\"true\"> ");
	page_label(page, "page.require-dtypes");
	html(page->out, "</label></p>\n<div><label for=\"source\">");
	page_label(page, "page.source");
	html(page->out, "</label>\n<input id=\"source\" name=\"source\" type=\"file\" multiple "
			"aria-describedby=\"source-about\">\n<p id=\"source-about\" class=\"soft\">");
	page_label(page, "page.source-about");
	html(page->out, "</p></div></div></details>\n");
}

static void put_send(const struct page *page)
{
	html(page->out, "<div id=\"problem\" class=\"problem\" role=\"alert\" hidden></div>\n"
			"<p class=\"send\"><button id=\"send\" type=\"submit\">");
	page_label(page, "page.send");
	html(page->out, "</button> <progress id=\"progress\" max=\"1\"");
	html_attribute(page->out, "aria-label", catalog_text(page->lang, STR("page.busy")));
	html(page->out, " hidden></progress> <output id=\"state\" class=\"soft\"></output></p>\n</form>\n");
}

/* A dump that comes with the service. */
static void put_example(const struct page *page)
{
	put_action(page, "example", "/example");
	html(page->out, "<input type=\"hidden\" name=\"lang\""); /* a form without a field is no form */
	html_attribute(page->out, "value", lang_name(page->lang));
	html(page->out, ">\n");
	html(page->out, "<p class=\"send\"><button type=\"submit\" class=\"plain\">");
	page_label(page, "page.example");
	html(page->out, "</button> <a href=\"/assets/example.log\">");
	page_label(page, "page.example-file");
	html(page->out, "</a></p></form>\n");
}

static void put_form(struct buf *out, enum lang lang, const void *ctx)
{
	const struct upload_form *form = ctx;
	const struct page *page = form->page;

	(void)lang;
	put_action(page, "upload", "/api/v1/assessments");
	put_file(page);
	html(out, "<fieldset><legend id=\"targets\">");
	page_label(page, "page.target");
	html(out, "</legend>\n");
	put_modes(page);
	put_versions(page);
	put_all(page, form->db);
	html(out, "</fieldset>\n<fieldset>\n<legend>");
	page_label(page, "page.about-program");
	html(out, "</legend>\n");
	put_options(page);
	html(out, "</fieldset>\n");
	put_send(page);
	put_example(page);
}

void page_put_upload(struct page *page, const struct opdb *db)
{
	struct upload_form *form = arena_alloc(&page->doc.arena, sizeof(*form));

	*form = (struct upload_form){ page, db };
	doc_figure(&page->doc, put_form, form);
}
