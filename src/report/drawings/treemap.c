#include "report/drawings/treemap.h"

#include <math.h>

struct plane {
	double x, y, width, height, scale; /* the free rectangle; units of the drawing per unit of area */
};

/* Aspect ratio of a tile in a strip of this length and area. */
static double elongation(double area, double strip_area, double length)
{
	double thickness = strip_area / length, ratio = area / (thickness * thickness);

	return ratio > 1 ? ratio : 1 / ratio;
}

/* Returns the number of the next areas in a strip along the shorter side: as many as do not worsen its worst tile. */
static size_t strip_count(const int64_t *areas, size_t count, const struct plane *plane)
{
	double length = fmin(plane->width, plane->height), first = (double)areas[0] * plane->scale, sum = first,
	       worst = elongation(first, sum, length);
	size_t taken = 1;

	for (; taken < count && areas[taken] > 0; taken++) {
		double area = (double)areas[taken] * plane->scale,
		       next = fmax(elongation(first, sum + area, length), elongation(area, sum + area, length));

		if (next > worst)
			break;
		worst = next;
		sum += area;
	}
	return taken;
}

/* Edges are rounded, not sides: neighbours meet. */
static void set_shape(struct svg_shape *shape, double x, double y, double width, double height)
{
	shape->x = lround(x);
	shape->y = lround(y);
	shape->width = lround(x + width) - shape->x;
	shape->height = lround(y + height) - shape->y;
}

static void lay_strip(struct svg_shape *shapes, const int64_t *areas, size_t count, struct plane *plane)
{
	bool upright = plane->width >= plane->height;
	double sum = 0, at = 0, thickness;

	for (size_t i = 0; i < count; i++)
		sum += (double)areas[i] * plane->scale;
	thickness = fmin(sum / (upright ? plane->height : plane->width), upright ? plane->width : plane->height);
	for (size_t i = 0; i < count; i++) {
		double length = (double)areas[i] * plane->scale / thickness;

		if (upright)
			set_shape(&shapes[i], plane->x, plane->y + at, thickness, length);
		else
			set_shape(&shapes[i], plane->x + at, plane->y, length, thickness);
		at += length;
	}
	*(upright ? &plane->x : &plane->y) += thickness;
	*(upright ? &plane->width : &plane->height) -= thickness;
}

void treemap_layout(struct svg_shape *shapes, const int64_t *areas, size_t count, int64_t width, int64_t height)
{
	struct plane plane = { .width = (double)width, .height = (double)height };
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += fmax((double)areas[i], 0);
	for (size_t i = 0; i < count; i++)
		shapes[i].x = shapes[i].y = shapes[i].width = shapes[i].height = 0;
	plane.scale = sum > 0 ? plane.width * plane.height / sum : 0;
	for (size_t at = 0; at < count && areas[at] > 0 && fmin(plane.width, plane.height) > 0;) {
		size_t taken = strip_count(areas + at, count - at, &plane);

		lay_strip(shapes + at, areas + at, taken, &plane);
		at += taken;
	}
}
