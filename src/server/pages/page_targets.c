#include "server/pages/page_targets.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "check/database/diff_details.h"
#include "check/lookup/release_table.h"
#include "opdb/db/lists.h"
#include "opdb/db/target.h"
#include "opdb/diff.h"
#include "opdb/model/dtype.h"
#include "server/api/named.h"

#include "server/pages/handlers.h"
/* --- to choose from */

/* "npu@v2.7.1-26.0.0 - PyTorch 2.7.1, CANN 8.5.0" */
static void put_option(struct page *page, const struct release *release)
{
	page_html(page, "<option value=\"{}\" data-torch=\"{}\" data-cann=\"{}\"", release->id, release->torch,
		release->cann);
	if (release->kind == RELEASE_FINAL)
		page_html(page, " data-stable");
	page_html(page, ">{} \xc2\xb7 PyTorch {}", release->id, release->torch);
	if (release->cann.len)
		page_html(page, " \xc2\xb7 CANN {}", release->cann);
	page_html(page, "</option>\n");
}

/* The target's name alone, which means its newest stable release. */
static void put_newest(struct page *page, const struct opdb *db, enum target_kind target, bool chosen)
{
	const struct release *newest = opdb_newest(db, target, STR(""));

	page_html(page, "<option");
	if (chosen)
		page_html(page, " selected");
	page_html(page, " value=\"{}\">{} \xc2\xb7 {page.newest}", target_kind_name(target), target_kind_name(target));
	if (newest)
		page_html(page, " ({})", newest->name);
	page_html(page, "</option>\n");
}

void page_put_releases(struct page *page, const struct opdb *db, enum target_kind target, bool newest_chosen)
{
	size_t count;
	const struct release *releases = opdb_target_releases(db, target, &count);

	put_newest(page, db, target, newest_chosen);
	for (size_t i = count; i-- > 0;)
		put_option(page, &releases[i]);
}

/* --- two releases */

/* The release before the newest stable one of the first target, to compare with that; "" without one. */
static struct str release_before(const struct opdb *db)
{
	size_t count;
	const struct release *releases = opdb_target_releases(db, (enum target_kind)0, &count),
			     *newest = opdb_newest(db, (enum target_kind)0, STR(""));

	for (size_t i = count; i-- > 0 && newest;) {
		if (releases[i].kind == RELEASE_FINAL && releases[i].place < newest->place)
			return releases[i].id;
	}
	return STR("");
}

static void put_select(struct page *page, const struct opdb *db, const char *field, const char *label)
{
	struct str asked = request_value(page->request, field), name = str_from(field),
		   chosen = asked.len || strcmp(field, "from") != 0 ? asked : release_before(db);

	page_html(page, "<label for=\"{}\">{}</label> <select id=\"{}\" name=\"{}\">\n", name,
		doc_label_of(&page->doc, label), name, name);
	if (chosen.len)
		page_html(page, "<option selected>{}</option>\n", chosen);
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		page_put_releases(page, db, (enum target_kind)target, false);
	page_html(page, "</select>\n");
}

/* Compatible versions in each: the compatibility of the two. */
static void put_card(struct doc *doc, const struct target *pair)
{
	const struct release *a = pair[0].release, *b = pair[1].release;
	const struct {
		const char *label;
		struct str before, after;
	} rows[] = {
		{ "page.torch-column", a->torch, b->torch },
		{ "page.plugin", a->plugin, b->plugin },
		{ "page.cann", a->cann, b->cann },
		{ "page.pip", a->pip, b->pip },
		{ "page.date", a->date, b->date },
		{ "report.fallback", release_fallback(doc, a), release_fallback(doc, b) },
	};
	struct doc_column *columns = arena_alloc(&doc->arena, 3 * sizeof(columns[0]));

	columns[0] = (struct doc_column){ .label = "page.fits" };
	columns[1] = (struct doc_column){ .title = a->id };
	columns[2] = (struct doc_column){ .title = b->id };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = 3, .name = "card" });
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		doc_row(doc);
		doc_cell_text(doc, doc_label_of(doc, rows[i].label));
		doc_cell_text(doc, rows[i].before);
		doc_cell_text(doc, rows[i].after);
	}
	doc_table_end(doc);
}

