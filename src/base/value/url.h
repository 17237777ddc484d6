#pragma once
/* Pieces of addresses: percent encoding (RFC 3986). */
#include "base/memory/arena.h"
#include "base/memory/buf.h"

/* Appends text with every byte but letters, digits and "-._~" as %XX: fit for a path segment or a query value, and for
   HTML. */
void url_put(struct buf *buf, struct str text);

/* The same of a path, whose slashes stay. */
void url_put_path(struct buf *buf, struct str path);

/* Decode a text into arena. False for a broken escape or a NUL. */
bool url_decode(struct str text, struct arena *arena, struct str *ret);
