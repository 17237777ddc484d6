#include "check/site/site_page.h"

#include "base/value/sha256.h"
#include "base/view/ascii.h"
#include "opdb/db/lists.h"
#include "report/doc/doc_put.h"
#include "report/doc/frame.h"
#include "report/doc/markup.h"

/* 'self' means no file to some browsers. */
static const char policy[] =
	"default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file:; "
	"base-uri 'none'; form-action 'none'";

static const struct {
	const char *path, *label;
} places[] = {
	{ "operators", "page.operators" },
	{ "releases", "page.targets" },
	{ "recipes", "recipes.title" },
};

/* --- paths */

/* The name of a file for any system: case does not count, "::" is a dot, others than `kept` are "~2f". A long text ends
   in its digest. */
static struct str file_name(struct arena *arena, const char *folder, struct str text, const char *kept)
{
	enum { LONGEST = 120, DIGEST = 16 };
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
	char digest[SHA256_HEX_BYTES];

	buf_printf(&out, "%s/", folder);
	for (size_t i = 0; i < text.len && out.len < LONGEST; i++) {
		char byte = text.ptr[i];

		if (str_starts(str_skip(text, i), STR("::"))) {
			buf_byte(&out, '.');
			i++;
		} else if (is_digit(byte) || is_lower(byte) || (byte && strchr(kept, byte))) {
			buf_byte(&out, byte);
		} else {
			buf_printf(&out, "~%02x", (unsigned char)byte);
		}
	}
	if (out.len >= LONGEST) {
		sha256_of(text, digest);
		buf_printf(&out, "~~%.*s", DIGEST, digest);
	}
	buf_add(&out, STR(".html"));
	return arena_keep(arena, buf_str(&out));
}

struct str site_operator_path(struct arena *arena, struct str name)
{
	return file_name(arena, "operators", name, "_");
}

struct str site_release_path(struct arena *arena, struct str id)
{
	return file_name(arena, "releases", id, "._-@");
}

struct str site_recipe_path(struct arena *arena, struct str name)
{
	return file_name(arena, "recipes", name, "_-");
}

struct str site_path_in(struct arena *arena, enum lang lang, struct str path)
{
	return lang == LANG_EN ? path : arena_printf(arena, "%.*s/%.*s", STR_ARG(lang_name(lang)), STR_ARG(path));
}

/* The address of a path below the folder of the site. */
static struct str address_from(struct site_page *page, struct str path)
{
	struct str own = site_path_in(&page->doc.arena, page->lang, page->path), part;
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;

	str_cut(&own, '/', &part);
	buf_add(&out, own.len ? STR("") : STR("./"));
	while (own.len && str_cut(&own, '/', &part))
		buf_add(&out, STR("../"));
	buf_add(&out, path);
	return arena_keep(&page->doc.arena, buf_str(&out));
}

struct str site_address(struct site_page *page, struct str path)
{
	return address_from(page, site_path_in(&page->doc.arena, page->lang, path));
}

void site_link_operator(struct site_page *page, struct doc *doc, struct str name)
{
	doc_link(doc, SPAN_NAME, site_address(page, site_operator_path(&page->doc.arena, name)), name);
}

/* --- the frame */

static void put_links(struct site_page *page)
{
	struct frame_link links[ARRAY_SIZE(places)];
	enum lang other = lang_other(page->lang);
	struct buf *out = &page->out;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		links[i] = (struct frame_link){ site_address(
							page, doc_format_of(&page->doc, "%s.html", places[i].path)),
			doc_label_of(&page->doc, places[i].label), str_starts(page->path, str_from(places[i].path)) };
	frame_put_navigation(out, page->lang, site_address(page, STR("index.html")), links, ARRAY_SIZE(places));
	html(out, "<p class=\"languages\">");
	frame_put_language(out, other, address_from(page, site_path_in(&page->doc.arena, other, page->path)));
	html(out, "</p></nav>\n");
}

/* Shown by the script that answers it (web/site.js). */
static void put_search(struct site_page *page)
{
	struct buf *out = &page->out;

	html(out,
		"<div role=\"search\" class=\"js-only-block\"><input id=\"find\" type=\"search\" autocomplete=\"off\"");
	html_attribute(out, "data-root", site_address(page, STR("")));
	html_attribute(out, "placeholder", doc_label_of(&page->doc, "site.find"));
	html_attribute(out, "aria-label", doc_label_of(&page->doc, "site.find"));
	html(out, "><div id=\"found\" role=\"status\"></div></div>\n");
}

struct site_page site_page_begin(struct site *site, enum lang lang, struct str path, struct str title)
{
	struct site_page page = { site, lang, path, doc_new(DOC_HTML, &(struct render_options){ .lang = lang }),
		BUF_UNLIMITED };

	frame_put_head(&page.out, &(struct frame){ .lang = lang,
					  .title = title,
					  .policy = policy,
					  .icon = address_from(&page, STR("assets/icon.svg")),
					  .styles = { address_from(&page, STR("assets/report.css")),
						  address_from(&page, STR("assets/app.css")) },
					  .scripts = { address_from(&page, STR("assets/app.js")),
						  address_from(&page, STR("assets/site.js")) } });
	put_links(&page);
	put_search(&page);
	html(&page.out, "<main id=\"main\">\n");
	return page;
}

void site_page_title(struct site_page *page, const char *title, const char *about)
{
	doc_title(&page->doc, title);
	doc_close(&page->doc);
	doc_say_label(&page->doc, BLOCK_PARAGRAPH, about);
}

int site_page_end(struct site_page *page, struct err *err)
{
	const struct opdb_info *info = opdb_info(page->site->db);
	struct arena *arena = &page->site->folder.arena;
	struct str path = site_path_in(arena, page->lang, page->path);
	int status;

	doc_put(&page->doc, &page->out);
	html(&page->out, "</main>\n");
	frame_put_foot(&page->out, arena_printf(arena, "%s \xc2\xb7 %.*s %.*s", page->site->version,
					   STR_ARG(info->build), STR_ARG(str_head(info->built_at, 'T'))));
	status = site_folder_write(&page->site->folder, path, buf_str(&page->out), err);
	buf_clear(&page->out);
	return status;
}
