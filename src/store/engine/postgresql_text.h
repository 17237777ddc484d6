#pragma once
/* A statement in PostgreSQL's notation of parameters. */
#include "base/memory/buf.h"
#include "store/engine/value.h"

/* Appends the text with `?` as the next of `$1`, `$2` and so on, `?3` as `$3`, and `:name` as the number of that name.
   Returns the number of parameters. */
unsigned postgresql_put_text(struct buf *out, const char *text, struct parameter_names *names);
