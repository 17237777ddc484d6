/* Gates: which words there are, and what each of them stops. */
#include "assess/model/words.h"
#include "assess/gate/gate.h"
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
		{ "conditional,dynamic-unbounded,jit-compile,native-jit",
			"native-jit,jit-compile,dynamic-unbounded,conditional" },
		{ "dynamic-unbounded,dynamic-bounded,dynamic-unbounded", "dynamic-bounded,dynamic-unbounded" },
		{ "dynamic-bounded,dynamic-unbounded,dynamic-last-batch,dynamic-data-dependent,dynamic-warm-up,dynamic-"
		  "unknown",
			"dynamic-bounded,dynamic-unbounded,dynamic-last-batch,dynamic-data-dependent,dynamic-warm-up,"
			"dynamic-unknown" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf again = BUF_INIT(1000), twice = BUF_INIT(1000);
		struct gate gate = { 0 }, same = { 0 };
		struct err err = { 0 };

		assert_int_equal(gate_parse(&gate, str_from(cases[i].words), &err), 0);
		assert_false(gate_is_empty(&gate));
		gate_put(&again, &gate, ',');
		assert_str(buf_str(&again), cases[i].again);
		assert_int_equal(gate_parse(&same, buf_str(&again), &err), 0);
		gate_put(&twice, &same, ',');
		assert_str(buf_str(&twice), cases[i].again);
	}
}

static void several_lists_add_up(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1000);
	struct gate gate = { 0 };
	struct err err = { 0 };

	assert_true(gate_is_empty(&gate));
	assert_int_equal(gate_parse(&gate, STR("unsupported"), &err), 0);
	assert_int_equal(gate_parse(&gate, STR("conditional"), &err), 0);
	gate_put(&text, &gate, ',');
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
		struct gate gate = { 0 };
		struct err err = { 0 };

		assert_int_equal(gate_parse(&gate, str_from(cases[i].words), &err), -ERR_VALUE);
		assert_string_equal(err.text, cases[i].text);
	}
}

/* A verdict with one flag or none, and one condition or none. */
struct spoken {
	const char *status, *flag, *condition;
};

static bool stops(const char *words, const struct spoken *spoken, const char *kind)
{
	struct message condition = message_of(spoken->condition);
	struct result_verdict verdict = { .status = enum_of(&op_status_words, spoken->status),
		.flags = spoken->flag ? 1u << enum_of(&flag_words, spoken->flag) : 0,
		.conditions = &condition,
		.condition_count = spoken->condition != NULL };
	struct gate gate = { 0 };
	struct err err = { 0 };
	bool any = false;

	if (words[0])
		assert_int_equal(gate_parse(&gate, str_from(words), &err), 0);
	for (size_t i = 0; i < gate_word_count(); i++)
		any |= gate_has(&gate, i) && gate_word_stops(i, &verdict, enum_of(&dynamic_words, kind));
	return any;
}

static void each_word_stops_what_it_names(void **state)
{
	static const struct {
		const char *words;
		struct spoken verdict;
		const char *kind;
		bool stops;
	} cases[] = {
		{ "unsupported", { "unsupported" }, "static", true },
		{ "unsupported", { "cpu-fallback" }, "static", false },
		{ "unsupported", { "native", NULL, "op-dtype" }, "static", false },
		{ "conditional", { "native", NULL, "op-dtype" }, "static", true },
		{ "conditional", { "unknown" }, "static", true },
		{ "conditional", { "unsupported" }, "static", false },
		{ "host-path", { "native", "host-path" }, "static", true },
		{ "host-path", { "native", "inferred" }, "static", false },
		{ "dynamic-unbounded", { "native" }, "unbounded", true },
		{ "dynamic-unbounded", { "native" }, "bounded", false },
		{ "dynamic-unknown", { "native" }, "unknown", true },
		{ "unknown", { "native" }, "unknown", false },
		{ "", { "unsupported", "reported-broken", "op-dtype" }, "unbounded", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (stops(cases[i].words, &cases[i].verdict, cases[i].kind) != cases[i].stops)
			fail_msg("%s against case %zu", cases[i].words, i);
	}
}

static void every_word_is_listed_once(void **state)
{
	assert_in_range(gate_word_count(), 20, 64);
	for (size_t i = 0; i < gate_word_count(); i++) {
		struct gate gate = { 0 };
		struct err err = { 0 };

		assert_int_equal(gate_parse(&gate, gate_word(i), &err), 0);
		assert_int_equal(gate.words, UINT64_C(1) << i);
	}
}

static void findings_say_the_same_as_words(void **state)
{
	static const struct {
		const char *word, *rule;
		bool same;
	} cases[] = {
		{ "unsupported", "op-unsupported", true },
		{ "unsupported", "op-cpu-fallback", false },
		{ "jit-compile", "shape-recompile", true },
		{ "dynamic-unbounded", "shape-varying", true },
		{ "conditional", "op-dtype", true },
		{ "conditional", "op-overload", false },
		{ "composite", "op-unsupported", false },
	};
	struct message condition = message_of("op-dtype");
	struct result_verdict verdict = { .status = OP_NATIVE, .conditions = &condition, .condition_count = 1 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct gate gate = { 0 };
		struct err err = { 0 };

		assert_int_equal(gate_parse(&gate, str_from(cases[i].word), &err), 0);
		if (gate_word_is_of((size_t)__builtin_ctzll(gate.words), &verdict, str_from(cases[i].rule)) !=
			cases[i].same)
			fail_msg("%s and %s", cases[i].word, cases[i].rule);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read_and_written_back_in_one_order),
		cmocka_unit_test(several_lists_add_up),
		cmocka_unit_test(an_unknown_word_is_named_and_shown_safely),
		cmocka_unit_test(each_word_stops_what_it_names),
		cmocka_unit_test(every_word_is_listed_once),
		cmocka_unit_test(findings_say_the_same_as_words),
	};

	return run_group(tests);
}
