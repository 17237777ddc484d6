#pragma once
/* The SQLite database that torch_npu's profiler exports (ascend_pytorch_profiler_RANK.db): its operators, from
   PYTORCH_API. */
#include "dump/common/format.h"

/* Whether a file that begins like this is an SQLite database. */
bool npu_db_sniff(struct str head);

/*
 * Reads the file read-only and as one that nobody changes: no view, trigger or function of its schema runs, no other
 * table is read, and values and work are bounded (limits.csv_cell_bytes, limits.database_steps).
 * ERR_FORMAT for a database of something else or a damaged one, ERR_LIMIT.
 */
int npu_db_read(const char *path, const struct dump_context *context, struct err *err);
