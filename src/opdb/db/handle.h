#pragma once
/*
 * Inside the database handle: the statements, and the small tables that are read when it is opened.
 *
 * The file may be damaged or hostile. Every value that selects something is checked when it is read: ERR_DB_DAMAGED.
 */
#include "base/memory/arena.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "opdb/db/columns.h"
#include "opdb/db/rules.h"
#include "opdb/db/tables.h"
#include "opdb/db/unit_fact.h"

struct sqlite3;
struct sqlite3_stmt;
struct recipe;
struct recipe_span;

/* Prepared queries; queries.c has their texts and records. */
enum query {
	QUERY_UNIVERSE,
	QUERY_SIGNATURES,
	QUERY_SUPPORT,
	QUERY_PACKAGES,
	QUERY_REPORTED,
	QUERY_APIS,
	QUERY_CHIPS,
	QUERY_AUTOCAST,
	QUERY_LEAVES,
	QUERY_GRADIENTS,
	QUERY_KERNEL_TYPES,
	QUERY_UNITS,
	QUERY_CANN_CALLS,
	QUERY_CASTS,
	QUERY_KERNEL_LIMITS,
	QUERY_TESTED_TYPES,
	QUERY_COLLECTIVES,
	QUERY_PACKAGE_OPS,
	QUERY_ARGUMENTS,
	QUERY_NAMES,
	QUERY_API_OPERATORS,
	QUERY_API_CALLS,
	QUERY_API_NAMES,
	QUERY_API_SUPPORT,
	QUERY_CALL_OPERATORS,
	QUERY_RECIPE_CODE,
	QUERY_COUNT,
};

struct opdb {
	struct sqlite3 *sqlite;
	struct sqlite3_stmt *queries[QUERY_COUNT];
	struct row_columns columns[QUERY_COUNT]; /* of the records of these */
	struct arena arena;
	struct opdb_info info;
	char pack_sha256[65];            /* info points to it */
	MEM_LIST(struct source) sources; /* id 1 first */
	MEM_LIST(struct torch_version) torch;
	MEM_LIST(struct release) releases; /* all of npu, then all of musa, each in the order of its target */
	MEM_LIST(struct package_version) versions;
	MEM_LIST(struct backend_rule) rules; /* id 1 first */
	MEM_LIST(struct special) specials;
	MEM_LIST(struct namespace_rule) namespaces;
	MEM_LIST(struct package_build) package_builds;
	MEM_LIST(struct implied_rule) implied;
	MEM_LIST(struct document) documents;
	MEM_LIST(struct dtype_rule) dtype_rules;
	MEM_LIST(struct recipe) recipes; /* id 1 first */
	MEM_LIST(struct recipe_span) recipe_spans;
	MEM_LIST(struct cann_version) cann;
	MEM_LIST(struct unit_condition) unit_conditions;
	MEM_LIST(struct slow_cast) slow_casts;
	MEM_LIST(struct operator_rule) operator_rules; /* by kind, then by name */
	struct map special_map;
	struct overlays *overlays;   /* NULL: none */
	struct facts *ahead;         /* NULL: before opdb_read_ahead */
	struct timing_facts *timing; /* filled when it is first asked for */
};