struct difference_list {
	MEM_LIST(struct op_difference) items;
	struct diff_details details;
	size_t counts[CHANGE_COUNT];
};

static int add_difference(void *ctx, const struct op_difference *difference)
{
	struct difference_list *list = ctx;
	struct op_difference kept = *difference;

	kept.name = arena_keep(&list->details.arena, difference->name);
	list->counts[kept.change]++;
	MEM_PUSH(&list->items, kept);
	return 0;
}

static int add_detail(void *ctx, const struct op_detail *detail)
{
	return diff_details_add(&((struct difference_list *)ctx)->details, detail);
}

/* The operators that changed in one way; what got worse is open. */
static void put_change(struct page *page, const struct difference_list *list, enum op_change change)
{
	static const struct doc_column columns[] = { { .label = "report.operator" }, { .label = "page.compare-before" },
		{ .label = "page.compare-after" } };
	static const char *const labels[] = { [CHANGE_ADDED] = "page.change-added",
		[CHANGE_REMOVED] = "page.change-removed",
		[CHANGE_BETTER] = "page.change-better",
		[CHANGE_WORSE] = "page.change-worse" };
	struct doc *doc = &page->doc;

	doc_open(doc, BLOCK_MORE);
	if (change == CHANGE_WORSE)
		doc_attribute(doc, "open", STR(""));
	doc_say_printf(
		doc, BLOCK_SUMMARY, "%.*s: %zu", STR_ARG(doc_label_of(doc, labels[change])), list->counts[change]);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < list->items.count; i++) {
		const struct op_difference *difference = &list->items.items[i];

		if (difference->change != change)
			continue;
		doc_row(doc);
		page_cell_link(page, page_address(page, "/operators/", difference->name), difference->name);
		doc_cell_tag(doc, SET_STATUS, op_status_name(difference->before));
		doc_cell_tag(doc, SET_STATUS, op_status_name(difference->after));
	}
	doc_table_end(doc);
	doc_close(doc);
}

/* --- units, types and reports */

static void put_detail(struct page *page, const struct op_detail *detail)
{
	struct str reports[] = { detail->before, detail->after };
	struct doc *doc = &page->doc;

	doc_row(doc);
	page_cell_link(page, page_address(page, "/operators/", detail->name), detail->name);
	if (detail->aspect == ASPECT_REPORT) {
		doc_cell(doc);
		doc_text(doc, detail->text);
		doc_text(doc, STR(" "));
		doc_link(doc, SPAN_PLAIN, detail->ref, STR(""));
	} else {
		doc_cell_text(
			doc, doc_format_of(doc, "%.*s %.*s", STR_ARG(dtypes_text(&doc->arena, detail->dtypes, ", ")),
				     STR_ARG(chips_text(&doc->arena, TARGET_NPU, detail->chips, ", "))));
	}
	for (unsigned side = 0; side < 2; side++)
		doc_cell_text(doc, detail->aspect == ASPECT_REPORT ? reports[side] : diff_side_text(doc, detail, side));
}

