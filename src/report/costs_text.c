/* Costs in the text report. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "report/costs.h"
#include "report/text_page.h"

enum {
	INTERVAL = 12,
	BLOCKERS = 8,
	FIGURES = 1 + INTERVAL + 1 + INTERVAL + 1 + BLOCKERS,
	SHORT_FIXES = 5,
	SHORT_PLACES = 12
};

/* --- the way to ready */

static void put_figures(struct page *page, struct str device, struct str all, struct str blockers)
{
	text_put(page, STR(" "));
	textw_right(&page->text, device, INTERVAL);
	text_put(page, STR(" "));
	textw_right(&page->text, all, INTERVAL);
	text_put(page, STR(" "));
	textw_right(&page->text, blockers, BLOCKERS);
	text_put(page, STR("\n"));
}

/* A label and figures; a label that is too wide has a line of its own. */
static void put_line(struct page *page, struct str label, struct result_interval device, struct result_interval all,
	uint64_t blockers)
{
	unsigned columns = page->text.width - FIGURES;
	struct buf left = text_interval(device), right = text_interval(all), printable = textw_printable(label);
	char count[24];

	snprintf(count, sizeof(count), "%" PRIu64, blockers);
	if (utf8_columns(buf_str(&printable)) > columns) {
		textw_wrap(&page->text, buf_str(&printable), 0, 5);
		textw_left(&page->text, STR(""), columns);
	} else {
		textw_left(&page->text, buf_str(&printable), columns);
	}
	put_figures(page, buf_str(&left), buf_str(&right), str_from(count));
	buf_clear(&left);
	buf_clear(&right);
	buf_clear(&printable);
}

static void put_lifted(struct page *page, const struct result_fix *fix)
{
	struct message message = message_of("fix.lifts");
	struct buf names = BUF_UNLIMITED;

	for (size_t i = 0; i < fix->operator_count; i++)
		buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(fix->operators[i]));
	if (fix->operator_total > fix->operator_count)
		buf_printf(&names, ", ... +%" PRIu64, fix->operator_total - fix->operator_count);
	message_add(&message, "names", buf_str(&names));
	text_put(page, STR("     "));
	text_message(page, &message, 5, 5);
	buf_clear(&names);
}

static void put_fix(struct page *page, const struct result_fix *fix, size_t number)
{
	struct buf label = BUF_UNLIMITED;

	buf_printf(&label, "%3zu. %.*s %.*s (%.*s)", number, STR_ARG(text_word(page, "fix", fix->kind)),
		STR_ARG(fix->what), STR_ARG(text_word(page, "effort", fix->effort)));
	put_line(page, buf_str(&label), fix->readiness, fix->coverage, fix->blockers);
	if (str_eq(fix->kind, STR("release")) || str_eq(fix->kind, STR("package")))
		put_lifted(page, fix);
	buf_clear(&label);
}

static void put_fixes_of(struct page *page, const struct result_target *target)
{
	size_t shown = page->options->all || target->fix_count <= SHORT_FIXES ? target->fix_count : SHORT_FIXES;

	put_line(page, target->id, target->readiness.time, target->coverage.time, text_blockers(target));
	for (size_t i = 0; i < shown; i++)
		put_fix(page, &target->fixes[i], i + 1);
	if (shown < target->fix_count)
		text_count(page, "fix.more", target->fix_count - shown);
	if (target->fixes_left)
		text_count(page, "fix.left", target->fixes_left);
}

static void put_fixes(struct page *page)
{
	struct message about = message_of("fix.about");
	bool any = false;

	for (size_t i = 0; i < page->result->target_count; i++)
		any |= page->result->targets[i].fix_count > 0;
	if (!any)
		return;
	text_put(page, STR("\n"));
	textw_left(&page->text, text_label(page, "fix.title"), page->text.width - FIGURES);
	put_figures(page, text_label(page, "report.on-device"), text_label(page, "report.at-all"),
		text_label(page, "report.blockers"));
	for (size_t i = 0; i < page->result->target_count; i++) {
		if (page->result->targets[i].fix_count)
			put_fixes_of(page, &page->result->targets[i]);
	}
	text_message(page, &about, 0, 0);
}

/* --- on the CPU, and compiling */

static void put_sentences(struct page *page, struct str target, const struct message *lines, size_t count)
{
	struct buf printable = textw_printable(target);

	textw_wrap(&page->text, buf_str(&printable), 0, 2);
	for (size_t i = 0; i < count; i++) {
		text_put(page, STR("  "));
		text_message(page, &lines[i], 2, 2);
	}
	buf_clear(&printable);
}

static void put_crossing(struct page *page, const struct result_crossing *item, struct arena *arena)
{
	struct message message = message_of("cost.operator");
	uint64_t steps = page->result->cost.steps;

	message_add(&message, "operator", item->operator_name);
	message_add(&message, "time", costs_ms(arena, item->copy_ns + item->host_ns, steps));
	message_add_number(&message, arena, "calls", (int64_t)item->calls);
	message_add(&message, "out", costs_bytes(arena, item->bytes_to_host, steps));
	message_add(&message, "back", costs_bytes(arena, item->bytes_to_device, steps));
	text_put(page, STR("  - "));
	text_message(page, &message, 4, 4);
}

