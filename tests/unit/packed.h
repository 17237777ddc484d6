#pragma once
/* Compressed bytes for tests. */
#include "base/memory/buf.h"

/* Appends one gzip member / one zstd frame (without a checksum) that holds text. */
void pack_gzip(struct buf *ret, struct str text);
void pack_zstd(struct buf *ret, struct str text);

/* Fills a buffer with text that compresses neither well nor badly. */
void pack_sample(struct buf *ret, size_t bytes);
