#pragma once
/*
 * HTML by pieces: constant markup goes in as it is, text only through a function that escapes it and makes control
 * characters visible. No function takes markup made at run time.
 */
#include "report/catalog.h"

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
