/* Which operators change their shapes from step to step, each kind from a hand-made profile. */
#include "assess/model/words.h"
#include "assess/shape/dynamic.h"
#include "dump/common/format.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

struct analysis {
	struct arena arena;
	struct profile *profile;
	struct operators operators;
	struct result_dynamic *dynamic;
};

static void analysis_clear(struct analysis *all)
{
	arena_clear(&all->arena);
	profile_free(all->profile);
}

/* Takes the profile over. */
static struct analysis analyse(struct profile *profile, struct dynamic_options options, const bool *by_data)
{
	struct analysis all = { .arena = ARENA_INIT(ARENA_UNLIMITED), .profile = profile };
	struct name_lookup nothing = { .known = NULL };

	operators_gather(&all.arena, profile, &nothing, &all.operators);
	all.dynamic = arena_alloc(&all.arena, (all.operators.count + 1) * sizeof(all.dynamic[0]));
	dynamic_analyse(&all.arena, profile, &all.operators, options, all.dynamic);
	for (size_t i = 0; by_data && i < all.operators.count; i++) {
		if (by_data[i])
			dynamic_set_data_dependent(&all.dynamic[i]);
	}
	return all;
}

static const struct result_dynamic *dynamic_of(const struct analysis *all, const char *name)
{
	for (size_t i = 0; i < all->operators.count; i++) {
		if (str_eq(all->operators.items[i].name, str_from(name)))
			return &all->dynamic[i];
	}
	fail_msg("no operator %s", name);
	return NULL;
}

