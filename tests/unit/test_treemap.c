/* A treemap: every area has its rectangle, and none lies over another. */
#include "report/drawings/drawing.h"
#include "report/drawings/treemap.h"
#include "tests/unit/check.h"

enum { WIDTH = 1000, HEIGHT = 300, MOST = 64 };

static bool overlap(const struct svg_shape *a, const struct svg_shape *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static void check_layout(const int64_t *areas, size_t count)
{
	struct svg_shape shapes[MOST];
	int64_t sum = 0;

	treemap_layout(shapes, areas, count, WIDTH, HEIGHT);
	for (size_t i = 0; i < count; i++) {
		assert_true(shapes[i].x >= 0 && shapes[i].x + shapes[i].width <= WIDTH);
		assert_true(shapes[i].y >= 0 && shapes[i].y + shapes[i].height <= HEIGHT);
		for (size_t j = 0; j < i; j++)
			assert_false(shapes[i].width && shapes[j].width && overlap(&shapes[i], &shapes[j]));
		sum += shapes[i].width * shapes[i].height;
	}
	assert_int_equal(sum, WIDTH * HEIGHT);
}

static void areas_fill_the_plane(void **state)
{
	static const struct {
		int64_t areas[MOST];
		size_t count;
	} cases[] = {
		{ { 1000000 }, 1 },
		{ { 500000, 500000 }, 2 },
		{ { 390000, 330000, 44000, 39000, 31000, 23000, 22000, 18000, 1, 0 }, 10 },
		{ { 1, 1, 1, 1, 1, 1, 1 }, 7 },
		{ { 9, 0, 0 }, 3 },
		{ { INT64_MAX / 4, INT64_MAX / 4, 1 }, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_layout(cases[i].areas, cases[i].count);
}

static void areas_are_in_proportion_and_nearly_square(void **state)
{
	static const int64_t areas[] = { 60, 60, 40, 30, 20, 20, 10 };
	struct svg_shape shapes[ARRAY_SIZE(areas)];

	treemap_layout(shapes, areas, ARRAY_SIZE(areas), 600, 400);
	for (size_t i = 0; i < ARRAY_SIZE(areas); i++) {
		assert_true(llabs(shapes[i].width * shapes[i].height - areas[i] * 1000) < 700);
		assert_true(shapes[i].width <= 3 * shapes[i].height && shapes[i].height <= 3 * shapes[i].width);
	}
}

static void what_is_not_positive_has_no_rectangle(void **state)
{
	static const int64_t areas[] = { 5, -3, 2 }, none[] = { 0, 0 };
	struct svg_shape shapes[3];

	treemap_layout(shapes, areas, 3, WIDTH, HEIGHT);
	assert_int_equal(shapes[1].width, 0);
	treemap_layout(shapes, none, 2, WIDTH, HEIGHT);
	assert_int_equal(shapes[0].width, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(areas_fill_the_plane),
		cmocka_unit_test(areas_are_in_proportion_and_nearly_square),
		cmocka_unit_test(what_is_not_positive_has_no_rectangle),
	};

	return run_group(tests);
}
