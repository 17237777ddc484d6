#pragma once
/*
 * The texts of a page in another language that differ from the first, so that a file with both has the rest once.
 *
 * Two texts of HTML whose elements are the same are walked side by side, text by text and attribute by attribute;
 * texts of white space alone count in neither, and scripts are passed over. The script of a page walks its elements
 * in the same order.
 */
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "json/jsonw.h"

struct html_words {
	struct buf bytes;      /* every word once, escaped as in HTML, one behind the other */
	MEM_LIST(size_t) ends; /* of each in bytes */
	MEM_LIST(uint32_t)
	steps; /* of the last comparison: texts that stay, then the number of the word that replaces the next */
	struct map by_text;
};

void html_words_clear(struct html_words *words);

/* Sets the steps from the first text to the other; false where they differ in more than words. */
bool html_words_compare(struct html_words *words, struct str first, struct str other);

/* As values of a list or of a key. */
void html_words_put_steps(const struct html_words *words, struct jsonw *json);
void html_words_put(const struct html_words *words, struct jsonw *json);

/* Compact the JSON after the first `from` bytes: drop its layout, and escapes that a script element does not need. */
void html_compact_json(struct buf *out, size_t from);
