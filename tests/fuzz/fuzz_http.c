/* Bytes on a connection of the service, without jobs: answered as HTTP or not at all, and never with an error of its own. */
#include "tests/fuzz/served.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hold_answer(fuzz_text(data, size));
	return 0;
}
