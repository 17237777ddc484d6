#pragma once
/* Squarified treemaps (Bruls, Huizing and van Wijk, 2000). */
#include "report/drawings/drawing.h"

/* Lays out areas, largest first, as rectangles that fill width x height and are as square as can be; *shapes gets their
   sides. An area of 0 gets no width. */
void treemap_layout(struct svg_shape *shapes, const int64_t *areas, size_t count, int64_t width, int64_t height);
