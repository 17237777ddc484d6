#pragma once
/* Compressing what opcheck itself writes. */
#include "base/buf.h"

/* Appends bytes as one zstd frame. False when the buffer's maximum was reached, or memory was. */
bool zstd_pack(struct str bytes, struct buf *ret);
