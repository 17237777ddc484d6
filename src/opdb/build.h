#pragma once
/*
 * From the fact text to the database file: what the parts of the builder share. opdb.h has the one public function.
 *
 * A struct fact_table per file says which columns it has and which statement stores a row. Cells are bound to the
 * parameters that are called like their column; a row function checks what the schema cannot and binds what has to be
 * computed.
 */
#include "base/arena.h"
#include "opdb/release.h"
#include "opdb/timeline.h"

struct fact_text;
struct sqlite3;
struct sqlite3_stmt;

enum { BUILD_KEYS = 4 };

struct fallback {
	struct str boxed, text, source;
};

struct build {
	struct sqlite3 *db;
	const struct fact_text *text;
	struct axis sources, rules, fallbacks, recipes;
	struct {
		struct fallback *items; /* by place in fallbacks */
		size_t count, capacity;
	} fallback;
	struct timeline torch, releases[TARGET_COUNT], documents;
	struct timeline aside[TARGET_COUNT]; /* releases again, for rows that do not count as registrations */
	struct str newest_date;
	/* of the table being read */
	const struct fact_table *table;
	struct sqlite3_stmt *insert;
	struct str key[BUILD_KEYS]; /* of the row before */
	unsigned key_first;
	bool covered[TIMELINE_PLACES]; /* by place: the key has a fact there */
};

struct fact_table {
	const char *file, *columns;
	const char *insert; /* NULL where rows are only remembered */
	size_t keys;        /* the first cells that identify a fact; 0 where rows have no spans */
	int (*row)(struct build *, const struct tsv *, struct err *);
	int (*end)(struct build *, struct err *); /* or NULL */
};

/* Ended by a NULL file; read in this order, which is the order of what refers to what. */
extern const struct fact_table torch_tables[], release_tables[], rule_tables[], limit_tables[];

/* The cell of a column that the table has. */
struct str build_cell(const struct build *build, const struct tsv *tsv, const char *column);

/* Binds a computed value to the parameter of this name; build_bind_base takes ":base" off an operator's name. */
void build_bind(struct build *build, const char *parameter, int64_t value);
void build_bind_text(struct build *build, const char *parameter, struct str value);
void build_bind_base(struct build *build, struct str op);

/* Binds the id of the source that is named, NULL for "". ERR_FACT for an unknown one. */
int build_bind_source(
	struct build *build, const struct tsv *tsv, struct str name, const char *parameter, struct err *err);

/* Stores the row as bound. */
int build_insert(struct build *build, const struct tsv *tsv, struct err *err);

/* Stores the row once for every span in its last cell, with :first and :last, and counts it for each release or
   version. dense: the enum dense_key that the row is a dense kernel of, or 0. */
int build_insert_spans(
	struct build *build, const struct tsv *tsv, struct timeline *timeline, unsigned dense, struct err *err);

/* The last of the tables: recipes name releases. */
extern const struct fact_table recipe_tables[];

/* Appends to names, which has room for max, the files with the code of the recipes that the text in a directory lists. They
   live in arena. ERR_FACT, ERR_LIMIT. */
int recipe_files(
	const char *text_dir, struct arena *arena, struct str *names, size_t max, size_t *count, struct err *err);
