#include "check/site/site.h"

#include "check/lookup/lookup_doc.h"
#include "check/lookup/lookup_page.h"
#include "check/lookup/release_table.h"
#include "check/site/site_page.h"
#include "json/jsonw.h"
#include "report/doc/frame.h"
#include "report/doc/html_page.h"

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

static int site_put_releases(struct site *site, enum lang lang, struct err *err)
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

static int site_put_operator_list(struct site *site, enum lang lang, struct err *err)
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

/* In every language at once, as a look-up takes longer than its pages. */
static int site_put_operators(struct site *site, struct err *err)
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

/* --- the data of the search (web/site.js), as a script: a page that is a file cannot read data otherwise */

/* A name's path is left out where the script makes the same: "aten::add", operators/aten.add.html. */
static void put_entry(struct site *site, struct jsonw *json, struct str ns, size_t at)
{
	struct str name = site->names[at], path = site_operator_path(&site->folder.arena, name);
	struct str plain = arena_printf(
		&site->folder.arena, "operators/%.*s.%.*s.html", STR_ARG(ns), STR_ARG(str_skip(name, ns.len + 2)));

	jsonw_list(json);
	jsonw_str(json, name);
	jsonw_str(json, str_eq(path, plain) ? STR("") : path);
	for (size_t i = 0; i < site->targets->count; i++)
		jsonw_number(json, site_statuses(site, at)[i]);
	jsonw_list_end(json);
}

static int site_put_index(struct site *site, enum lang lang, struct err *err)
{
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
	struct jsonw json = jsonw_start(&out, 2);

	buf_add(&out, STR("window.opcheckIndex = "));
	jsonw_object(&json);
	jsonw_key_str(&json, "found", catalog_text(lang, STR("page.found")));
	jsonw_key_list(&json, "targets");
	for (size_t i = 0; i < site->targets->count; i++)
		jsonw_str(&json, str_from(site->targets->items[i].id));
	jsonw_list_end(&json);
	jsonw_key_list(&json, "statuses");
	for (unsigned i = 0; i < OP_STATUS_COUNT; i++) {
		struct str status = op_status_name((enum op_status)i);

		jsonw_list(&json);
		jsonw_str(&json, status);
		jsonw_str(&json, catalog_word(lang, "status", status));
		jsonw_list_end(&json);
	}
	jsonw_list_end(&json);
	jsonw_key_list(&json, "operators");
	for (size_t i = 0; i < site->name_count; i++)
		put_entry(site, &json, str_sub(site->names[i], 0, str_find(site->names[i], STR("::"))), i);
	jsonw_list_end(&json);
	jsonw_object_end(&json);
	buf_add(&out, STR(";\n"));
	return site_folder_write(
		&site->folder, site_path_in(&site->folder.arena, lang, STR("index.js")), buf_str(&out), err);
}

/* --- pages of recipes: the list, and each with its code */

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

	doc_say_styled(&page.doc, BLOCK_TITLE_NAME, SPAN_PLAIN, name);
	doc_open(&page.doc, BLOCK_PARAGRAPH);
	put_recipe_operators(&page, &item->recipe);
	doc_close(&page.doc);
	recipe_list_build(&page.doc, &(struct recipe_list){ .items = item, .count = 1 });
	return site_page_end(&page, err);
}

static int site_put_recipes(struct site *site, enum lang lang, struct err *err)
{
	int status = put_recipe_list(site, lang, err);

	for (size_t i = 0; i < site->recipes.count && !status; i++)
		status = put_recipe(site, lang, &site->recipes.items[i], err);
	return status;
}

/* --- the first page: operators counted by status, and the links on */

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

static int site_put_home(struct site *site, enum lang lang, struct err *err)
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

extern const char site_js[];

static int put_assets(struct site *site, struct err *err)
{
	const struct {
		struct str path;
		const char *text;
	} assets[] = {
		{ STR("assets/report.css"), report_css },
		{ STR("assets/app.css"), app_css },
		{ STR("assets/app.js"), app_js },
		{ STR("assets/site.js"), site_js },
		{ STR("assets/icon.svg"), icon_svg },
	};
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(assets) && !status; i++)
		status = site_folder_write(&site->folder, assets[i].path, str_from(assets[i].text), err);
	return status;
}

static int put_language(struct site *site, enum lang lang, struct err *err)
{
	static int (*const parts[])(struct site *, enum lang, struct err *) = { site_put_home, site_put_operator_list,
		site_put_releases, site_put_recipes, site_put_index };
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts) && !status; i++)
		status = parts[i](site, lang, err);
	return status;
}

static int sweep(struct site *site, enum lang lang, struct err *err)
{
	static const struct str folders[] = { STR("operators"), STR("releases"), STR("recipes") };
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(folders) && !status; i++)
		status = site_folder_sweep(&site->folder, site_path_in(&site->folder.arena, lang, folders[i]), err);
	return status;
}

int site_write(const struct site_request *request, struct site_result *ret, struct err *err)
{
	CLEANUP(site_state_clear)
	struct site site = { .db = request->db,
		.version = request->version,
		.targets = request->targets,
		.arena = ARENA_INIT(ARENA_UNLIMITED) };
	int status = site_folder_open(&site.folder, request->folder, err)
			     ?: site_state_find(&site, request->releases, err);

	/* the first page is the mark of a site: it comes before all others */
	for (unsigned lang = 0; lang < LANG_COUNT && !status; lang++)
		status = put_language(&site, (enum lang)lang, err);
	if (!status)
		status = site_put_operators(&site, err);
	if (!status)
		status = put_assets(&site, err);
	for (unsigned lang = 0; lang < LANG_COUNT && !status; lang++)
		status = sweep(&site, (enum lang)lang, err);
	*ret = (struct site_result){ site.name_count, site.release_count, site.recipes.count, site.folder.files.count,
		site.folder.bytes };
	site_folder_close(&site.folder);
	return status;
}
