#pragma once
/*
 * Plain text for a terminal: columns by display width, wrapped paragraphs, colour where wanted. Names from a dump go
 * through textw_name, which makes control characters visible.
 */
#include "base/memory/buf.h"

enum color { COLOR_NONE, COLOR_RED, COLOR_YELLOW, COLOR_GREEN, COLOR_DIM, COLOR_BOLD };

struct textw {
	struct buf *out;
	unsigned width; /* columns of a line */
	bool color;
};

/* Appends text, coloured if the writer does that. */
void textw_colored(struct textw *text, enum color color, struct str value);

/* Appends printable text in a column of so many characters, padded on one side; longer text is cut and ends in an
   ellipsis. */
void textw_column(struct textw *text, struct str value, unsigned columns, bool right);

/* Appends a paragraph wrapped at the width, its first line after `first` columns that are there already, the others
   indented by so many. Ends with a line feed. */
void textw_wrap(struct textw *text, struct str value, unsigned first, unsigned indent);

/* A printable copy of untrusted text, to be cleared by the caller. */
struct buf textw_printable(struct str value);
