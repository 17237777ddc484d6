/*
 * The reader of execution traces with a profile behind it, under small limits. The first byte decides how the rest is cut into
 * chunks.
 */
#include "dump/common/format.h"
#include "tests/fuzz/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	unsigned choice = fuzz_byte(&text);
	struct limits limits = limits_default();
	int score = dump_et.sniff(text);

	limits.event_bytes = choice & 128 ? 700 : 1 << 20;
	limits.operators = 20;
	limits.names = 10;
	limits.shapes = 30;
	limits.step_runs = 4;
	limits.held_calls = 8;
	HOLD(score >= 0 && score <= 100);
	hold_profile(&dump_et, text, &limits);
	hold_chunks(&dump_et, text, (choice & 127) + 1, &limits);
	return 0;
}