static void put_aspect(struct page *page, const struct difference_list *list, enum diff_aspect aspect)
{
	static const struct doc_column columns[] = { { .label = "report.operator" }, { .label = "page.what" },
		{ .label = "page.compare-before" }, { .label = "page.compare-after" } };
	static const char *const labels[] = { [ASPECT_UNIT] = "page.units-differ",
		[ASPECT_TYPES] = "page.types-differ",
		[ASPECT_REPORT] = "page.reports-differ" };
	struct doc *doc = &page->doc;
	size_t count = 0, shown = 0;

	for (size_t i = 0; i < list->details.count; i++)
		count += list->details.items[i].what.aspect == aspect;
	if (!count)
		return;
	doc_open(doc, BLOCK_MORE);
	doc_say_printf(doc, BLOCK_SUMMARY, "%.*s: %zu", STR_ARG(doc_label_of(doc, labels[aspect])), count);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < list->details.count && shown < PAGE_ROWS; i++) {
		if (list->details.items[i].what.aspect != aspect)
			continue;
		put_detail(page, &list->details.items[i].what);
		shown++;
	}
	doc_table_end(doc);
	if (count > shown)
		doc_say_count(doc, BLOCK_SOFT, "page.more-rows", count - shown);
	doc_close(doc);
}

static int find_differences(
	const struct opdb *db, const struct target *pair, struct difference_list *list, struct err *err)
{
	struct resolver *resolver = resolver_new(db);
	struct diff_side before = { db, resolver, pair[0] }, after = { db, resolver, pair[1] };
	struct diff_sink sink = { .change = add_difference, .detail = add_detail, .ctx = list };
	int status;

	resolver_set_texts(resolver, false);
	status = opdb_diff(&before, &after, &sink, err);
	resolver_free(resolver);
	return status;
}

/* The page's texts are in the list until it is written. */
static int put_pair(struct page *page, const struct opdb *db, const struct target *pair, struct difference_list *list,
	struct err *err)
{
	static const enum op_change order[] = { CHANGE_WORSE, CHANGE_BETTER, CHANGE_REMOVED, CHANGE_ADDED };
	int status = find_differences(db, pair, list, err);

	put_card(&page->doc, pair);
	for (size_t i = 0; i < ARRAY_SIZE(order) && !status; i++) {
		if (list->counts[order[i]])
			put_change(page, list, order[i]);
	}
	if (!list->items.count)
		doc_say_label(&page->doc, BLOCK_SOFT, "page.same-operators");
	for (unsigned i = 0; i < ASPECT_COUNT && !status; i++)
		put_aspect(page, list, (enum diff_aspect)i);
	if (list->details.left_out)
		doc_say_count(&page->doc, BLOCK_SOFT, "db-diff.left-out", list->details.left_out);
	return status;
}

/* The two releases that are asked for: 1, 0 when there are none, or what is wrong with them. */
static int take_pair(const struct opdb *db, const struct request *request, struct target pair[2], struct err *err)
{
	struct str a = request_value(request, "from"), b = request_value(request, "to");
	int status;

	if (!a.len && !b.len)
		return 0;
	if (!a.len || !b.len) {
		err_set(err, ERR_ARGUMENT, "two releases are needed");
		return err_hint(err, "name them with ?from=RELEASE&to=RELEASE");
	}
	status = target_resolve(db, a, STR(""), &pair[0], err);
	if (!status)
		status = target_resolve(db, b, STR(""), &pair[1], err);
	return status ? status : 1;
}

static int put_targets(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct difference_list list = { .details = DIFF_DETAILS_INIT };
	struct target pair[2] = { 0 };
	struct page page;
	int status = take_pair(db, request, pair, err);

	if (status < 0)
		return status;
	page = page_start(reply, request, "page.targets");
	page_title(&page, "page.targets", "page.targets-about");
	doc_section(&page.doc, "page.two-releases");
	page_html(&page, "<form class=\"controls\" action=\"/targets\">\n");
	put_select(&page, db, "from", "page.compare-before");
	put_select(&page, db, "to", "page.compare-after");
	page_html(&page, "{keep-lang}<button type=\"submit\">{page.compare}</button></form>\n");
	page_figure(&page);
	if (status)
		status = put_pair(&page, db, pair, &list, err);
	doc_close(&page.doc);
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		release_table_build(&page.doc, db, (enum target_kind)target, NULL, NULL);
	page_end(&page);
	free(list.items.items);
	diff_details_clear(&list.details);
	return status;
}

int page_targets(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_targets);
}