static void put_crossings(struct page *page)
{
	enum { SHORT = 3 };
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	bool any = false;

	for (size_t i = 0; i < page->result->target_count; i++) {
		const struct result_target *target = &page->result->targets[i];
		struct message lines[COST_LINES];
		size_t count = costs_say_crossings(page->result, target, &arena, lines);

		if (count && !any)
			text_heading(page, "cost.crossings");
		any |= count > 0;
		if (!count)
			continue;
		put_sentences(page, target->id, lines, count);
		for (size_t at = 0; at < target->crossings->item_count && (at < SHORT || page->options->all); at++)
			put_crossing(page, &target->crossings->items[at], &arena);
	}
	arena_clear(&arena);
}

static void put_compiling(struct page *page)
{
	const struct result_cost *cost = &page->result->cost;
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct message graphs = message_of("cost.graphs");
	bool any = false;

	for (size_t i = 0; i < page->result->target_count; i++) {
		struct message lines[COST_LINES];
		size_t count = costs_say_compiling(&page->result->targets[i], &arena, lines);

		if (count && !any)
			text_heading(page, "cost.compiling");
		any |= count > 0;
		if (count)
			put_sentences(page, page->result->targets[i].id, lines, count);
	}
	if (cost->graphs_known && cost->graphs > 1) {
		if (!any)
			text_heading(page, "cost.compiling");
		message_add_number(&graphs, &arena, "graphs", (int64_t)cost->graphs);
		text_message(page, &graphs, 0, 0);
	}
	arena_clear(&arena);
}

/* --- places */

enum { PLACE_COLUMNS = 13 };

static void put_place(struct page *page, const struct result_place *place, size_t targets)
{
	struct buf share = text_percent(place->share_ppm), printable = textw_printable(place->path);
	unsigned first = SHARE_COLUMNS + (unsigned)targets * (PLACE_COLUMNS + 1) + 2;

	textw_right(&page->text, buf_str(&share), SHARE_COLUMNS);
	for (size_t i = 0; i < targets; i++) {
		const struct result_place_target *target = &place->targets[i];
		struct buf off = text_percent(place->share_ppm - target->device_lo_ppm);

		if (target->blockers)
			buf_printf(&off, " (%" PRIu64 ")", target->blockers);
		text_put(page, STR(" "));
		textw_right(&page->text, buf_str(&off), PLACE_COLUMNS);
		buf_clear(&off);
	}
	text_put(page, STR("  "));
	textw_wrap(&page->text, buf_str(&printable), first, first);
	buf_clear(&share);
	buf_clear(&printable);
}

/* The least that a place must have off the device to be among so many. */
static int64_t threshold(const struct result *result, size_t most)
{
	int64_t *off = mem_zalloc((most + 1) * sizeof(off[0])), least;

	for (size_t i = 0; i < result->places.count; i++) {
		int64_t mine = costs_off_device(&result->places.items[i], result->target_count);
		size_t at = most;

		for (; at > 0 && off[at - 1] < mine; at--)
			off[at] = off[at - 1];
		off[at] = at < most ? mine : off[at];
	}
	least = off[most - 1];
	free(off);
	return least > 0 ? least : 1;
}

static void put_place_head(struct page *page, size_t targets)
{
	textw_right(&page->text, text_label(page, "report.share"), SHARE_COLUMNS);
	for (size_t i = 0; i < targets; i++) {
		text_put(page, STR(" "));
		textw_right(&page->text, page->result->targets[i].id, PLACE_COLUMNS);
	}
	text_put(page, STR("  "));
	text_put(page, text_word(page, "place", page->result->places.kind));
	text_put(page, STR("\n"));
}

/* Places with most that is not certain to run on the device, in the order of the tree. */
static void put_places(struct page *page)
{
	const struct result *result = page->result;
	size_t targets = result->target_count < 2 ? result->target_count : 2, shown = 0;
	int64_t least = page->options->all ? 1 : threshold(result, SHORT_PLACES);
	struct message about;

	if (!result->places.count)
		return;
	text_heading(page, "place.title");
	for (size_t i = 0; i < result->places.count; i++) {
		if (costs_off_device(&result->places.items[i], result->target_count) < least ||
			(shown == SHORT_PLACES && !page->options->all))
			continue;
		if (!shown)
			put_place_head(page, targets);
		put_place(page, &result->places.items[i], targets);
		shown++;
	}
	about = message_of(shown ? "place.about" : "place.fine");
	text_message(page, &about, 0, 0);
}

void text_costs(struct page *page)
{
	put_fixes(page);
	put_crossings(page);
	put_compiling(page);
	put_places(page);
}
