#pragma once
/* Files that are compiled in: packed once, and unchanging under an address that has their digest. */
#include "base/memory/buf.h"
#include "server/http/reply.h"

HANDLER(answer_asset);

/* Appends the address of "/assets/app.css" with its digest, under which it never changes. */
void asset_put_address(struct buf *out, struct str path);
