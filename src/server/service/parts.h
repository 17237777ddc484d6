#pragma once
/* Parts of a report that pages show by themselves: "releases", "shapes" and "questions". */
#include "assess/model/result.h"
#include "base/memory/buf.h"
#include "report/doc/catalog.h"

/* Append that part of a report as HTML; empty where the report has nothing of it. False: it has no such part. */
bool part_put(struct str form, enum lang lang, const struct result *result, struct buf *out);
