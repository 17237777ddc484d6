#pragma once
/*
 * Tables like those of the vendors' analysis tools, as CSV: each Python API that the scripts call with its support by
 * the vendor's documents, and what a port does. Only torch_npu has such documents.
 */
#include "opdb/db/opdb.h"
#include "opdb/db/target.h"
#include "scan/find/program.h"

enum source_table {
	TABLE_UNSUPPORTED_API, /* the documents say that it is not supported */
	TABLE_UNKNOWN_API,     /* they do not say */
	TABLE_API_LIMITS,      /* it is supported for some types or chips, or in a way that they limit */
	TABLE_CUDA_OP_LIST,    /* operators and kernels for CUDA that the program brings along */
	TABLE_CHANGE_LIST,     /* must change, with one replacement */
	TABLE_AFFINITY,        /* has a faster API of the plugin */
	SOURCE_TABLES
};

/* "unsupported_api.csv" ... */
extern const struct str source_table_files[SOURCE_TABLES];

struct source_tables {
	struct buf csv[SOURCE_TABLES]; /* of the caller */
	const struct opdb *db;
	const struct target *targets;
	size_t target_count;
};

/* Appends a head and a row a place and target to each. ERR_DB_DAMAGED, ERR_LIMIT. */
int source_tables_put(const struct program *program, struct source_tables *tables, struct err *err);
