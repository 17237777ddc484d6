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
static void put_option(const struct page *page, const struct release *release)
{
	html(page->out, "<option");
	html_attribute(page->out, "value", release->id);
	html_attribute(page->out, "data-torch", release->torch);
	html_attribute(page->out, "data-cann", release->cann);
	if (release->kind == RELEASE_FINAL)
		html(page->out, " data-stable");
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
static void put_newest(const struct page *page, const struct opdb *db, enum target_kind target, bool chosen)
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

void page_put_releases(const struct page *page, const struct opdb *db, enum target_kind target, bool newest_chosen)
{
	size_t count;
	const struct release *releases = opdb_target_releases(db, target, &count);

	put_newest(page, db, target, newest_chosen);
	for (size_t i = count; i-- > 0;)
		put_option(page, &releases[i]);
}

/* --- as a page */

struct target_rows {
	const struct release *releases;
	size_t count;
};

/* The newest first. */
static void put_row(struct doc *doc, const void *ctx, size_t at)
{
	const struct target_rows *rows = ctx;
	const struct release *release = &rows->releases[rows->count - 1 - at];
	const struct str cells[] = { release->id, release->torch, release->cann, release->pip, release->date,
		release->fallback };

	doc_row(doc);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		doc_cell_text(doc, cells[i]);
	doc_close(doc);
}

static void put_table(struct doc *doc, const struct opdb *db, enum target_kind target)
{
	static const struct doc_column columns[] = {
		{ .label = "report.target", .css = "name fixed" },
		{ .label = "page.torch-column" },
		{ .label = "page.cann" },
		{ .label = "page.pip" },
		{ .label = "page.date", .css = "fixed" },
		{ .label = "report.fallback" },
	};
	struct target_rows *rows = arena_alloc(&doc->arena, sizeof(*rows));

	rows->releases = opdb_target_releases(db, target, &rows->count);
	doc_section(doc, page_target_label(target));
	doc_table(doc, &(struct doc_table){ .columns = columns,
			       .count = ARRAY_SIZE(columns),
			       .row_count = rows->count,
			       .put_row = put_row,
			       .ctx = rows });
	doc_close(doc);
	doc_close(doc);
}

static int put_targets(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct page page;

	(void)err;
	page_reply(reply, request);
	page = page_begin(request, &reply->body, catalog_text(request->lang, STR("page.targets")));
	page_title(&page, "page.targets", "page.targets-about");
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		put_table(&page.doc, db, (enum target_kind)target);
	page_end(&page);
	return 0;
}

int page_targets(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_targets);
}
