#pragma once
/*
 * Drawings of a page: SVG that is made here, so that it prints, works without scripts and loads nothing. Every
 * drawing has a table or a list with the same content, and every shape a title, for pointers and screen readers.
 */
#include "report/doc/doc_build.h"

/* A part of a drawing: its class of style, what its title says, and what is written on it; both may be "". */
struct svg_shape {
	int64_t x, y, width, height;
	struct str css, title, text;
};

enum { SVG_CHAR_WIDTH = 7 }; /* of text on a shape, at most; East Asian characters take two */

/* A drawing: its class, its size in units of its own, what it shows in words, its shapes. */
struct svg {
	const char *css;
	int64_t width, height;
	struct str label;
	const struct svg_shape *shapes;
	size_t count;
	bool stretched; /* as wide as the page, whatever its height */
	int64_t names;  /* width of those at the left, which stay while the rest scrolls, at its own size */
};

/* A figure of a document; the drawing and what it refers to live on in the document's arena. */
void doc_svg(struct doc *doc, const struct svg *svg);

/* The class of style of a verdict's word: a colour, and hatching for an unknown one. */
struct str verdict_look(struct str verdict);

/* The hatching of shapes; once in a page with drawings. */
void doc_svg_patterns(struct doc *doc);
