#pragma once
/* Import of the registrations of a machine. */
#include "import/import.h"

/* The file that `opcheck snippet --registrations` makes the machine write. Appends a few lines of English to report. */
int import_registrations(const struct import_options *options, const char *path, struct buf *report, struct err *err);
