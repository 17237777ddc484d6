#pragma once
/*
 * Every text that a person reads, by id, in each language. The catalogues are web/i18n/en.txt and zh-CN.txt, compiled
 * in.
 *
 * A line is "id: text"; "{name}" in a text is a blank, "{name:table|tables}" the form that fits its number. English is
 * complete by definition, the others by test.
 */
#include "assess/model/message.h"

enum lang { LANG_EN, LANG_ZH_CN, LANG_COUNT };

/* "en", "zh-CN". Static text. */
struct str lang_name(enum lang lang);

/* The one that a page has beside this one. */
static inline enum lang lang_other(enum lang lang)
{
	return lang == LANG_EN ? LANG_ZH_CN : LANG_EN;
}

/* The language meant by "zh", "zh_CN.UTF-8", "zh-Hans", "zh-TW", "en_US" ...; false for any other. */
bool lang_from(struct str text, enum lang *ret);

/* Returns the language of $OPCHECK_LANG, LC_ALL, LC_MESSAGES or LANG, the first that is set; English for any other. */
enum lang lang_of_locale(void);

/* The text with this id; falls back to English, then to the id itself. Static text. */
struct str catalog_text(enum lang lang, struct str id);

/* The word for a value of a closed set, "verdict.blocked"; the value itself without one. */
struct str catalog_word(enum lang lang, const char *set, struct str value);

/* Returns whether this language has a text with this id. */
bool catalog_has(enum lang lang, struct str id);

/* The id at a place of a language's catalogue, in the order of ids; an empty text past the end. */
struct str catalog_id(enum lang lang, size_t index);

/* Appends the text with its blanks filled from the message; a blank without a value becomes "?". Values that are words
   of a closed set (a status, an effort) appear in the language of the text. */
void catalog_put(struct buf *buf, enum lang lang, const struct message *message);

/* The same as a copy in an arena without a budget; "" for a message without an id. */
struct str catalog_keep(struct arena *arena, enum lang lang, const struct message *message);
#define catalog_say(arena, lang, id, ...) catalog_keep(arena, lang, MESSAGE(arena, id, __VA_ARGS__))

/* A copy of the text with the names of its blanks in capitals: "OPERATOR does not run on TARGET". */
struct str catalog_form(struct arena *arena, enum lang lang, struct str id);
