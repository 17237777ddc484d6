/* From recorded names to operators: what belongs together, what a cut name may mean, what is left over. */
#include "assess/model/operators.h"
#include "base/value/figure.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

/* A world with four operators. */
static const char *const world[] = { "aten::_scaled_attention", "aten::_scaled_attention_backward", "aten::add",
	"aten::t" };

static bool known(void *ctx, struct str base)
{
	for (size_t i = 0; i < ARRAY_SIZE(world); i++) {
		if (str_eq(str_skip(str_from(world[i]), 6), base))
			return true;
	}
	return false;
}

static size_t completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(world); i++) {
		struct str base = str_skip(str_from(world[i]), 6);

		if (!str_eq(ns, STR("aten")) || !str_starts(base, prefix))
			continue;
		if (count < max)
			ret[count] = base;
		count++;
	}
	return count;
}

struct gathered {
	struct arena arena;
	struct profile *profile;
	struct operators operators;
};

static struct gathered gather(struct profile *profile)
{
	struct gathered all = { .arena = ARENA_INIT(ARENA_UNLIMITED), .profile = profile };
	struct name_lookup lookup = { NULL, known, completions };

	operators_gather(&all.arena, profile, &lookup, &all.operators);
	return all;
}

static void gathered_clear(struct gathered *all)
{
	arena_clear(&all->arena);
	profile_free(all->profile);
}

static const struct op *find(const struct gathered *all, const char *name)
{
	for (size_t i = 0; i < all->operators.count; i++) {
		if (str_eq(all->operators.items[i].name, str_from(name)))
			return &all->operators.items[i];
	}
	fail_msg("no operator %s", name);
	return NULL;
}

static void an_operator_gathers_its_spellings_and_shapes(void **state)
{
	CLEANUP(gathered_clear)
	struct gathered all = gather(profile_of_steps("aten::add [[1]] x1 =1 d10; aten::add.Tensor [[1]] x2 =2 d20; "
						      "aten::add [[2]] x4 =4; aten::mul [[1]] x8 =-3"));

	assert_int_equal(all.operators.count, 2);
	assert_str(all.operators.items[0].name, "aten::add");
	assert_str(all.operators.items[0].ns, "aten");
	assert_str(all.operators.items[0].base, "add");
	assert_int_equal(all.operators.items[0].use_count, 3);
	assert_int_equal(all.operators.items[0].calls, 7);
	assert_int_equal(all.operators.items[0].self_cpu_ns, 7000);
	assert_int_equal(all.operators.items[0].self_device_ns, 30000);
	assert_int_equal(find(&all, "aten::mul")->self_cpu_ns, -3000);
	assert_int_equal(all.operators.ignored_count, 0);
}

static void a_cut_name_is_what_it_must_be_or_one_of_several(void **state)
{
	CLEANUP(gathered_clear)
	struct gathered all = gather(
		profile_of_steps("aten::ad... [[1]] x1; aten::add [[1]] x2; aten::_scaled_att... [[1]] x4;"
				 "aten::nothing_like... [[1]] x8"));
	const struct op *op = find(&all, "aten::add");

	assert_true(op->was_cut);
	assert_int_equal(op->calls, 3);
	assert_int_equal(op->completion_count, 0);
	op = find(&all, "aten::_scaled_att...");
	assert_int_equal(op->completion_count, 2);
	assert_str(op->completions[0], "aten::_scaled_attention");
	assert_str(op->completions[1], "aten::_scaled_attention_backward");
	op = find(&all, "aten::nothing_like...");
	assert_true(op->was_cut);
	assert_int_equal(op->completion_count, 0);
}

static void a_bare_word_is_an_operator_only_if_pytorch_had_one(void **state)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));

	feed_sheet(&sink, sink.stream(sink.ctx, STR("")),
		&(struct sheet){ PLAIN | TABLE_BARE_NAMES, NULL, "add x1; unsigned short x2; my_function x4" });
	profile_finish(profile);
	{
		CLEANUP(gathered_clear) struct gathered all = gather(profile);

		assert_int_equal(all.operators.count, 2);
		assert_int_equal(find(&all, "aten::add")->calls, 1);
		assert_int_equal(find(&all, "aten::t")->calls, 2);
		assert_int_equal(all.operators.ignored_count, 1);
		assert_str(all.operators.ignored[0].name, "my_function");
		assert_str(word_for(&name_class_words, all.operators.ignored[0].name_class), "label");
		assert_int_equal(all.operators.ignored[0].calls, 4);
	}
}

