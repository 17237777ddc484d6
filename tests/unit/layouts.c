#include "tests/unit/layouts.h"

struct layout layout_of(const char *dashes, const char *header)
{
	struct dashes runs;
	struct layout layout;

	assert_true(!dashes || dashes_parse(str_from(dashes), &runs));
	assert_true(layout_parse(str_from(header), dashes ? &runs : NULL, &layout));
	return layout;
}

void each_table_line(struct str text, void (*each)(void *ctx, const struct layout *layout, struct str line), void *ctx)
{
	struct dashes dashes = { 0 };
	struct layout layout = { .spans = false };
	bool dashed = false;
	struct str line;

	while (str_cut(&text, '\n', &line)) {
		if (dashed && layout_parse(line, &dashes, &layout) && layout.spans) {
			dashed = false;
			continue;
		}
		dashed = dashes_parse(line, &dashes);
		if (layout.spans && !dashed)
			each(ctx, &layout, line);
	}
}

static bool same_view(struct str a, struct str b)
{
	return str_eq(a, b) && (!a.len || a.ptr == b.ptr);
}

bool rows_equal(const struct table_row *a, const struct table_row *b)
{
	return same_view(a->op.name, b->op.name) && same_view(a->op.overload, b->op.overload) &&
	       same_view(a->op.shapes, b->op.shapes) && a->op.calls == b->op.calls &&
	       a->op.self_cpu_ns == b->op.self_cpu_ns && a->op.cpu_total_ns == b->op.cpu_total_ns &&
	       a->op.self_device_ns == b->op.self_device_ns && a->self_cpu_share_ppm == b->self_cpu_share_ppm;
}
