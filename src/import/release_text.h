#pragma once
/*
 * The fact text of one target while a release is imported: its releases in their order, and what each registers.
 *
 * release_text_open, release_text_begin, any number of release_text_add, release_text_end; then clear.
 */
#include "base/memory/mem.h"
#include "import/import.h"
#include "import/input.h"
#include "import/spans.h"
#include "opdb/model/release.h"

/* The name of a release and its parts. */
struct release_name {
	struct str name, ref, torch, plugin, kind; /* as the columns of releases.tsv */
};

/* A row of support.tsv for the release being imported. */
struct listed {
	struct str *cells;
	size_t line; /* of the file that has it */
};

struct listed_rows {
	struct listed *items;
	size_t count, capacity;
	struct map map; /* by ns, op and key */
};

struct release_text {
	enum target_kind target;
	const struct import_options *options;
	struct arena arena;
	struct table releases, versions, sources, torch; /* versions.tsv: npu alone */
	struct text_file files[5];                       /* of these four, and of support.tsv, as they were */
	struct axis axis;
	struct fact_rows support;
	struct span_tables others; /* that a new release must not be covered by */
	struct release_name name;
	unsigned place; /* of the release */
	bool is_new;
	struct listed_rows old, rows; /* the facts of the release before and after */
};

/* Reads the text. ERR_FACT. */
int release_text_open(
	struct release_text *text, enum target_kind target, const struct import_options *options, struct err *err);
void release_text_clear(struct release_text *text);

/* Finds the release or makes a place for it. ERR_EXISTS for one that is there unless force; ERR_VALUE for an unknown
   version of PyTorch or source, or a bad date. */
int release_text_begin(struct release_text *text, struct release_name name, struct err *err);

/* Cells of the release's row in releases.tsv. */
struct str *release_text_field(struct release_text *text, const char *column);

/* The row of this key, or NULL. */
struct listed *listed_find(const struct listed_rows *rows, struct str ns, struct str op, struct str key);

/* A new row, which is not there yet. Text is copied. */
struct listed *release_text_add(struct release_text *text, struct str ns, struct str op, struct str key);
void listed_set(struct release_text *text, struct listed *listed, const char *column, struct str value);

/* Puts the rows into the table, counts them, writes the files, and reports. */
int release_text_end(struct release_text *text, struct buf *report, struct err *err);
