#include "server/pages/page_upload.h"

#include "base/memory/mem.h"
#include "check/lookup/release_table.h"
#include "opdb/model/chip.h"
#include "server/pages/page_targets.h"

/* With the texts that the script shows. */
static void open_form(struct page *page, const char *id, const char *action)
{
	page_html(page,
		"<form id=\"{}\" method=\"post\" enctype=\"multipart/form-data\" action=\"{}{?lang}\" "
		"data-busy=\"{page.busy}\" data-sending=\"{page.sending}\" data-checking=\"{page.checking}\" "
		"data-lost=\"{page.lost}\" data-no-release=\"{page.no-release}\">\n{csrf}",
		str_from(id), str_from(action));
}

static void put_file(struct page *page)
{
	page_html(page,
		"<div id=\"drop\" class=\"drop\"><label for=\"file\">{page.file}</label>\n"
		"<input id=\"file\" name=\"file\" type=\"file\" multiple required aria-describedby=\"file-about\">"
		"<label for=\"file\" class=\"choose js-only-inline\">{page.choose}</label> "
		"<output id=\"file-names\" class=\"soft js-only-inline\"></output>\n"
		"<p id=\"file-about\" class=\"soft\"><span class=\"js-only-inline\">{page.drop} "
		"</span>{page.file-about} "
		"<a href=\"/help{?lang}\">{page.file-how}</a></p>\n"
		"<details id=\"pasting\" class=\"js-only-block\"><summary>{page.paste}</summary><textarea id=\"paste\" "
		"rows=\"6\" spellcheck=\"false\" aria-label=\"{page.paste}\"></textarea></details></div>\n");
}

/* --- targets */

/* Filters for releases; their buttons are outside the form, so that they are not sent. */
static void put_modes(struct page *page)
{
	static const char *const modes[][2] = { { "newest", "page.mode-newest" }, { "versions", "page.mode-versions" },
		{ "all", "page.mode-all" } };

	page_html(page, "<div class=\"modes js-only\" role=\"radiogroup\" aria-labelledby=\"targets\">\n");
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		buf_printf(&page->markup,
			"<label><input type=\"radio\" id=\"mode-%s\" name=\"mode\" value=\"%s\" form=\"none\"%s> ",
			modes[i][0], modes[i][0], i ? "" : " checked");
		page_html(page, "{}</label>\n", doc_label_of(&page->doc, modes[i][1]));
	}
	page_html(page, "</div>\n");
}

static const struct line_input {
	const char *name, *example, *label, *about, *more;
} torch_input = { "torch", "2.7.1", "page.torch", "page.torch-about", "name=\"torch\"" },
  cann_input = { "cann", "8.5.0", "page.cann-there", "page.cann-about", "" },
  type_input = { "dtype", "fp32,bf16", "page.dtype", "page.dtype-about", "name=\"dtype\" list=\"types\"" },
  model_input = { "model", "resnet50", "page.model-name", "page.model-about", "name=\"model\" maxlength=\"128\"" },
  uncovered_input = { "max_uncovered_time", "5%", "page.uncovered", "page.uncovered-about",
	  "name=\"max_uncovered_time\"" };

static void put_line_input(struct page *page, const struct line_input *input)
{
	buf_printf(&page->markup,
		"<div><label for=\"%s\">%.*s</label>\n"
		"<input id=\"%s\" %s autocomplete=\"off\" placeholder=\"%s\" size=\"14\" "
		"aria-describedby=\"%s-about\">\n<p id=\"%s-about\" class=\"soft\">%.*s</p></div>\n",
		input->name, STR_ARG(doc_label_of(&page->doc, input->label)), input->name, input->more, input->example,
		input->name, input->name, STR_ARG(doc_label_of(&page->doc, input->about)));
}

static void put_chips(struct page *page, enum target_kind target)
{
	struct str name = target_kind_name(target);

	page_html(page,
		"<div class=\"js-only-block\"><label for=\"chip-{}\">{page.chip} {}</label>\n"
		"<select id=\"chip-{}\"><option value=\"\">{page.any-chip}</option>",
		name, doc_label_of(&page->doc, release_group_label(target)), name);
	for (size_t i = 0; chip_at(target, i); i++)
		page_html(page, "<option>{}</option>", chip_at(target, i)->family);
	page_html(page, "</select></div>\n");
}

