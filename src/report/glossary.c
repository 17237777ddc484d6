/* What the words of a report mean: on a page, whose script shows the same beside each of them. */
#include "base/mem.h"
#include "report/page_sections.h"

/* A set of words: of the catalogue, and of the marks by which the script finds them. */
struct glossary_set {
	const char *name, *mark;
	const struct words *words;
	bool (*is_used)(const struct result *result, unsigned word);
};

static bool uses_verdict(const struct result *result, unsigned word)
{
	for (size_t i = 0; i < result->target_count; i++) {
		if (result->targets[i].verdict == word)
			return true;
	}
	for (size_t i = 0; i < result->releases.count; i++) {
		if (result->releases.items[i].verdict == word)
			return true;
	}
	return false;
}

static bool uses_status(const struct result *result, unsigned word)
{
	for (size_t i = 0; i < result->target_count; i++) {
		for (size_t j = 0; j < result->targets[i].count_count; j++) {
			if (result->targets[i].counts[j].status == word)
				return true;
		}
	}
	return false;
}

static bool uses_flag(const struct result *result, unsigned word)
{
	for (size_t i = 0; i < result->operator_count; i++) {
		for (size_t j = 0; j < result->operators[i].verdict_count; j++) {
			if (result->operators[i].verdicts[j].flags >> word & 1)
				return true;
		}
	}
	return false;
}

static bool uses_kind(const struct result *result, unsigned word)
{
	for (size_t i = 0; i < result->operator_count; i++) {
		if (result->operators[i].dynamic.kind == word)
			return true;
	}
	return false;
}

static bool uses_severity(const struct result *result, unsigned word)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		if (result->findings[i].severity == word)
			return true;
	}
	return false;
}

static bool uses_effort(const struct result *result, unsigned word)
{
	for (size_t i = 0; i < result->target_count; i++) {
		for (size_t j = 0; j < result->targets[i].fix_count; j++) {
			if (result->targets[i].fixes[j].effort == word)
				return true;
		}
	}
	return false;
}

static const struct glossary_set sets[] = {
	{ "verdict", "v-", &verdict_words, uses_verdict },
	{ "status", "s-", &op_status_words, uses_status },
	{ "flag", "f-", &flag_words, uses_flag },
	{ "severity", "l-", &severity_words, uses_severity },
	{ "kind", "k-", &dynamic_words, uses_kind },
	{ "effort", "e-", &effort_words, uses_effort },
};

static void put_word(struct doc *doc, const struct glossary_set *set, struct str word)
{
	struct str about = doc_format_of(doc, "%s.%.*s.about", set->name, STR_ARG(word));

	if (!catalog_has(LANG_EN, about))
		return;
	doc_open(doc, BLOCK_KEY);
	doc_attribute(doc, "data-word", doc_format_of(doc, "%s%.*s", set->mark, STR_ARG(word)));
	doc_text(doc, doc_word_of(doc, set->name, word));
	doc_close(doc);
	doc_open(doc, BLOCK_VALUE);
	doc_text(doc, catalog_text(doc->options.lang, about));
	doc_close(doc);
}

void glossary_build(struct doc *doc, const struct result *result)
{
	if (!doc_is(doc, DOC_HTML))
		return;
	doc_section(doc, "report.glossary");
	doc_open(doc, BLOCK_DETAILS);
	doc_attribute(doc, "id", STR("glossary"));
	doc_open(doc, BLOCK_SUMMARY);
	doc_label(doc, "report.glossary-about");
	doc_close(doc);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		doc_open(doc, BLOCK_KEYS);
		for (unsigned word = 0; word < sets[i].words->count; word++) {
			if (sets[i].is_used(result, word))
				put_word(doc, &sets[i], sets[i].words->items[word]);
		}
		doc_close(doc);
	}
	doc_close(doc);
	doc_close(doc);
}
