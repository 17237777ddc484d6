#include "check/database/diff_details.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "opdb/model/chip.h"
#include "opdb/model/dtype.h"
#include "report/doc/doc_build.h"

/* Details that are kept at most: when every unit of every release moves, the first ones tell enough. */
enum { MOST_DETAILS = 100 * 1000 };

void diff_details_clear(struct diff_details *details)
{
	free(details->items);
	arena_clear(&details->arena);
}

int diff_details_add(void *ctx, const struct op_detail *what)
{
	struct diff_details *details = ctx;
	struct diff_detail detail = { details->release, *what, details->count };

	if (details->count == MOST_DETAILS) {
		details->left_out++;
		return 0;
	}
	detail.what.name = arena_keep(&details->arena, what->name);
	detail.what.text = arena_keep(&details->arena, what->text);
	detail.what.ref = arena_keep(&details->arena, what->ref);
	for (size_t i = 0; i < ARRAY_SIZE(detail.what.kernels); i++)
		detail.what.kernels[i] = arena_keep(&details->arena, what->kernels[i]);
	MEM_PUSH(details, detail);
	return 0;
}

static int detail_order(const struct diff_detail *a, const struct diff_detail *b)
{
	const struct op_detail *left = &a->what, *right = &b->what;
	const struct str texts[][2] = { { left->before, right->before }, { left->after, right->after },
		{ left->kernels[0], right->kernels[0] }, { left->kernels[1], right->kernels[1] },
		{ left->text, right->text }, { left->ref, right->ref } };
	int order = str_cmp(left->name, right->name) ?:
		    ORDER(left->aspect, right->aspect) ?:
		    ORDER(left->dtypes, right->dtypes) ?:
		    ORDER(left->chips, right->chips);

	for (size_t i = 0; i < ARRAY_SIZE(texts) && !order; i++)
		order = str_cmp(texts[i][0], texts[i][1]);
	return order;
}

static int by_detail(const void *a, const void *b)
{
	const struct diff_detail *left = a, *right = b;

	return detail_order(left, right) ?: ORDER(left->place, right->place);
}

void diff_details_sort(struct diff_details *details)
{
	MEM_SORT(details, by_detail);
}

size_t diff_details_same(const struct diff_details *details, size_t at)
{
	size_t end = at + 1;

	while (end < details->count && !detail_order(&details->items[at], &details->items[end]))
		end++;
	return end - at;
}

/* " (npu@v2.7.1-7.3.0)", or " (npu@v2.6.0-7.3.0 .. npu@v2.7.1-26.0.0, 12)"; "" between two releases. */
static struct str releases_text(struct doc *doc, const struct diff_detail *details, size_t count)
{
	if (!details->release.len)
		return STR("");
	return count == 1 ? doc_format_of(doc, " (%.*s)", STR_ARG(details->release))
			  : doc_format_of(doc, " (%.*s .. %.*s, %zu)", STR_ARG(details->release),
				    STR_ARG(details[count - 1].release), count);
}

struct str diff_side_text(struct doc *doc, const struct op_detail *what, unsigned side)
{
	struct str word = doc_word_of(doc, "db-diff.is", side ? what->after : what->before);
	struct str kernels = what->kernels[side];

	return kernels.len && !str_eq(what->kernels[0], what->kernels[1])
		       ? doc_format_of(doc, "%.*s (%.*s)", STR_ARG(word), STR_ARG(kernels))
		       : word;
}

static void put_detail(struct doc *doc, const struct diff_detail *details, size_t count)
{
	static const char *const ids[] = { [ASPECT_UNIT] = "db-diff.unit", [ASPECT_TYPES] = "db-diff.limit" };
	const struct op_detail *what = &details->what;
	struct message message = message_of(what->aspect != ASPECT_REPORT ? ids[what->aspect]
					    : what->after.len             ? "db-diff.report-added"
									  : "db-diff.report-removed");
	bool report = what->aspect == ASPECT_REPORT;

	message_add(&message, "operator", what->name);
	message_add(&message, "releases", releases_text(doc, details, count));
	if (what->aspect == ASPECT_UNIT)
		message_add(&message, "chips", chips_text(&doc->arena, TARGET_NPU, what->chips, ", "));
	if (!report)
		message_add(&message, "dtypes", dtypes_text(&doc->arena, what->dtypes, ", "));
	message_add(&message, "before", report ? what->text : diff_side_text(doc, what, 0));
	message_add(&message, "after", report ? what->ref : diff_side_text(doc, what, 1));
	doc_say(doc, BLOCK_ITEM, &message);
}

void diff_details_build(struct doc *doc, const struct diff_details *details)
{
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0, count; i < details->count; i += count) {
		count = diff_details_same(details, i);
		put_detail(doc, &details->items[i], count);
	}
	doc_close(doc);
	if (details->left_out)
		doc_say_count(doc, BLOCK_PARAGRAPH, "db-diff.left-out", details->left_out);
}
