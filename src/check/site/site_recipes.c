#include "check/site/site_recipes.h"

#include "check/site/site_page.h"

/* Names with a page are links; a pattern has none. */
static void put_recipe_operators(struct site_page *page, const struct recipe *recipe)
{
	struct doc *doc = &page->doc;
	struct str rest = recipe->operators, name;

	while (rest.len && str_cut(&rest, ' ', &name)) {
		if (site_find_name(page->site, name) < page->site->name_count)
			site_link_operator(page, doc, name);
		else
			doc_styled(doc, SPAN_NAME, name);
		doc_text(doc, STR(" "));
	}
}

static int put_recipe_list(struct site *site, enum lang lang, struct err *err)
{
	static const struct doc_column columns[] = { { .label = "site.recipe" }, { .label = "report.operator" },
		{ .label = "fix.effort" } };
	struct site_page page = site_page_begin(
		site, lang, STR("recipes.html"), catalog_text(lang, STR("recipes.title")));
	struct doc *doc = &page.doc;

	site_page_title(&page, "recipes.title", "site.recipes-about");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < site->recipes.count; i++) {
		const struct recipe *recipe = &site->recipes.items[i].recipe;

		doc_row(doc);
		doc_cell(doc);
		doc_link(
			doc, SPAN_NAME, site_address(&page, site_recipe_path(&doc->arena, recipe->name)), recipe->name);
		doc_cell(doc);
		put_recipe_operators(&page, recipe);
		doc_cell(doc);
		doc_word(doc, "effort", recipe->effort);
	}
	doc_table_end(doc);
	return site_page_end(&page, err);
}

static int put_recipe(struct site *site, enum lang lang, struct recipe_item *item, struct err *err)
{
	struct str name = item->recipe.name;
	struct site_page page = site_page_begin(site, lang, site_recipe_path(&site->folder.arena, name), name);

	doc_open(&page.doc, BLOCK_TITLE_NAME);
	doc_text(&page.doc, name);
	doc_close(&page.doc);
	doc_open(&page.doc, BLOCK_PARAGRAPH);
	put_recipe_operators(&page, &item->recipe);
	doc_close(&page.doc);
	recipe_list_build(&page.doc, &(struct recipe_list){ .items = item, .count = 1 });
	return site_page_end(&page, err);
}

int site_put_recipes(struct site *site, enum lang lang, struct err *err)
{
	int status = put_recipe_list(site, lang, err);

	for (size_t i = 0; i < site->recipes.count && !status; i++)
		status = put_recipe(site, lang, &site->recipes.items[i], err);
	return status;
}
