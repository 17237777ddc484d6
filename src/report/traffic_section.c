/* Collectives and copies that the dumps recorded; in JSON they stand in the capture of each input. */
#include <inttypes.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "report/sections.h"

static bool has_traffic(const struct result *result)
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

static struct message copies_message(struct doc *doc, const struct result_copies *copies)
{
	struct message message = message_of("traffic-copies");

	message_add(&message, "kind", doc_word_of(doc, "copy", word_for(&copy_words, copies->kind)));
	message_add(&message, "calls", number(&doc->arena, copies->calls));
	message_add(&message, "bytes", number(&doc->arena, copies->bytes));
	message_add(&message, "ms", milliseconds(&doc->arena, copies->ns));
	return message;
}

void traffic_build(struct doc *doc, const struct result *result)
{
	if (!has_traffic(result))
		return;
	doc_section(doc, "report.traffic");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_traffic *traffic = &result->inputs[i].capture.traffic;

		for (size_t j = 0; j < traffic->collective_count; j++) {
			struct message message = collective(&doc->arena, &traffic->collectives[j]);

			if (traffic->collectives[j].reduction.len)
				continue; /* the calls that it makes are counted */

			doc_say(doc, BLOCK_ITEM, &message);
		}
		for (size_t j = 0; j < traffic->copies_count; j++) {
			struct message message = copies_message(doc, &traffic->copies[j]);

			doc_say(doc, BLOCK_ITEM, &message);
		}
	}
	doc_close(doc);
	doc_close(doc);
}
