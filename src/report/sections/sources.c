#include "report/sections/parts.h"

#include "base/memory/mem.h"
#include "report/doc/references.h"

static void add_all(struct references *references, const struct result_evidence *evidence, size_t count)
{
	for (size_t i = 0; i < count; i++)
		references_add(references, evidence[i].ref);
}

void sources_collect(struct doc *doc, const struct result *result)
{
	size_t most = SUM(i, result->finding_count, result->findings[i].evidence_count);

	for (size_t i = 0; i < result->operator_count; i++) {
		for (size_t j = 0; j < result->operators[i].verdict_count; j++)
			most += result->operators[i].verdicts[j].evidence_count;
	}
	doc->references = references_new(&doc->arena, most);
	for (size_t i = 0; i < result->finding_count; i++)
		add_all(doc->references, result->findings[i].evidence, result->findings[i].evidence_count);
	for (size_t i = 0; i < result->operator_count; i++) {
		const struct result_operator *op = &result->operators[i];

		for (size_t j = 0; j < op->verdict_count; j++)
			add_all(doc->references, op->verdicts[j].evidence, op->verdicts[j].evidence_count);
	}
}

void sources_build(struct doc *doc, const struct result *result UNUSED)
{
	doc_section(doc, "report.sources");
	doc_open(doc, BLOCK_SOURCES);
	for (size_t i = 0; i < doc->references->count; i++) {
		doc_open(doc, BLOCK_ITEM);
		doc_attribute(doc, "id", doc_format_of(doc, "source-%zu", i + 1));
		doc_link(doc, SPAN_PLAIN, doc->references->items[i].address, STR(""));
		doc_close(doc);
	}
	doc_close(doc);
	doc_close(doc);
}
