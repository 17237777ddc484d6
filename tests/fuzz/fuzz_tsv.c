/* Files of the fact text: rows have all their cells, and errors have a position. */
#include "opdb/text/axis.h"
#include "opdb/text/tsv.h"
#include "tests/fuzz/fuzz.h"

static void read_rows(struct tsv *tsv, struct axis *axis)
{
	struct err err = { 0 };
	int status;

	while ((status = tsv_next(tsv, &err)) == 1) {
		HOLD(tsv->line > 1);
		for (size_t i = 0; i < tsv->count; i++)
			HOLD(!memchr(tsv->cells[i].ptr, '\t', tsv->cells[i].len) &&
				!memchr(tsv->cells[i].ptr, '\n', tsv->cells[i].len));
		axis_add(axis, tsv->cells[0]);
		for (struct str rest = tsv->cells[tsv->count - 1]; rest.ptr;) {
			struct span span;
			struct str name;

			if (axis_span(axis, &rest, &span, &name) != SPAN_OK)
				break;
			HOLD(span.first <= span.last && span.last < axis->count);
		}
	}
	HOLD(status == 0 || (status == -ERR_FACT && err.where[0] && err.text[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct axis axis = { 0 };
	struct err err = { 0 };
	struct tsv tsv;

	if (tsv_open(&tsv, STR("fuzz.tsv"), fuzz_text(data, size), STR("op kind torch"), &err) == 0)
		read_rows(&tsv, &axis);
	else
		HOLD(err.code == ERR_FACT && err.where[0]);
	axis_clear(&axis);
	return 0;
}
