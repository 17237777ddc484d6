/* Collectives and copies that the dumps recorded; in JSON they stand in the capture of each input. */
#include <inttypes.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "report/html_parts.h"
#include "report/part.h"

static bool shown(const struct result *result)
{
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_traffic *traffic = &result->inputs[i].capture.traffic;

		if (traffic->collective_count || traffic->copies_count)
			return true;
	}
	return false;
}

static struct str number(struct arena *arena, uint64_t value)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(32);

	buf_printf(&text, "%" PRIu64, value);
	return arena_keep(arena, buf_str(&text));
}

static struct str milliseconds(struct arena *arena, int64_t ns)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	decimal_put(&text, ns / 1000, 3);
	return arena_keep(arena, buf_str(&text));
}

static struct message collective(struct arena *arena, const struct result_collective *collective)
{
	struct message message = message_of(
		collective->dtype.len ? "traffic-collective" : "traffic-collective-untyped");

	message_add(&message, "name", collective->name);
	message_add(&message, "dtype", collective->dtype);
	message_add(&message, "ranks", number(arena, collective->ranks));
	message_add(&message, "calls", number(arena, collective->calls));
	message_add(&message, "elements", number(arena, collective->in_elements));
	return message;
}

static struct message copies(struct arena *arena, const struct result_copies *copies)
{
	struct message message = message_of("traffic-copies");

	message_add(&message, "kind", copies->kind);
	message_add(&message, "calls", number(arena, copies->calls));
	message_add(&message, "bytes", number(arena, copies->bytes));
	message_add(&message, "ms", milliseconds(arena, copies->ns));
	return message;
}

/* Hands every statement on. */
static void each(const struct result *result, void (*say)(void *ctx, const struct message *message), void *ctx)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED); /* a few short texts */

	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_traffic *traffic = &result->inputs[i].capture.traffic;

		for (size_t j = 0; j < traffic->collective_count; j++) {
			struct message message = collective(&arena, &traffic->collectives[j]);

			say(ctx, &message);
		}
		for (size_t j = 0; j < traffic->copies_count; j++) {
			struct message message = copies(&arena, &traffic->copies[j]);

			say(ctx, &message);
		}
	}
}

static void say_line(void *ctx, const struct message *message)
{
	text_put(ctx, STR("- "));
	text_message(ctx, message, 2, 2);
}

static void text(struct page *page)
{
	text_heading(page, "report.traffic");
	each(page->result, say_line, page);
}

struct item_place {
	struct buf *out;
	enum lang lang;
};

static void say_item(void *ctx, const struct message *message)
{
	const struct item_place *place = ctx;

	html(place->out, "<li>");
	html_message(place->out, place->lang, message);
	html(place->out, "</li>\n");
}

static void page(struct buf *out, enum lang lang, const struct result *result)
{
	struct item_place place = { out, lang };

	html(out, "<h2>");
	html_label(out, lang, "report.traffic");
	html(out, "</h2>\n<ul>\n");
	each(result, say_item, &place);
	html(out, "</ul>\n");
}

const struct report_part part_traffic = { .shown = shown, .put_text = text, .put_html = page };
