#pragma once
/* Addresses of the files that pages are made of. */
#include "base/buf.h"

/* Appends the address of "/assets/app.css" with its digest, under which it never changes. */
void asset_put_address(struct buf *out, const char *path);
