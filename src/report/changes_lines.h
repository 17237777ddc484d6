#pragma once
/* A comparison as lines under headings, which text, Markdown and HTML set each in its own way. */
#include "report/changes.h"

struct change_line {
	const char *heading; /* id of its text; lines of one heading stand together */
	struct str severity; /* of a finding; "": none */
	int64_t share_ppm;   /* of a finding */
	bool bad, good;      /* for colours */
	struct message what;
};

struct change_lines {
	struct change_line *items; /* on the heap */
	size_t count, capacity;
	struct arena arena;
};

struct change_lines change_lines_of(const struct changes_view *view);
void change_lines_clear(struct change_lines *lines);

/* "before.log -> after.log": the names of the dumps. */
void change_put_names(const struct changes *changes, const char *arrow, struct buf *out);
