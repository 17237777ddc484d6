/* Tables of observations, as CSV and as the fact text: rows are whole, errors have a line, and what is read out of the
   detail is consistent. */
#include "check/score/observations.h"
#include "opdb/model/dtype.h"
#include "tests/fuzz/fuzz.h"

static void hold_row(const struct observation *row, size_t line_before)
{
	struct dtypes_named told = dtypes_named(row->detail);

	HOLD(row->ns.len && row->base.len && row->line >= line_before);
	HOLD(row->versions.target < TARGET_COUNT && row->observed < OBSERVED_COUNT);
	HOLD(!(told.refused & told.accepted) && !((told.refused | told.accepted) & ~(unsigned)DTYPE_ALL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct limits limits = limits_default();

	for (unsigned tabs = 0; tabs < 2; tabs++) {
		struct source *source = source_of_memory(fuzz_text(data, size), STR("fuzz"), &limits);
		struct observations observations;
		struct err err = { 0 };
		int status = observations_read(source, tabs, &observations, &err);

		HOLD(status == 0 || (status == -err.code && err.text[0]));
		for (size_t i = 0; i < observations.count; i++)
			hold_row(&observations.items[i], i ? observations.items[i - 1].line : 1);
		observations_clear(&observations);
		source_close(source);
	}
	return 0;
}
