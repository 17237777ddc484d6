#include "check/site/site_home.h"

#include "check/site/site_page.h"

/* Statuses by row, targets by column: the number of operators. */
static void put_counts(struct site_page *page)
{
	const struct site *site = page->site;
	struct doc *doc = &page->doc;
	size_t targets = site->targets->count;
	struct doc_column *columns = arena_alloc(&doc->arena, (targets + 1) * sizeof(columns[0]));
	uint64_t *counts = arena_alloc(&doc->arena, targets * OP_STATUS_COUNT * sizeof(counts[0]));

	memset(counts, 0, targets * OP_STATUS_COUNT * sizeof(counts[0]));
	for (size_t i = 0; i < site->name_count * targets; i++)
		counts[site_statuses(site, i / targets)[i % targets] * targets + i % targets]++;
	columns[0] = (struct doc_column){ .label = "report.status" };
	for (size_t i = 0; i < targets; i++)
		columns[i + 1] = (struct doc_column){ .title = str_from(site->targets->items[i].id), .number = true };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = targets + 1 });
	for (unsigned status = 0; status < OP_STATUS_COUNT; status++) {
		doc_row(doc);
		doc_cell_tag(doc, SET_STATUS, op_status_name((enum op_status)status));
		for (size_t i = 0; i < targets; i++)
			doc_cell_number(doc, counts[status * targets + i]);
	}
	doc_table_end(doc);
}

static void put_way(struct site_page *page, const char *path, const char *label, const char *about)
{
	struct doc *doc = &page->doc;

	doc_open(doc, BLOCK_ITEM);
	doc_link(doc, SPAN_PLAIN, site_address(page, str_from(path)), doc_label_of(doc, label));
	doc_text(doc, STR(": "));
	doc_label(doc, about);
	doc_close(doc);
}

int site_put_home(struct site *site, enum lang lang, struct err *err)
{
	struct site_page page = site_page_begin(site, lang, STR("index.html"), catalog_text(lang, STR("site.title")));

	site_page_title(&page, "site.title", "site.about");
	put_counts(&page);
	doc_open(&page.doc, BLOCK_LIST);
	put_way(&page, "operators.html", "page.operators", "site.operators-about");
	put_way(&page, "releases.html", "page.targets", "site.releases-about");
	put_way(&page, "recipes.html", "recipes.title", "site.recipes-about");
	doc_close(&page.doc);
	return site_page_end(&page, err);
}
