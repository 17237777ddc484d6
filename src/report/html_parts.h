#pragma once
/* Pieces of HTML that the report and the pages of the service share. Texts come from the catalogue, everything is
   escaped. */
#include "assess/model/result.h"
#include "report/catalog.h"
#include "report/htmlw.h"

/* The text with this id. */
void html_label(struct buf *out, enum lang lang, const char *id);

/* The word for a value of a closed set ("verdict.blocked"), or the value itself. */
void html_word(struct buf *out, enum lang lang, const char *set, struct str value);

/* The same as a coloured mark; its class is the prefix and the value. */
void html_tag(struct buf *out, enum lang lang, const char *prefix, const char *set, struct str value);
