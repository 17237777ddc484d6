#pragma once
/* The screen of several reports: a line each, then how many have which word. */
#include "assess/model/result.h"
#include "report/screen/screen.h"

struct each_line {
	enum headline_word word; /* the worst of its targets */
	struct str name, words;
};

struct each_list {
	struct arena arena;
	MEM_LIST(struct each_line) lines;
};

/* Add a report; its texts are copied. */
void each_add(struct each_list *list, const struct result *result, enum lang lang);

/* Write the lines, those of the worst words where not all fit, and free the list. */
void each_put(struct each_list *list, const struct render_options *options, struct buf *out);
