#pragma once
/*
 * Inside the database handle: the statements, and the small tables that are read when it is opened.
 *
 * The file may be damaged or hostile. Every value that selects something is checked when it is read; what does not fit
 * is ERR_DB_DAMAGED.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "opdb/db/rules.h"
#include "opdb/db/tables.h"

struct sqlite3;
struct sqlite3_stmt;
struct recipe;
struct recipe_span;
struct dtype_rule;
struct overlays;

/* Queries that are asked again and again; their texts stand in row.c. */
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
	QUERY_NAMES,
	QUERY_API_OPERATORS,
	QUERY_RECIPE_CODE,
	QUERY_COUNT,
};

#define LIST_OF(type)                                                                                                  \
	struct {                                                                                                       \
		struct type *items;                                                                                    \
		size_t count, capacity;                                                                                \
	}

struct opdb {
	struct sqlite3 *sqlite;
	struct sqlite3_stmt *queries[QUERY_COUNT];
	struct arena arena;
	struct opdb_info info;
	LIST_OF(source) sources; /* id 1 first */
	LIST_OF(torch_version) torch;
	LIST_OF(release) releases; /* all of npu, then all of musa, each in the order of its target */
	LIST_OF(package_version) versions;
	LIST_OF(backend_rule) rules; /* id 1 first */
	LIST_OF(special) specials;
	LIST_OF(namespace_rule) namespaces;
	LIST_OF(implied_rule) implied;
	LIST_OF(document) documents;
	LIST_OF(dtype_rule) dtype_rules;
	LIST_OF(recipe) recipes; /* id 1 first */
	LIST_OF(recipe_span) recipe_spans;
	struct map special_map;
	struct overlays *overlays; /* NULL: none */
};

/* Reads the small tables of a handle that is being opened; what is read is checked. ERR_DB_DAMAGED. */
int load_tables(struct opdb *db, struct err *err);
