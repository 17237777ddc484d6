/* The releases that the support database knows: as a page, and to choose from. */
#include "base/mem.h"
#include "opdb/db/lists.h"
#include "opdb/db/target.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page.h"

const char *page_target_label(enum target_kind target)
{
	return target == TARGET_NPU ? "page.group-npu" : "page.group-musa";
}

/* --- to choose from */

/* "npu@v2.7.1-26.0.0 - PyTorch 2.7.1, CANN 8.5.0" */
static void put_option(struct page *page, const struct release *release)
{
	html(page->out, "<option");
	html_attribute(page->out, "value", release->id);
	html(page->out, ">");
	html_text(page->out, release->id);
	html(page->out, " \xc2\xb7 PyTorch ");
	html_text(page->out, release->torch);
	if (release->cann.len) {
		html(page->out, " \xc2\xb7 CANN ");
		html_text(page->out, release->cann);
	}
	html(page->out, "</option>\n");
}

/* The target's name alone, which means its newest stable release. */
static void put_newest(struct page *page, const struct opdb *db, enum target_kind target, bool chosen)
{
	const struct release *newest = opdb_newest(db, target, STR(""));

	html(page->out, "<option");
	if (chosen)
		html(page->out, " selected");
	html_attribute(page->out, "value", target_kind_name(target));
	html(page->out, ">");
	html_text(page->out, target_kind_name(target));
	html(page->out, " \xc2\xb7 ");
	page_label(page, "page.newest");
	if (newest) {
		html(page->out, " (");
		html_text(page->out, newest->name);
		html(page->out, ")");
	}
	html(page->out, "</option>\n");
}

void page_put_releases(struct page *page, const struct opdb *db, enum target_kind target, bool newest_chosen)
{
	size_t count;
	const struct release *releases = opdb_target_releases(db, target, &count);

	put_newest(page, db, target, newest_chosen);
	for (size_t i = count; i-- > 0;)
		put_option(page, &releases[i]);
}

/* --- as a page */

static void put_cell(struct page *page, struct str text)
{
	html(page->out, "<td>");
	html_text(page->out, text);
	html(page->out, "</td>");
}

static void put_row(struct page *page, const struct release *release)
{
	html(page->out, "<tr><td class=\"name fixed\">");
	html_text(page->out, release->id);
	html(page->out, "</td>");
	put_cell(page, release->torch);
	put_cell(page, release->cann);
	put_cell(page, release->pip);
	html(page->out, "<td class=\"fixed\">");
	html_text(page->out, release->date);
	html(page->out, "</td>");
	put_cell(page, release->fallback);
	html(page->out, "</tr>\n");
}

static void put_table(struct page *page, const struct opdb *db, enum target_kind target)
{
	static const char *const heads[] = { "report.target", "page.torch-column", "page.cann", "page.pip", "page.date",
		"report.fallback" };
	size_t count;
	const struct release *releases = opdb_target_releases(db, target, &count);

	html(page->out, "<h2>");
	page_label(page, page_target_label(target));
	html(page->out, "</h2>\n");
	page_table(page, heads, ARRAY_SIZE(heads));
	for (size_t i = count; i-- > 0;)
		put_row(page, &releases[i]);
	html(page->out, "</tbody>\n</table></div>\n");
}

static int put_targets(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct page page;

	(void)err;
	page_reply(reply, request);
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.targets")));
	page_title(&page, "page.targets", "page.targets-about");
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		put_table(&page, db, (enum target_kind)target);
	page_end(&page);
	return 0;
}

int page_targets(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_targets);
}
