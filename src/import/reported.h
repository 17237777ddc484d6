#pragma once
/* Import of reports of users and vendors. */
#include "import/import.h"

/* Reports of users and vendors, as CSV with the columns of reported.tsv. */
int import_reported(const struct import_options *options, const char *path, struct buf *report, struct err *err);
