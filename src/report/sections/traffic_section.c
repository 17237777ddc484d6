/* Collectives and copies of the dumps; JSON has them in the capture of each input. */
#include "report/sections/parts.h"

#include "dump/common/facts.h"

void traffic_build(struct doc *doc, const struct result *result)
{
	doc_section(doc, "report.traffic");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_traffic *traffic = &result->inputs[i].capture.traffic;

		for (size_t j = 0; j < traffic->collective_count; j++) {
			const struct result_collective *collective = &traffic->collectives[j];

			if (collective->reduction.len) /* the calls that it makes are counted */
				continue;
			doc_say_with(doc, BLOCK_ITEM,
				collective->dtype.len ? "traffic-collective" : "traffic-collective-untyped",
				BLANK("name", collective->name), BLANK("dtype", collective->dtype),
				NUMBER("ranks", collective->ranks), NUMBER("calls", collective->calls),
				NUMBER("elements", collective->in_elements));
		}
		for (size_t j = 0; j < traffic->copies_count; j++) {
			const struct result_copies *copies = &traffic->copies[j];

			doc_say_with(doc, BLOCK_ITEM, "traffic-copies",
				BLANK("kind", doc_word_of(doc, "copy", word_for(&copy_words, copies->kind))),
				NUMBER("calls", copies->calls), NUMBER("bytes", copies->bytes),
				BLANK("ms", doc_decimal_of(doc, copies->ns / 1000, 3)));
		}
	}
	doc_close(doc);
	doc_close(doc);
}
