/* Files of waivers: refused with a position, or applied to a result with every finding in one of both lists. */
#include "assess/gate/policy.h"
#include "base/memory/mem.h"
#include "report/record/load.h"
#include "report/record/records.h"
#include "report/render.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/results.h"

static void hold_formats(const struct result *result)
{
	CLEANUP(buf_clear) struct buf json = BUF_INIT(1 << 28), again = BUF_INIT(1 << 28);
	struct render_options options = { .lang = LANG_EN, .new_only = true };
	struct result *loaded = NULL;
	struct err err;

	render_json(result, &options, &json);
	HOLD(report_load(buf_str(&json), &loaded, &err) == 0);
	render_json(loaded, &options, &again);
	HOLD(str_eq(buf_str(&json), buf_str(&again)));
	for (size_t i = 0; i < renderer_count; i++) {
		buf_reset(&again);
		render_report(&renderers[i], loaded, &options, &again);
		HOLD(!memchr(buf_text(&again), '\x1b', again.len));
	}
	result_free(loaded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result *result = result_plain();
	size_t findings = result->finding_count;
	struct policy policy;
	struct err err = { 0 };
	int status;

	policy_init(&policy);
	memcpy(policy.date, "2026-11-21", DATE_BYTES);
	HOLD(gate_parse(&policy.gate, STR("unsupported,native-jit,conditional,dynamic-unbounded"), &err) == 0);
	policy_set_baseline(&policy, result, STR("base.json"), STR("ab"));
	status = policy_add_waivers(&policy, fuzz_text(data, size), STR("fuzz.txt"), STR("cd"), &err);
	HOLD(status == 0 || (status == -ERR_WAIVER && err.where[0] && err.text[0] && !strpbrk(err.text, "\x1b\n")));
	policy_apply(&policy, result);
	HOLD(result->finding_count + result->waived_count == findings);
	HOLD(status == 0 || !result->waived_count);
	if (!status)
		hold_formats(result);
	policy_clear(&policy);
	result_free(result);
	return 0;
}
