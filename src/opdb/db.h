#pragma once
/*
 * Inside the database handle: the statements, the small tables that are read when it is opened, and reading rows.
 *
 * The file may be damaged or hostile. Every value that selects something is checked when it is read; what does not fit
 * is ERR_DB_DAMAGED.
 */
#include "base/arena.h"
#include "base/map.h"
#include "opdb/opdb.h"
#include "opdb/recipe.h"
#include "opdb/tables.h"

struct sqlite3;
struct sqlite3_stmt;

enum query {
	QUERY_INFO,
	QUERY_SOURCES,
	QUERY_TORCH,
	QUERY_RELEASES,
	QUERY_PACKAGE_VERSIONS,
	QUERY_RULES,
	QUERY_RULE_SOURCES,
	QUERY_SPECIAL,
	QUERY_NAMESPACES,
	QUERY_UNIVERSE,
	QUERY_SIGNATURES,
	QUERY_SUPPORT,
	QUERY_PACKAGES,
	QUERY_REPORTED,
	QUERY_DOCUMENTS,
	QUERY_APIS,
	QUERY_CHIPS,
	QUERY_AUTOCAST,
	QUERY_LEAVES,
	QUERY_GRADIENTS,
	QUERY_IMPLIED,
	QUERY_DTYPE_RULES,
	QUERY_KERNEL_TYPES,
	QUERY_NAMES,
	QUERY_RECIPES,
	QUERY_RECIPE_SPANS,
	QUERY_RECIPE_CODE,
	QUERY_COUNT,
};

struct opdb {
	struct sqlite3 *sqlite;
	struct sqlite3_stmt *queries[QUERY_COUNT];
	struct arena arena;
	struct opdb_info info;
	struct {
		struct recipe *items;
		size_t count, capacity;
	} recipes; /* id 1 first */
	struct {
		struct recipe_span *items;
		size_t count, capacity;
	} recipe_spans;
	struct {
		struct implied_rule *items;
		size_t count, capacity;
	} implied;
	struct {
		struct source *items;
		size_t count, capacity;
	} sources; /* id 1 first */
	struct {
		struct torch_version *items;
		size_t count, capacity;
	} torch;
	struct {
		struct release *items;
		size_t count, capacity;
	} releases;
	struct {
		struct package_version *items;
		size_t count, capacity;
	} versions;
	struct {
		struct rule *items;
		size_t count, capacity;
	} rules; /* id 1 first */
	struct {
		struct special *items;
		size_t count, capacity;
	} specials;
	struct {
		struct namespace_rule *items;
		size_t count, capacity;
	} namespaces;
	struct {
		struct document *items;
		size_t count, capacity;
	} documents;
	struct {
		struct dtype_rule *items;
		size_t count, capacity;
	} dtype_rules;
	struct map special_map;
	struct overlays *overlays; /* NULL: none */
};
