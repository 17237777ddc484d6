#include "check/lookup/release_table.h"

#include "base/memory/mem.h"
#include "opdb/db/lists.h"

const char *release_group_label(enum target_kind target)
{
	return target == TARGET_NPU ? "page.group-npu" : "page.group-musa";
}

/* The facts have it in English; what an overlay says in other words stays as it is. */
struct str release_fallback(struct doc *doc, const struct release *release)
{
	static const char *const known[] = { "fallback.boxed", "fallback.boxed-gated", "fallback.listed",
		"fallback.none", "fallback.wrapped" };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (str_eq(release->fallback, catalog_text(LANG_EN, str_from(known[i]))))
			return doc_label_of(doc, known[i]);
	}
	return release->fallback;
}

/* The newest first. */
struct release_rows {
	const struct release *releases;
	size_t count;
	release_address *address;
	void *ctx;
};

static void put_release_row(struct doc *doc, const void *ctx, size_t at)
{
	const struct release_rows *rows = ctx;
	const struct release *release = &rows->releases[rows->count - 1 - at];
	const struct str cells[] = { release->torch, release->cann, release->pip, release->date,
		release_fallback(doc, release) };
	struct str address = rows->address ? rows->address(rows->ctx, doc, release) : STR("");

	doc_row(doc);
	doc_cell(doc);
	if (address.len)
		doc_link(doc, SPAN_PLAIN, address, release->id);
	else
		doc_text(doc, release->id);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		doc_cell_text(doc, cells[i]);
}

void release_rows_build(
	struct doc *doc, const struct release *releases, size_t count, release_address *address, void *ctx)
{
	static const struct doc_column columns[] = {
		{ .label = "report.target", .css = "name fixed" },
		{ .label = "page.torch-column" },
		{ .label = "page.cann" },
		{ .label = "page.pip" },
		{ .label = "page.date", .css = "fixed" },
		{ .label = "report.fallback" },
	};
	struct release_rows *rows = arena_alloc(&doc->arena, sizeof(*rows));

	*rows = (struct release_rows){ releases, count, address, ctx };
	doc_table_of(doc, columns, count, put_release_row, rows);
	doc_table_end(doc);
}

void release_table_build(
	struct doc *doc, const struct opdb *db, enum target_kind target, release_address *address, void *ctx)
{
	size_t count;
	const struct release *releases = opdb_target_releases(db, target, &count);

	doc_section(doc, release_group_label(target));
	release_rows_build(doc, releases, count, address, ctx);
	doc_close(doc);
}
