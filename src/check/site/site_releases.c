#include "check/site/site_releases.h"

#include "check/lookup/release_table.h"
#include "check/site/site_page.h"

static struct str release_page(void *ctx, struct doc *doc, const struct release *release)
{
	struct site_page *page = ctx;

	if (ANY(i, page->site->release_count, page->site->releases[i].release == release))
		return site_address(page, site_release_path(&doc->arena, release->id));
	return STR("");
}

/* --- one release */

static enum op_status status_on(const struct site *site, size_t name, size_t release)
{
	return (enum op_status)site_statuses(site, name)[site->targets->count + release];
}

/* The operators of one status, shown by a click: those that do not run on the device. */
static void put_status(struct site_page *page, size_t release, enum op_status wanted)
{
	const struct site *site = page->site;
	struct doc *doc = &page->doc;
	size_t count = SUM(i, site->name_count, status_on(site, i, release) == wanted);

	if (!count)
		return;
	if (op_status_class(wanted) == CLASS_DEVICE || wanted == OP_UNKNOWN) {
		doc_open(doc, BLOCK_PARAGRAPH);
		doc_tag(doc, SET_STATUS, op_status_name(wanted));
		doc_printf(doc, ": %zu", count);
		doc_close(doc);
		return;
	}
	doc_open(doc, BLOCK_MORE);
	doc_say_printf(
		doc, BLOCK_SUMMARY, "%.*s: %zu", STR_ARG(doc_word_of(doc, "status", op_status_name(wanted))), count);
	doc_open(doc, BLOCK_PARAGRAPH);
	for (size_t i = 0; i < site->name_count; i++) {
		if (status_on(site, i, release) != wanted)
			continue;
		site_link_operator(page, doc, site->names[i]);
		doc_text(doc, STR(" "));
	}
	doc_close(doc);
	doc_close(doc);
}

/* Operators whose status differs from that on the release before. */
static void put_changes(struct site_page *page, size_t release)
{
	const struct site *site = page->site;
	const struct release *before = release ? site->releases[release - 1].release : NULL;
	struct doc *doc = &page->doc;
	struct doc_column *columns = arena_alloc(&doc->arena, 3 * sizeof(columns[0]));
	size_t count = 0;

	if (!before || before->target != site->releases[release].release->target)
		return;
	doc_section(doc, NULL);
	doc_say_with(doc, BLOCK_PARAGRAPH, "site.changes", BLANK("release", before->id));
	columns[0] = (struct doc_column){ .label = "report.operator" };
	columns[1] = (struct doc_column){ .title = before->id };
	columns[2] = (struct doc_column){ .title = site->releases[release].release->id };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = 3 });
	for (size_t i = 0; i < site->name_count; i++) {
		enum op_status was = status_on(site, i, release - 1), is = status_on(site, i, release);

		if (was == is)
			continue;
		count++;
		doc_row(doc);
		doc_cell(doc);
		site_link_operator(page, doc, site->names[i]);
		doc_cell_tag(doc, SET_STATUS, op_status_name(was));
		doc_cell_tag(doc, SET_STATUS, op_status_name(is));
	}
	doc_table_end(doc);
	if (!count)
		doc_say_label(doc, BLOCK_SOFT, "page.same-operators");
	doc_close(doc);
}

static int put_release(struct site *site, enum lang lang, size_t at, struct err *err)
{
	const struct release *release = site->releases[at].release;
	struct site_page page = site_page_begin(
		site, lang, site_release_path(&site->folder.arena, release->id), release->id);

	doc_say_styled(&page.doc, BLOCK_TITLE_NAME, SPAN_PLAIN, release->id);
	release_rows_build(&page.doc, release, 1, NULL, NULL);
	for (unsigned status = 0; status < OP_STATUS_COUNT; status++)
		put_status(&page, at, (enum op_status)status);
	put_changes(&page, at);
	return site_page_end(&page, err);
}

int site_put_releases(struct site *site, enum lang lang, struct err *err)
{
	struct site_page page = site_page_begin(
		site, lang, STR("releases.html"), catalog_text(lang, STR("page.targets")));
	int status;

	site_page_title(&page, "page.targets", "site.releases-about");
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		release_table_build(&page.doc, site->db, (enum target_kind)target, release_page, &page);
	status = site_page_end(&page, err);
	for (size_t i = 0; i < site->release_count && !status; i++)
		status = put_release(site, lang, i, err);
	return status;
}
