/* Meanings of the words of a report; the script of a page shows them at each word, too. */
#include "report/doc/glossary.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"

enum { VERDICTS, STATUSES, FLAGS, SEVERITIES, KINDS, EFFORTS, SETS };

/* Sets of words: of the catalogue, and of the marks by which the script finds them. */
static const struct glossary_set {
	const char *name, *mark;
	const struct words *words;
} sets[SETS] = {
	[VERDICTS] = { "verdict", "v-", &verdict_words },
	[STATUSES] = { "status", "s-", &op_status_words },
	[FLAGS] = { "flag", "f-", &flag_words },
	[SEVERITIES] = { "severity", "l-", &severity_words },
	[KINDS] = { "kind", "k-", &dynamic_words },
	[EFFORTS] = { "effort", "e-", &effort_words },
};

/* The words of each set that the report has, as bits. */
static void mark_used(const struct result *result, unsigned ret[SETS])
{
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		ret[VERDICTS] |= 1U << target->verdict;
		for (size_t j = 0; j < target->count_count; j++)
			ret[STATUSES] |= 1U << target->counts[j].status;
		for (size_t j = 0; j < target->fix_count; j++)
			ret[EFFORTS] |= 1U << target->fixes[j].effort;
	}
	for (size_t i = 0; i < result->releases.count; i++)
		ret[VERDICTS] |= 1U << result->releases.items[i].verdict;
	for (size_t i = 0; i < result->operator_count; i++) {
		ret[KINDS] |= 1U << result->operators[i].dynamic.kind;
		for (size_t j = 0; j < result->operators[i].verdict_count; j++)
			ret[FLAGS] |= result->operators[i].verdicts[j].flags;
	}
	for (size_t i = 0; i < result->finding_count; i++)
		ret[SEVERITIES] |= 1U << result->findings[i].severity;
}

static void put_word(struct doc *doc, const struct glossary_set *set, struct str word)
{
	struct str about = doc_format_of(doc, "%s.%.*s.about", set->name, STR_ARG(word));

	if (!catalog_has(LANG_EN, about))
		return;
	doc_open(doc, BLOCK_KEY);
	doc_attribute(doc, "data-word", doc_format_of(doc, "%s%.*s", set->mark, STR_ARG(word)));
	doc_text(doc, doc_word_of(doc, set->name, word));
	doc_close(doc);
	doc_say_styled(doc, BLOCK_VALUE, SPAN_PLAIN, catalog_text(doc->options.lang, about));
}

void glossary_build(struct doc *doc, const struct result *result)
{
	unsigned used[SETS] = { 0 };

	mark_used(result, used);
	doc_section(doc, "report.glossary");
	doc_open(doc, BLOCK_DETAILS);
	doc_attribute(doc, "id", STR("glossary"));
	doc_say_label(doc, BLOCK_SUMMARY, "report.glossary-about");
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		doc_open(doc, BLOCK_KEYS);
		for (unsigned word = 0; word < sets[i].words->count; word++) {
			if (used[i] >> word & 1)
				put_word(doc, &sets[i], sets[i].words->items[word]);
		}
		doc_close(doc);
	}
	doc_close(doc);
	doc_close(doc);
}
