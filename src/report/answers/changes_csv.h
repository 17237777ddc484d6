#pragma once
/* A comparison of two results as CSV. */
#include "assess/compare/changes.h"
#include "base/memory/buf.h"

/* A row for each change. */
void changes_put_csv(const struct changes *changes, struct buf *out);
