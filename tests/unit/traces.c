#include "tests/unit/traces.h"

#include "dump/common/format.h"
#include "tests/unit/check.h"
#include "tests/unit/recorder.h"

int read_trace(const char *text, const struct limits *limits, struct buf *ret, struct dump_facts *ret_facts)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 4096 };
	struct err err;
	int status = record_dump(&dump_trace, str_from(text), 0, limits, ret, ret_facts, &err);

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		CLEANUP(buf_clear) struct buf same = BUF_INIT(1 << 20);
		struct dump_facts facts;

		assert_int_equal(
			record_dump(&dump_trace, str_from(text), pieces[i], limits, &same, &facts, &err), status);
		if (!str_eq(buf_str(&same), buf_str(ret)))
			fail_msg("in pieces of %zu:\n%s\nnot\n%s", pieces[i], buf_text(&same), buf_text(ret));
		assert_int_equal(facts.skipped_events, ret_facts->skipped_events);
		assert_int_equal(facts.cut_at, ret_facts->cut_at);
	}
	return status;
}