static void every_kind_is_told_by_the_sets_of_its_steps(void **state)
{
	static const struct {
		const char *steps, *kind, *evidence;
	} cases[] = {
		{ "aten::a [[2]] | aten::a [[2]] | aten::a [[2]]", "static", "dynamic-same-steps" },
		{ "aten::a [[2]]; aten::a [[3]] | aten::a [[3]]; aten::a [[2]]", "static", "dynamic-same-steps" },
		{ "aten::b [[1]] | aten::a [[2]]; aten::b [[1]] | aten::a [[2]]; aten::b [[1]]", "late",
			"dynamic-comes" },
		{ "aten::a [[1]] | aten::a [[2]] | aten::a [[2]]", "warm-up", "dynamic-size" },
		{ "aten::a [[2]]; aten::a [[3]] | aten::a [[2]] | aten::a [[2]]", "warm-up", "dynamic-goes" },
		{ "aten::a [[2]] | aten::a [[3]] | aten::a [[2]] | aten::a [[3]]", "bounded", "dynamic-size" },
		{ "aten::a [[2]] | aten::a [[2]] | aten::a [[3]] | aten::a [[2]]", "bounded", "dynamic-size" },
		{ "aten::a [[2]] | aten::a [[3]] | aten::a [[4]] | aten::a [[5]]", "unbounded", "dynamic-size" },
		{ "aten::a [[2]]; aten::b [[1]] | aten::a [[2]]; aten::b [[1]] | aten::b [[1]] | aten::a [[2]]; "
		  "aten::b [[1]]",
			"static", "dynamic-goes" },
		{ "aten::a [[2]]; aten::a [[1]] | aten::a [[1]] | aten::a [[1]]; aten::a [[2]] | aten::a [[1]]",
			"static", "dynamic-goes" },
		/* what the second step changes is of the warm-up */
		{ "aten::a [[2]]; aten::a [[1]] | aten::a [[1]] | aten::a [[1]]; aten::a [[3]] | aten::a [[1]]",
			"static", "dynamic-goes" },
		{ "aten::a [[1]] | aten::a [[1]] | aten::a [[1]]; aten::a [[2]] | aten::a [[1]]; aten::a [[3]]",
			"bounded", "dynamic-comes" },
		{ "aten::a [[1], [2]] | aten::a [[1], [2]] | aten::a [[1], [2], []] | aten::a [[1, 1]]", "bounded",
			"dynamic-differs" },
		/* one step, no shapes, only two steps that differ, averaged steps, shapes that may hide a change */
		{ "aten::a [[2]]", "unknown", "dynamic-one-step" },
		{ "aten::a | aten::a | aten::a", "unknown", "dynamic-no-shapes" },
		{ "aten::a [[2]] | aten::a [[3]]", "unknown", "dynamic-two-steps" },
		{ "aten::a [[2]] | aten::a [[3]]; ProfilerStep* x2 | aten::a [[3]]", "unknown", "dynamic-averaged" },
		{ "aten::a [[2], [2 | aten::a [[2], [2 | aten::a [[2], [2", "unknown", "dynamic-cut-shapes" },
		/* shapes that were cut but differ are certain */
		{ "aten::a [[2], [2 | aten::a [[3], [2 | aten::a [[4], [2 | aten::a [[5], [2", "unbounded",
			"dynamic-size" },
		{ "aten::a [[2, 7]] | aten::a [[2, 7]] | aten::a [[2, 7]] | aten::a [[2, 5]]", "last-batch",
			"dynamic-size" },
		{ "aten::a [[8]] | aten::a [[8]] | aten::a [[8]] | aten::a [[3]] | aten::a [[8]] | aten::a [[8]] | "
		  "aten::a [[8]] | aten::a [[3]]",
			"last-batch", "dynamic-size" },
		/* a step that grows is no last batch */
		{ "aten::a [[8]] | aten::a [[8]] | aten::a [[8]] | aten::a [[9]] | aten::a [[8]] | aten::a [[8]]",
			"bounded", "dynamic-size" },
		/* nor are steps that stay small */
		{ "aten::a [[8]] | aten::a [[8]] | aten::a [[8]] | aten::a [[3]] | aten::a [[3]]", "bounded",
			"dynamic-size" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(analysis_clear)
		struct analysis all = analyse(profile_of_steps(cases[i].steps), (struct dynamic_options){ 0 }, NULL);
		const struct result_dynamic *dynamic = dynamic_of(&all, "aten::a");

		if (!str_eq(word_for(&dynamic_words, dynamic->kind), str_from(cases[i].kind)) ||
			strcmp(dynamic->evidence.id, cases[i].evidence) != 0)
			fail_msg("%s: %.*s (%s)", cases[i].steps, STR_ARG(word_for(&dynamic_words, dynamic->kind)),
				dynamic->evidence.id);
	}
}

static void evidence_names_the_first_change_after_the_warm_up(void **state)
{
	static const struct {
		const char *name, *value;
	} want[] = { { "step", "3" }, { "previous", "2" }, { "argument", "1" }, { "dim", "0" }, { "from", "5" },
		{ "to", "6" } };
	CLEANUP(analysis_clear)
	struct analysis all = analyse(profile_of_steps("aten::a [[2], [4, 4]] | aten::a [[2], [5, 4]] | aten::a [[2], "
						       "[6, 4]] | aten::a [[2], [9, 4]]"),
		(struct dynamic_options){ 0 }, NULL);
	const struct result_dynamic *dynamic = dynamic_of(&all, "aten::a");

	assert_int_equal(dynamic->evidence.count, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		assert_string_equal(dynamic->evidence.params[i].name, want[i].name);
		assert_str(dynamic->evidence.params[i].value, want[i].value);
	}
	assert_int_equal(dynamic->dim_count, 1);
	assert_int_equal(dynamic->dims[0].argument, 1);
	assert_int_equal(dynamic->dims[0].dim, 0);
	assert_int_equal(dynamic->dims[0].min, 5);
	assert_int_equal(dynamic->dims[0].max, 9);
	assert_int_equal(dynamic->dims[0].distinct, 3);
	assert_int_equal(dynamic->distinct, 4);
}

static void sizes_in_lists_of_tensors_are_placed(void **state)
{
	CLEANUP(analysis_clear)
	struct analysis all = analyse(
		profile_of_steps(
			"aten::a [[[2], [3]]] | aten::a [[[2], [4]]] | aten::a [[[2], [5]]] | aten::a [[[2], [6]]]"),
		(struct dynamic_options){ 0 }, NULL);
	const struct result_dynamic *dynamic = dynamic_of(&all, "aten::a");

	assert_string_equal(dynamic->evidence.id, "dynamic-size-in-list");
	assert_int_equal(dynamic->dims[0].tensor, 1);
}

/* At the end of an epoch nearly everything shrinks; one operator that changes all the time does not hide that. */
static void one_restless_operator_leaves_the_last_batch_alone(void **state)
{
	CLEANUP(analysis_clear)
	struct analysis all = analyse(profile_of_steps("aten::a [[8]]; aten::b [[8]]; aten::c [[8]]; aten::r [[1]] | "
						       "aten::a [[8]]; aten::b [[8]]; aten::c [[8]]; aten::r [[2]]"
						       "| aten::a [[8]]; aten::b [[8]]; aten::c [[8]]; aten::r [[3]] | "
						       "aten::a [[3]]; aten::b [[3]]; aten::c [[3]]; aten::r [[4]]"
						       "| aten::a [[8]]; aten::b [[8]]; aten::c [[8]]; aten::r [[5]] | "
						       "aten::a [[8]]; aten::b [[8]]; aten::c [[8]]; aten::r [[6]]"),
		(struct dynamic_options){ 0 }, NULL);

	assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::a")->kind), "last-batch");
	assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::c")->kind), "last-batch");
	assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::r")->kind), "unbounded");
}

static void with_rows_hidden_only_sets_without_anything_in_common_differ(void **state)
{
	static const struct {
		const char *steps, *kind;
	} cases[] = {
		{ "aten::a [[2]] | aten::a [[2]] | aten::a [[2]]", "unknown" },
		{ "aten::a [[2]] | aten::a [[3]] | aten::a [[4]] | aten::a [[5]]", "unbounded" },
		{ "aten::a [[2]] | aten::a [[3]] | aten::a [[2]] | aten::a [[3]]", "bounded" },
		{ "aten::a [[2]] | aten::a [[2]] | aten::a [[3]]", "unknown" },
		{ "aten::a [[2]]; aten::a [[9]] | aten::a [[3]]; aten::a [[9]] | aten::a [[4]]; aten::a [[9]] | "
		  "aten::a [[5]]",
			"unknown" },
		{ "aten::a [[2]]; aten::b [[1]] | aten::a [[3]]; aten::b [[1]] | aten::b [[1]] | aten::a [[5]]",
			"unknown" },
		{ "aten::a [[8]] | aten::a [[8]] | aten::a [[8]] | aten::a [[3]]", "unknown" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(analysis_clear)
		struct analysis all = analyse(
			profile_of_steps(cases[i].steps), (struct dynamic_options){ .rows_hidden = true }, NULL);
		const struct result_dynamic *dynamic = dynamic_of(&all, "aten::a");

		if (!str_eq(word_for(&dynamic_words, dynamic->kind), str_from(cases[i].kind)))
			fail_msg("%s: %.*s", cases[i].steps, STR_ARG(word_for(&dynamic_words, dynamic->kind)));
	}
}

static void steps_that_compiled_are_left_out(void **state)
{
	static const struct {
		const char *steps, *kind, *evidence;
	} cases[] = {
		{ "aten::a [[9]]; x (dynamo_timed) | aten::a [[2]] | aten::a [[2]] | aten::a [[7]]; y (dynamo_timed) | "
		  "aten::a [[2]]",
			"static", "dynamic-same-steps" },
		{ "aten::b [[1]]; x (dynamo_timed); aten::a [[2]] | aten::b [[1]] | aten::b [[1]]", "unknown",
			"dynamic-only-compiled" },
		{ "aten::a [[1]]; x (dynamo_timed) | aten::a [[2]]", "unknown", "dynamic-only-compiled" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(analysis_clear)
		struct analysis all = analyse(profile_of_steps(cases[i].steps), (struct dynamic_options){ 0 }, NULL);
		const struct result_dynamic *dynamic = dynamic_of(&all, "aten::a");

		assert_str(word_for(&dynamic_words, dynamic->kind), cases[i].kind);
		assert_string_equal(dynamic->evidence.id, cases[i].evidence);
	}
}

static void of_several_ranks_the_one_that_changes_most_counts(void **state)
{
	static const char *const quiet = "aten::a [[2]] | aten::a [[2]] | aten::a [[2]] | aten::a [[2]]",
				 *restless = "aten::a [[2]] | aten::a [[3]] | aten::a [[4]] | aten::a [[5]]";

	for (int turn = 0; turn < 2; turn++) {
		struct limits limits = limits_default();
		struct profile *profile = profile_new(&limits);
		struct event_sink sink = profile_sink(profile, STR(""));

		feed_steps(&sink, "rank0", turn ? quiet : restless);
		feed_steps(&sink, "rank1", turn ? restless : quiet);
		feed_steps(&sink, "rank2", "aten::b [[2]]");
		profile_finish(profile);
		{
			CLEANUP(analysis_clear)
			struct analysis all = analyse(profile, (struct dynamic_options){ 0 }, NULL);

			assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::a")->kind), "unbounded");
			assert_int_equal(dynamic_of(&all, "aten::a")->distinct, 4);
			assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::b")->kind), "unknown");
		}
	}
}

static void what_pytorch_says_of_results_comes_first(void **state)
{
	const bool by_data[] = { true };
	CLEANUP(analysis_clear)
	struct analysis all = analyse(
		profile_of_steps("aten::a [[2]] | aten::a [[2]]"), (struct dynamic_options){ 0 }, by_data);

	assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::a")->kind), "data-dependent");
	assert_string_equal(dynamic_of(&all, "aten::a")->evidence.id, "dynamic-by-definition");
}

static void the_answer_of_the_guide_stands_beside(void **state)
{
	static const struct {
		const char *steps;
		bool dynamic;
	} cases[] = {
		{ "aten::a [[2]] | aten::a [[2]]", false },
		{ "aten::a [[2]] | aten::a [[3]]", true },
		{ "aten::a [[2]]; aten::a [[3]] | aten::a [[3]]", false },
		{ "aten::b [[1]] | aten::a [[3]]", true },
		{ "aten::a | aten::a", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(analysis_clear)
		struct analysis all = analyse(profile_of_steps(cases[i].steps), (struct dynamic_options){ 0 }, NULL);

		assert_int_equal(dynamic_of(&all, "aten::a")->guide_rule == GUIDE_DYNAMIC, cases[i].dynamic);
	}
}

static void changing_kinds_are_four(void **state)
{
	static const char *const changing[] = { "last-batch", "bounded", "unbounded", "data-dependent" };
	static const char *const quiet[] = { "static", "late", "warm-up", "unknown" };

	for (size_t i = 0; i < ARRAY_SIZE(changing); i++)
		assert_true(dynamic_is_changing(enum_of(&dynamic_words, changing[i])));
	for (size_t i = 0; i < ARRAY_SIZE(quiet); i++)
		assert_false(dynamic_is_changing(enum_of(&dynamic_words, quiet[i])));
}

static void the_cap_on_shapes_leaves_the_kinds_as_they_are(void **state)
{
	CLEANUP(buf_clear) struct buf steps = BUF_INIT(100000);
	struct limits limits = limits_default();
	struct profile *profile;
	struct event_sink sink;

	limits.shapes = 32;
	profile = profile_new(&limits);
	sink = profile_sink(profile, STR(""));
	for (int i = 0; i < 60; i++)
		buf_printf(&steps, "%saten::a [[%d]]; aten::b [[%d]]; aten::c [[%d]]", i ? " | " : "", i, i % 3,
			i < 40 ? 7 : i);
	feed_steps(&sink, "", buf_text(&steps));
	profile_finish(profile);
	{
		CLEANUP(analysis_clear) struct analysis all = analyse(profile, (struct dynamic_options){ 0 }, NULL);

		assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::a")->kind), "unbounded");
		assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::b")->kind), "bounded");
		assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::c")->kind), "unknown");
	}
}

static void a_torn_last_step_is_left_out(void **state)
{
	static const char table[] = "Name  Self CPU  # of Calls  Input Shapes\naten::a  %d.000us  7  [[2]]\n"
				    "aten::b  %d.500us  7  [[%d]]\nSelf CPU time total: %d.%d00us\n";
	CLEANUP(buf_clear) struct buf text = BUF_INIT(100000);
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_facts facts = { .format = "" };
	struct dump_context context = { &sink, &limits, &facts };
	void *reader = dump_table.open(&context);
	struct err err;

	for (int i = 1; i < 5; i++)
		buf_printf(&text, table, i, i, i, i * 1000 + 7, i);
	assert_int_equal(dump_table.feed(reader, str_chop(buf_str(&text), 60), &err), 0);
	assert_int_equal(dump_table.finish(reader, &err), 0);
	dump_table.close(reader);
	profile_finish(profile);
	assert_int_equal(facts.cut_tables, 1);
	assert_int_equal(facts.torn_tables, 1);
	{
		CLEANUP(analysis_clear) struct analysis all = analyse(profile, (struct dynamic_options){ 0 }, NULL);

		assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::a")->kind), "static");
		assert_str(word_for(&dynamic_words, dynamic_of(&all, "aten::b")->kind), "unbounded");
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cap_on_shapes_leaves_the_kinds_as_they_are),
		cmocka_unit_test(a_torn_last_step_is_left_out),
		cmocka_unit_test(every_kind_is_told_by_the_sets_of_its_steps),
		cmocka_unit_test(evidence_names_the_first_change_after_the_warm_up),
		cmocka_unit_test(sizes_in_lists_of_tensors_are_placed),
		cmocka_unit_test(one_restless_operator_leaves_the_last_batch_alone),
		cmocka_unit_test(with_rows_hidden_only_sets_without_anything_in_common_differ),
		cmocka_unit_test(steps_that_compiled_are_left_out),
		cmocka_unit_test(of_several_ranks_the_one_that_changes_most_counts),
		cmocka_unit_test(what_pytorch_says_of_results_comes_first),
		cmocka_unit_test(the_answer_of_the_guide_stands_beside),
		cmocka_unit_test(changing_kinds_are_four),
	};

	return run_group(tests);
}
