#pragma once
/* Inside the builder: storing the rows of a table of the fact text. */
#include "base/memory/mem.h"
#include "opdb/build/table.h"

struct fact_text;
struct sqlite3;
struct sqlite3_stmt;

/* Fate of operators without a kernel. */
struct fallback {
	struct str name, boxed, text, source;
};

struct build {
	struct sqlite3 *db;
	const struct fact_text *text;
	const struct cell_rule *usual_cells; /* for columns without a rule of the table's own; ends at a NULL column */
	struct axis names[NAMES_COUNT];
	struct timeline lines[LINE_COUNT];
	MEM_LIST(struct fallback) fallbacks;
	struct str newest_date;
	/* of the table being read */
	const struct fact_table *table;
	struct str columns[TSV_COLUMNS];
	const struct cell_rule *rules[TSV_COLUMNS]; /* by column; NULL: none */
	struct sqlite3_stmt *insert, *insert_part;
	struct str key[BUILD_KEYS]; /* of the row before */
	unsigned key_first;
	bool covered[TIMELINE_PLACES]; /* by place: the key has a fact there */
};

void build_clear(struct build *build);

/* Reads and stores a table. ERR_FACT, ERR_OUTPUT. */
int build_table(struct build *build, const struct fact_table *table, struct str text, struct err *err);

/* The cell of a column; "" for one that the table does not have. */
struct str build_cell(const struct build *build, const struct tsv *tsv, const char *column);

/* Binds a computed value to the parameter of this name. */
void build_bind(struct build *build, const char *parameter, int64_t value);
int build_bind_cell(struct build *build, const char *column, int64_t value); /* in the place of its text; 0 */
void build_bind_text(struct build *build, const char *parameter, struct str value);
void build_bind_null(struct build *build, const char *parameter);

/* Binds the id of the source that is named, NULL for "". ERR_FACT for an unknown one. */
int build_bind_source(
	struct build *build, const struct tsv *tsv, const char *parameter, struct str name, struct err *err);

/* Stores the row as bound. */
int build_insert(struct build *build, const struct tsv *tsv, struct err *err);

/* From now on values are bound to the table's other statement: insert or insert_part. */
void build_swap(struct build *build);

/* An error of SQLite while writing; a broken constraint is an error in the text and has its row. */
int build_output_error(const struct build *build, struct err *err);
