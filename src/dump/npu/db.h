#pragma once
/* The SQLite database that torch_npu's profiler exports (ascend_pytorch_profiler_RANK.db): its operators, from
   PYTORCH_API. */
#include "dump/common/format.h"
#include "io/source.h"

/* Returns whether a file that begins like this is an SQLite database. */
bool npu_db_sniff(struct str head);

/*
 * Read the file of a source (source_file) as immutable: views, triggers and functions of its schema never run, other
 * tables are not read, temporary files are not made, and values, work, time and memory are bounded
 * (limits.csv_cell_bytes and limits.database_*). Calls are held to be put in order; of texts those that calls name,
 * each once. ERR_FORMAT for a database of something else or a damaged one, ERR_LIMIT.
 */
int npu_db_read(const struct source *source, const struct dump_context *context, struct err *err);
