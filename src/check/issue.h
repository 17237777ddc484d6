#pragma once
/* A draft for an issue at the vendor of a plugin: versions, what is known and where from, and a program that shows it. */
#include "check/lookup.h"

/* Appends Markdown about an operator on each of the targets that were asked about. ERR_DB_DAMAGED, ERR_LIMIT. */
int issue_put(struct lookup *lookup, enum lang lang, struct buf *out, struct err *err);
