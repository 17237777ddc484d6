#pragma once
/* Whole files in memory: databases, packs and keys. */
#include "base/memory/buf.h"
#include "base/setup/limits.h"

/* Appends the bytes of a file, decompressed, as far as the buffer has room. ERR_OPEN, ERR_DIRECTORY, ERR_LIMIT,
   ERR_DB_DAMAGED for one that is cut. */
int whole_read(const char *path, const struct limits *limits, struct buf *ret, struct err *err);