static void what_is_left_over_stands_by_class_and_name(void **state)
{
	static const struct {
		const char *name, *name_class;
		uint64_t calls;
	} want[] = {
		{ "AddBackward0", "autograd", 2 },
		{ "a label", "label", 12 },
		{ "b label", "label", 1 },
		{ "cudaFree", "runtime", 16 },
		{ "ProfilerStep#1", "step", 1 },
	};
	CLEANUP(gathered_clear)
	struct gathered all = gather(
		profile_of_steps("cudaFree x16; b label x1; a label x4; aten::add [[1]]; AddBackward0 x2; "
				 "ProfilerStep#1 x1 | a label x8; aten::add [[1]]"));

	assert_int_equal(all.operators.ignored_count, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		assert_str(all.operators.ignored[i].name, want[i].name);
		assert_str(word_for(&name_class_words, all.operators.ignored[i].name_class), want[i].name_class);
		assert_int_equal(all.operators.ignored[i].calls, want[i].calls);
	}
}

static void without_a_lookup_names_stay_as_they_are(void **state)
{
	struct profile *profile = profile_of_steps("aten::ad... [[1]] x1");
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct name_lookup nothing = { .known = NULL };
	struct operators operators;

	operators_gather(&arena, profile, &nothing, &operators);
	assert_int_equal(operators.count, 1);
	assert_str(operators.items[0].name, "aten::ad...");
	arena_clear(&arena);
	profile_free(profile);
}

static void a_profile_without_operators_has_none(void **state)
{
	CLEANUP(gathered_clear) struct gathered all = gather(profile_of_steps("my label x3"));

	assert_int_equal(all.operators.count, 0);
	assert_int_equal(all.operators.ignored_count, 1);
}

static void a_label_of_a_library_adds_its_time_to_the_operator_it_works_for(void **state)
{
	CLEANUP(gathered_clear)
	struct gathered all = gather(profile_of_steps(
		"aten::mm [[1]] x4 =1; aten::addmm [[1]] x2 =1; aten::sum [[1]] x1 =1 d7; torch_ipex::adam_step [] x3 "
		"=1;"
		"onednn_mm_out(640,512,512) [] x3 =5 d100; onednn_mm_out(32,512,512) [] x1 =6 d20; "
		"onednn_addmm(640,2048,512) [] x2 =1 d30; gemm_kernel [] x6 d150; adam_step [] x3 =2 d9; "
		"sum [] x1 =1 d500; forward [] x1 =1 d900"));

	assert_int_equal(find(&all, "aten::mm")->self_device_ns, 120000);
	assert_int_equal(find(&all, "aten::mm")->self_cpu_ns, 12000);
	assert_int_equal(find(&all, "aten::mm")->calls, 4);
	assert_int_equal(find(&all, "aten::addmm")->self_device_ns, 30000);
	assert_int_equal(find(&all, "torch_ipex::adam_step")->self_device_ns, 9000);
	assert_int_equal(find(&all, "aten::sum")->self_device_ns, 7000); /* a label of the user's */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operator_gathers_its_spellings_and_shapes),
		cmocka_unit_test(a_label_of_a_library_adds_its_time_to_the_operator_it_works_for),
		cmocka_unit_test(a_cut_name_is_what_it_must_be_or_one_of_several),
		cmocka_unit_test(a_bare_word_is_an_operator_only_if_pytorch_had_one),
		cmocka_unit_test(what_is_left_over_stands_by_class_and_name),
		cmocka_unit_test(without_a_lookup_names_stay_as_they_are),
		cmocka_unit_test(a_profile_without_operators_has_none),
	};

	return run_group(tests);
}
