#include "report/drawings/strip.h"

void strip_room(struct strip *strip, size_t most)
{
	strip->shapes = arena_alloc(&strip->doc->arena, (most + 1) * sizeof(strip->shapes[0]));
}

int64_t strip_x(const struct strip *strip, int64_t at)
{
	bool behind_gap = strip->gap && at >= strip->gap_from;

	return strip->left + (behind_gap ? strip->gap : 0) +
	       (int64_t)((__int128)(strip->width - strip->gap) * at / strip->total);
}

struct svg_shape *strip_cell(struct strip *strip, int64_t from, int64_t to, int64_t y, int64_t height)
{
	struct svg_shape *shape = &strip->shapes[strip->count++];
	int64_t x = strip_x(strip, from), end = strip_x(strip, to);

	if (strip->gap && to == strip->gap_from)
		end -= strip->gap;
	*shape = (struct svg_shape){ .x = x, .y = y, .width = end - x - strip->between, .height = height };
	return shape;
}

void strip_name(struct strip *strip, int64_t y, int64_t height, struct str name)
{
	strip->shapes[strip->count++] = (struct svg_shape){ 0, y, strip->left, height, STR("label"), name, name };
}

void strip_draw(const struct strip *strip, const char *css, int64_t height, struct str label)
{
	doc_svg(strip->doc, &(struct svg){ css, strip->left + strip->width, height, label, strip->shapes, strip->count,
				    strip->stretched, strip->left });
}
