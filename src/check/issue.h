#pragma once
/* A draft for an issue at the vendor of each plugin. */
#include "check/lookup/lookup.h"

/* Appends a draft for an issue at the vendor of each plugin, as Markdown: versions, what is known, its sources, and a
   program that shows it. ERR_DB_DAMAGED, ERR_LIMIT. */
int lookup_put_issue(struct lookup *lookup, enum lang lang, struct buf *out, struct err *err);
