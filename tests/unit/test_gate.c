/* Gates: which words there are, and what each of them stops. */
#include "assess/gate.h"
#include "tests/unit/check.h"

static void words_are_read_and_written_back_in_one_order(void **state)
{
	static const struct {
		const char *words, *again;
	} cases[] = {
		{ "unsupported", "unsupported" },
		{ "unsupported,cpu-fallback", "cpu-fallback,unsupported" },
		{ " unknown , needs-package ", "needs-package,unknown" },
		{ "host-path,unsupported,unsupported", "unsupported,host-path" },
		{ "conditional,dynamic-unbounded,jit-compile,native-jit", "native-jit,jit-compile,dynamic-unbounded,conditional" },
		{ "dynamic-unbounded,dynamic-bounded,dynamic-unbounded", "dynamic-bounded,dynamic-unbounded" },
		{ "dynamic-bounded,dynamic-unbounded,dynamic-last-batch,dynamic-data-dependent,dynamic-warm-up,dynamic-unknown",
			"dynamic-bounded,dynamic-unbounded,dynamic-last-batch,dynamic-data-dependent,dynamic-warm-up,dynamic-unknown" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf again = BUF_INIT(1000), twice = BUF_INIT(1000);
		struct gate gate = { .statuses = 0 }, same = { .statuses = 0 };
		struct err err = { 0 };

		assert_int_equal(gate_parse(&gate, str_from(cases[i].words), &err), 0);
		assert_false(gate_is_empty(&gate));
		gate_put(&again, &gate);
		assert_str(buf_str(&again), cases[i].again);
		assert_int_equal(gate_parse(&same, buf_str(&again), &err), 0);
		gate_put(&twice, &same);
		assert_str(buf_str(&twice), cases[i].again);
	}
}

static void several_lists_add_up(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1000);
	struct gate gate = { .statuses = 0 };
	struct err err = { 0 };

	assert_true(gate_is_empty(&gate));
	assert_int_equal(gate_parse(&gate, STR("unsupported"), &err), 0);
	assert_int_equal(gate_parse(&gate, STR("conditional"), &err), 0);
	gate_put(&text, &gate);
	assert_str(buf_str(&text), "unsupported,conditional");
}

static void an_unknown_word_is_named_and_shown_safely(void **state)
{
	static const struct {
		const char *words, *text;
	} cases[] = {
		{ "", "the gate does not know ''" },
		{ "unsupported,", "the gate does not know ''" },
		{ "native", "the gate does not know 'native'" },
		{ "Unsupported", "the gate does not know 'Unsupported'" },
		{ "dynamic", "the gate does not know 'dynamic'" },
		{ "dynamic-", "the gate does not know 'dynamic-'" },
		{ "dynamic-static", "the gate does not know 'dynamic-static'" },
		{ "unsupported;cpu-fallback", "the gate does not know 'unsupported;cpu-fallback'" },
		{ "\x1b[2J", "the gate does not know '\\x1b[2J'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct gate gate = { .statuses = 0 };
		struct err err = { 0 };

		assert_int_equal(gate_parse(&gate, str_from(cases[i].words), &err), -ERR_VALUE);
		assert_string_equal(err.text, cases[i].text);
	}
}

static void each_word_stops_what_it_names(void **state)
{
	static const struct {
		const char *words;
		struct judgement judgement;
		const char *kind;
		bool stops;
	} cases[] = {
		{ "unsupported", { .status = OP_UNSUPPORTED }, "static", true },
		{ "unsupported", { .status = OP_CPU_FALLBACK }, "static", false },
		{ "unsupported", { .status = OP_NATIVE, .best = OP_NATIVE, .worst = OP_UNSUPPORTED }, "static", false },
		{ "conditional", { .status = OP_NATIVE, .best = OP_NATIVE, .worst = OP_UNSUPPORTED }, "static", true },
		{ "conditional", { .status = OP_UNSUPPORTED, .best = OP_UNSUPPORTED, .worst = OP_UNSUPPORTED }, "static", false },
		{ "host-path", { .status = OP_NATIVE, .flags = FLAG_HOST_PATH | FLAG_INFERRED }, "static", true },
		{ "host-path", { .status = OP_NATIVE, .flags = FLAG_INFERRED }, "static", false },
		{ "dynamic-unbounded", { .status = OP_NATIVE }, "unbounded", true },
		{ "dynamic-unbounded", { .status = OP_NATIVE }, "bounded", false },
		{ "dynamic-unknown", { .status = OP_NATIVE }, "unknown", true },
		{ "unknown", { .status = OP_NATIVE }, "unknown", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct gate gate = { .statuses = 0 };
		struct err err = { 0 };

		assert_int_equal(gate_parse(&gate, str_from(cases[i].words), &err), 0);
		if (gate_stops(&gate, &cases[i].judgement, str_from(cases[i].kind)) != cases[i].stops)
			fail_msg("%s against case %zu", cases[i].words, i);
	}
}

static void an_empty_gate_stops_nothing(void **state)
{
	struct gate gate = { .statuses = 0 };
	struct judgement judgement = { .status = OP_UNSUPPORTED, .worst = OP_UNKNOWN, .flags = ~0u };

	assert_false(gate_stops(&gate, &judgement, STR("unbounded")));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read_and_written_back_in_one_order),
		cmocka_unit_test(several_lists_add_up),
		cmocka_unit_test(an_unknown_word_is_named_and_shown_safely),
		cmocka_unit_test(each_word_stops_what_it_names),
		cmocka_unit_test(an_empty_gate_stops_nothing),
	};

	return run_group(tests);
}
