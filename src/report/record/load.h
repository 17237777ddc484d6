#pragma once
/* Reports read back from JSON. */
#include "assess/model/result.h"
#include "base/memory/buf.h"
#include "base/setup/err.h"

/* Of the JSON report, as schema/report.schema.json describes it. */
#define REPORT_SCHEMA_VERSION "1.0.0"

/* Reads the text of a JSON report back into the result that it was written from. Rendering that as JSON gives the
   same bytes again. ERR_REPORT if it is not a report, lacks a key, or has a newer schema. */
int report_load(struct str text, struct result **ret, struct err *err);

/* The same, and gives the memory of the text up while it is read. */
int report_load_spending(struct buf *text, struct result **ret, struct err *err);
