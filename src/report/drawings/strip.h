#pragma once
/*
 * A strip chart: rows of cells over one axis, such as releases, steps or time, with the names of the rows at the left.
 *
 * The axis goes from 0 to total. Start with { .doc, .left, .width, .total, .between }, then strip_room.
 */
#include "report/drawings/drawing.h"

struct strip {
	struct doc *doc;
	int64_t left, width;   /* room for names; of the axis */
	int64_t total;         /* of the axis, in units of its own */
	int64_t between;       /* blank behind a cell */
	int64_t gap, gap_from; /* blank before the cells from here on */
	bool stretched;        /* as wide as the page */
	struct svg_shape *shapes;
	size_t count;
};

/* Makes room for so many shapes. */
void strip_room(struct strip *strip, size_t most);

/* The left edge of a cell that begins there. */
int64_t strip_x(const struct strip *strip, int64_t at);

/* A cell from one place of the axis to another behind it; the caller says what it looks like. */
struct svg_shape *strip_cell(struct strip *strip, int64_t from, int64_t to, int64_t y, int64_t height);

/* The name of a row, which stays in sight while cells scroll. */
void strip_name(struct strip *strip, int64_t y, int64_t height, struct str name);

/* Adds the figure to the document; css is its class, label what it shows in words. */
void strip_draw(const struct strip *strip, const char *css, int64_t height, struct str label);
