/* Reports from somebody else: what is read is rendered in every format, and as JSON comes out the same again. */
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "report/record/load.h"
#include "report/record/records.h"
#include "report/render.h"
#include "tests/fuzz/fuzz.h"

static void hold_formats(const struct result *result)
{
	for (size_t i = 0; i < renderer_count; i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 28);
		struct render_options options = { .lang = i % 2 ? LANG_EN : LANG_ZH_CN, .all = true };
		size_t bad_at;

		render_report(&renderers[i], result, &options, &out);
		HOLD(!out.full && utf8_valid(buf_str(&out), &bad_at));
		HOLD(!memchr(buf_text(&out), '\x1b', out.len));
	}
}

static void hold_round_trip(const struct result *result)
{
	CLEANUP(buf_clear) struct buf first = BUF_INIT(1 << 28), second = BUF_INIT(1 << 28);
	struct render_options options = { .lang = LANG_EN };
	struct result *again = NULL;
	struct err err;

	render_json(result, &options, &first);
	HOLD(report_load(buf_str(&first), &again, &err) == 0);
	render_json(again, &options, &second);
	HOLD(str_eq(buf_str(&first), buf_str(&second)));
	result_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result *result = NULL;
	struct err err = { 0 };
	int status = report_load(fuzz_text(data, size), &result, &err);

	if (status) {
		HOLD(status == -ERR_REPORT && err.text[0] && !result);
		return 0;
	}
	hold_formats(result);
	hold_round_trip(result);
	result_free(result);
	return 0;
}
