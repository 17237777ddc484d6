#pragma once
/*
 * HTML and Markdown by pieces. Constant markup goes in as it is, text only through a function that escapes it and makes
 * control characters visible. No function takes markup made at run time.
 */
#include "report/doc/catalog.h"

/* Markup; a literal. */
#define html(out, literal) buf_add((out), STR(literal))

/* Text between tags or in a quoted attribute. */
void html_text(struct buf *out, struct str text);

/* name="value" with a blank before it; name is a literal. */
void html_attribute(struct buf *out, const char *name, struct str value);

/* An address as a link if it is http or https, else as text. */
void html_link(struct buf *out, struct str address);

/* The text of the catalogue with this id; the word for a value of a closed set ("verdict.blocked"), or the value. */
void html_label(struct buf *out, enum lang lang, const char *id);
void html_word(struct buf *out, enum lang lang, const char *set, struct str value);

/* --- Markdown: text from a dump cannot end a cell, make a link, a tag, a mention or an issue reference */

/* Text, with what Markdown would read into it escaped and control characters visible. */
void md_text(struct buf *out, struct str text);

/* Whole lines of a finished text, at most that many bytes with the note how many lines were cut off. */
void md_put_head(struct buf *out, enum lang lang, struct str text, size_t most);
