#pragma once
/* A statement in PostgreSQL's notation of parameters. */
#include "base/memory/buf.h"

/* Appends the text with `?` as the next of `$1`, `$2` and so on, and `?3` as `$3`. Returns the number of parameters. */
unsigned postgresql_put_text(struct buf *out, const char *text);
