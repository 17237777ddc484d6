#pragma once
/* Builds a document (doc.h). Each block that is opened is closed by doc_close, in reverse. */
#include "report/doc/doc_table.h"

/* Returns whether it is built for one of the formats, for content of another shape or of high cost. */
static inline bool doc_is(const struct doc *doc, unsigned formats)
{
	return doc->format & formats;
}

/* Returns the number of items that a list of count shows: on a page PAGE_ROWS, elsewhere most, or all if the options
   say so, within their bound. */
enum { PAGE_ROWS = 300, SHORT_LIST = 20 };
size_t doc_shown(const struct doc *doc, size_t count, size_t most);

/* --- blocks */

void doc_open(struct doc *doc, enum doc_block style);
void doc_open_styled(struct doc *doc, unsigned formats, enum doc_block style); /* elsewhere without a mark */
void doc_title(struct doc *doc, const char *id);                               /* opens it */
void doc_section(struct doc *doc, const char *id);                             /* NULL: without heading */
/* With one heading in these formats, with another or none elsewhere. */
void doc_section_headed(struct doc *doc, unsigned formats, const char *id, const char *other);
void doc_more(struct doc *doc, const char *id); /* content shown by a click on this text */

/* Returns whether a block has no visible content. */
bool doc_is_empty(const struct doc_node *node);

/* Of the open block: an attribute in HTML; its colour. */
void doc_attribute(struct doc *doc, const char *name, struct str value);
void doc_set_mood(struct doc *doc, enum doc_mood mood);

/* Whole blocks of one piece: a statement, a text of the catalogue, the statement `id` with {count}. */
void doc_say_more(struct doc *doc, const char *id, uint64_t count); /* that a list does not show, and who does */
void doc_say_styled(struct doc *doc, enum doc_block style, enum doc_span span, struct str text);
#define doc_say_text(doc, style, text) doc_say_styled(doc, style, SPAN_PLAIN, text)
#define doc_say(doc, style, message) doc_say_text(doc, style, doc_message_of(doc, message))
#define doc_say_label(doc, style, id) doc_say_text(doc, style, doc_label_of(doc, id))
#define doc_say_count(doc, style, id, count) doc_say_with(doc, style, id, NUMBER("count", count))
#define doc_say_printf(doc, style, ...) doc_say_text(doc, style, doc_format_of(doc, __VA_ARGS__))
void doc_say_link(struct doc *doc, enum doc_block style, enum doc_span span, struct str address, struct str text);
void doc_say_each(struct doc *doc, enum doc_block style, const struct message *messages, size_t count);
void doc_say_list(struct doc *doc, enum doc_block list, const struct message *messages, size_t count);
void doc_code(struct doc *doc, struct str language, struct str lines);

/* A statement with its placeholders filled (MESSAGE): as a block, as a text of the document's language. */
#define doc_say_with(doc, style, id, ...) doc_say(doc, style, MESSAGE(&(doc)->arena, id, __VA_ARGS__))
#define doc_text_with(doc, id, ...) doc_message_of(doc, MESSAGE(&(doc)->arena, id, __VA_ARGS__))

/* --- pieces of a line */

void doc_styled(struct doc *doc, enum doc_span style, struct str text);
#define doc_text(doc, text) doc_styled(doc, SPAN_PLAIN, text)
#define doc_printf(doc, ...) doc_text(doc, doc_format_of(doc, __VA_ARGS__))
#define doc_label(doc, id) doc_text(doc, doc_label_of(doc, id))
#define doc_word(doc, set, value) doc_text(doc, doc_word_of(doc, set, value))
#define doc_message(doc, message) doc_text(doc, doc_message_of(doc, message))
#define doc_percent(doc, ppm) doc_text(doc, doc_percent_of(doc, ppm))
#define doc_interval(doc, interval) doc_text(doc, doc_interval_of(doc, interval))
void doc_tag(struct doc *doc, enum doc_set set, struct str value);
void doc_tag_text(struct doc *doc, enum doc_set set, struct str value, struct str text);
void doc_tag_in_doubt(struct doc *doc, enum doc_set set, struct str value, struct str text); /* never as a good one */
void doc_bar(struct doc *doc, struct result_interval interval);
void doc_link(struct doc *doc, enum doc_span style, struct str address, struct str text);
void doc_break(struct doc *doc);

/* Texts of the document's language, for parameters: of an id, of a value of a closed set, of a share; copies are in its
   arena. */
struct str doc_label_of(const struct doc *doc, const char *id);
struct str doc_word_of(struct doc *doc, const char *set, struct str value);
struct str doc_message_of(struct doc *doc, const struct message *message);
struct str doc_percent_of(struct doc *doc, int64_t ppm);
struct str doc_decimal_of(struct doc *doc, int64_t value, unsigned places); /* value / 10^places */
struct str doc_interval_of(struct doc *doc, struct result_interval interval);
struct str doc_names_of(struct doc *doc, const struct str *names, size_t count, uint64_t total); /* "a, b, ... +3" */
struct str doc_format_of(struct doc *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));
