#include "check/site/site_operators.h"

#include "check/lookup/lookup_doc.h"
#include "check/lookup/lookup_page.h"
#include "check/site/site_page.h"

/* --- the list */

struct operator_rows {
	struct site_page *page;
	size_t first;
};

static void put_operator_row(struct doc *doc, const void *ctx, size_t row)
{
	const struct operator_rows *rows = ctx;
	struct site_page *page = rows->page;
	const struct site *site = page->site;

	doc_row(doc);
	doc_cell(doc);
	site_link_operator(page, doc, site->names[rows->first + row]);
	for (size_t i = 0; i < site->targets->count; i++)
		doc_cell_tag(doc, SET_STATUS, op_status_name(site_statuses(site, rows->first + row)[i]));
}

/* The operators of one namespace from there on; returns where the next one begins. */
static size_t put_namespace(struct site_page *page, size_t from)
{
	const struct site *site = page->site;
	struct doc *doc = &page->doc;
	struct operator_rows *rows = arena_alloc(&doc->arena, sizeof(*rows));
	struct str ns = str_sub(site->names[from], 0, str_find(site->names[from], STR("::")) + 2);
	const struct target_list *targets = site->targets;
	struct doc_column *columns = arena_alloc(&doc->arena, (targets->count + 1) * sizeof(columns[0]));
	size_t end = from;

	columns[0] = (struct doc_column){ .label = "report.operator" };
	for (size_t i = 0; i < targets->count; i++)
		columns[i + 1] = (struct doc_column){ .title = str_from(targets->items[i].id) };
	while (end < site->name_count && str_starts(site->names[end], ns))
		end++;
	*rows = (struct operator_rows){ page, from };
	doc_open(doc, BLOCK_MORE);
	if (from == 0 || str_eq(ns, STR("aten::")))
		doc_attribute(doc, "open", STR(""));
	doc_say_printf(doc, BLOCK_SUMMARY, "%.*s: %zu", STR_ARG(str_chop(ns, 2)), end - from);
	doc_table(doc, &(struct doc_table){ .columns = columns,
			       .count = targets->count + 1,
			       .row_count = end - from,
			       .put_row = put_operator_row,
			       .ctx = rows });
	doc_table_end(doc);
	doc_close(doc);
	return end;
}

int site_put_operator_list(struct site *site, enum lang lang, struct err *err)
{
	struct site_page page = site_page_begin(
		site, lang, STR("operators.html"), catalog_text(lang, STR("page.operators")));

	site_page_title(&page, "page.operators", "site.operators-about");
	for (size_t at = 0; at < site->name_count;)
		at = put_namespace(&page, at);
	return site_page_end(&page, err);
}

/* --- one operator */

static void put_recipe_links(struct site_page *page, const struct recipe_list *recipes)
{
	struct doc *doc = &page->doc;

	doc_section(doc, "recipes.title");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < recipes->count; i++) {
		const struct recipe *recipe = &recipes->items[i].recipe;

		doc_open(doc, BLOCK_ITEM);
		doc_link(doc, SPAN_NAME, site_address(page, site_recipe_path(&doc->arena, recipe->name)), recipe->name);
		doc_printf(doc, ": %.*s",
			STR_ARG(doc->options.lang == LANG_ZH_CN ? recipe->advice_zh : recipe->advice_en));
		doc_close(doc);
	}
	doc_close(doc);
	doc_close(doc);
}

/* Under the name of the list; the look-up may read a dot in it as that before an overload. */
static int put_operator(
	struct site *site, enum lang lang, struct str name, const struct lookup *lookup, struct err *err)
{
	struct site_page page = site_page_begin(site, lang, site_operator_path(&site->folder.arena, name), name);

	lookup_build_head(&page.doc, lookup);
	lookup_build_life(&page.doc, site->db, lookup);
	lookup_build_answers(&page.doc, lookup);
	if (lookup->recipes.count)
		put_recipe_links(&page, &lookup->recipes);
	return site_page_end(&page, err);
}

int site_put_operators(struct site *site, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < site->name_count && !status; i++) {
		struct lookup lookup;

		status = lookup_run(site->db, site->names[i], site->targets, &lookup, err);
		for (unsigned lang = 0; lang < LANG_COUNT && !status; lang++)
			status = put_operator(site, (enum lang)lang, site->names[i], &lookup, err);
		lookup_clear(&lookup);
	}
	return status;
}
