#pragma once
/*
 * Outputs of a command: standard output in one format, and files.
 *
 * -o FORMAT=PATH names the format of a file; -o PATH takes it from the suffix, else from -f. Files alone leave
 * standard output empty; -f beside a file of another format prints that format as well.
 */
#include "base/setup/err.h"
#include "report/doc/sheet.h"

struct outputs {
	const char *formats; /* words, the first by default; NULL: those of a report */
	struct str format;   /* of standard output; "": not given */
	struct output {
		struct str format; /* "" until outputs_settle finds it */
		char *path;
		bool named; /* the format was given with it */
	} * items;
	size_t count, capacity;
	bool replace;                  /* files that exist */
	struct render_options printed; /* on standard output */
};

/* -f VALUE and -o VALUE. ERR_VALUE. */
int outputs_set_format(struct outputs *outputs, struct str value, struct err *err);
int outputs_add(struct outputs *outputs, struct str value, struct err *err);

/* Resolve the formats of files once all options are known, and check before the work begins that they may be
   written. ERR_EXISTS, ERR_OUTPUT. */
int outputs_settle(struct outputs *outputs, struct err *err);

/* Returns whether some output has that format. */
bool outputs_want(const struct outputs *outputs, struct str format);

/* Returns whether standard output gets the answer. */
bool outputs_print(const struct outputs *outputs);

/* Appends an answer in a format, one of the outputs'. */
typedef int put_answer(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err);

/* An answer that is a table, for put_table: its rows, and what writes it as JSON and text where the shape does not.
   Functions get the answer. */
struct table_answer {
	const void *answer;
	const struct sheet_shape *shape;
	void (*rows)(const void *answer, struct sheet *sheet);
	void (*text)(const void *answer, struct buf *out);
	int (*json)(const void *answer, struct buf *out, struct err *err);
};
put_answer put_table;

/* Writes the answer everywhere. Files have no colours and the usual width. ERR_EXISTS, ERR_OUTPUT, and what
   put returns. */
int outputs_write(const struct outputs *outputs, const struct render_options *render, put_answer *put,
	const void *answer, struct err *err);

void outputs_clear(struct outputs *outputs);

/* Writes text to standard output. ERR_OUTPUT. */
int output_print(struct str text, struct err *err);