static void put_versions(struct page *page)
{
	page_html(page, "<div id=\"panel-versions\"><div class=\"choices\">\n");
	put_line_input(page, &torch_input);
	page_html(page, "<div class=\"js-only-block\">");
	put_line_input(page, &cann_input);
	page_html(page, "</div>\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		put_chips(page, (enum target_kind)target);
	page_html(page,
		"</div>\n<p class=\"js-only-block\">{page.exact} "
		"<output id=\"exact\" class=\"name\" for=\"torch cann chip-npu chip-musa\"></output></p></div>\n");
}

/* One list a target, so that both choices are in sight. */
static void put_all(struct page *page, const struct opdb *db)
{
	page_html(page, "<div id=\"panel-all\"><p id=\"target-about\" class=\"soft\">{page.target-about}</p>\n"
			"<div class=\"js-only\"><input id=\"find-release\" type=\"search\" autocomplete=\"off\" "
			"placeholder=\"{page.find-release}\" aria-label=\"{page.find-release}\"></div>\n"
			"<div class=\"choices\">\n");
	for (unsigned target = 0; target < TARGET_COUNT; target++) {
		struct str name = target_kind_name((enum target_kind)target);

		page_html(page,
			"<div><label for=\"target-{}\">{}</label>\n<select id=\"target-{}\" name=\"target\" multiple "
			"size=\"8\" aria-describedby=\"target-about\">\n",
			name, doc_label_of(&page->doc, release_group_label((enum target_kind)target)), name);
		page_put_releases(page, db, (enum target_kind)target, true);
		page_html(page, "</select></div>\n");
	}
	page_html(page, "</div></div>\n");
}

/* --- the rest */

static void put_options(struct page *page)
{
	page_html(page, "<div class=\"choices\">\n");
	put_line_input(page, &type_input);
	put_line_input(page, &model_input);
	page_html(page, "</div>\n<datalist id=\"types\"><option value=\"fp32\"><option value=\"fp16\"><option "
			"value=\"bf16\"><option value=\"fp32,fp16\"><option value=\"fp32,bf16\"></datalist>\n"
			"<details><summary>{page.more-options}</summary><div>\n");
	put_line_input(page, &uncovered_input);
	page_html(page, "<p><label><input id=\"require_dtypes\" name=\"require_dtypes\" type=\"checkbox\" "
			"value=\"true\"> {page.require-dtypes}</label></p>\n"
			"<div><label for=\"source\">{page.source}</label>\n<input id=\"source\" name=\"source\" "
			"type=\"file\" multiple aria-describedby=\"source-about\">\n"
			"<p id=\"source-about\" class=\"soft\">{page.source-about}</p></div></div></details>\n");
}

void page_put_upload(struct page *page, const struct opdb *db)
{
	open_form(page, "upload", "/api/v1/assessments");
	put_file(page);
	page_html(page, "<fieldset><legend id=\"targets\">{page.target}</legend>\n");
	put_modes(page);
	put_versions(page);
	put_all(page, db);
	page_html(page, "</fieldset>\n<fieldset>\n<legend>{page.about-program}</legend>\n");
	put_options(page);
	page_html(page, "</fieldset>\n<div id=\"problem\" class=\"problem\" role=\"alert\" hidden></div>\n"
			"<p class=\"send\"><button id=\"send\" type=\"submit\">{page.send}</button> "
			"<progress id=\"progress\" max=\"1\" aria-label=\"{page.busy}\" hidden></progress> "
			"<output id=\"state\" class=\"soft\"></output></p>\n</form>\n");
	/* a dump that comes with the service; a form without a field is no form */
	open_form(page, "example", "/example");
	page_html(page,
		"<input type=\"hidden\" name=\"lang\" value=\"{}\">\n<p class=\"send\"><button type=\"submit\" "
		"class=\"plain\">{page.example}</button> "
		"<a href=\"/assets/example.log\">{page.example-file}</a></p></form>\n",
		lang_name(page->lang));
	page_figure(page);
}
