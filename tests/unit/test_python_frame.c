/* Frames of Python: which of them say something of the user's program. */
#include "dump/trace/python_frame.h"

#include "tests/unit/check.h"

static void a_frame_is_a_module_or_a_line_of_the_user_or_neither(void **state)
{
	static const struct {
		const char *name, *text;
		enum python_frame frame;
	} cases[] = {
		{ "nn.Module: Linear_3", "Linear_3", FRAME_MODULE },
		{ "nn.Module: ", "", FRAME_OTHER },
		{ "train.py(12): step", "train.py(12): step", FRAME_SOURCE },
		{ "/home/u/model.py(7): <lambda>", "/home/u/model.py(7): <lambda>", FRAME_SOURCE },
		{ "transformers/models/bert/modeling_bert.py(68): forward",
			"transformers/models/bert/modeling_bert.py(68): forward", FRAME_SOURCE },
		{ "/opt/lib/python3.11/site-packages/timm/layers/mlp.py(9): forward",
			"/opt/lib/python3.11/site-packages/timm/layers/mlp.py(9): forward", FRAME_SOURCE },
		{ "<ipython-input-3-ab12>(4): f", "<ipython-input-3-ab12>(4): f", FRAME_SOURCE },
		{ "torch/nn/modules/module.py(1782): _call_impl", NULL, FRAME_OTHER },
		{ "/opt/lib/python3.7/site-packages/torch/autograd/profiler.py(611): __init__", NULL, FRAME_OTHER },
		{ "/usr/lib/python3/dist-packages/torch_npu/npu/utils.py(1): f", NULL, FRAME_OTHER },
		{ "/workspace/pytorch/torch/functional.py(3): f", NULL, FRAME_OTHER },
		{ "threading.py(917): run", NULL, FRAME_OTHER },
		{ "importlib/__init__.py(90): import_module", NULL, FRAME_OTHER },
		{ "/usr/lib/python3.11/contextlib.py(81): inner", NULL, FRAME_OTHER },
		{ "recipes.py(1): f", "recipes.py(1): f", FRAME_SOURCE }, /* begins like re.py */
		{ "<built-in method add of type object at 0x7f>", NULL, FRAME_OTHER },
		{ "<string>(1): <module>", NULL, FRAME_OTHER },
		{ "train.py: step", NULL, FRAME_OTHER },
		{ "train.py(x): step", NULL, FRAME_OTHER },
		{ "train.py(12) step", NULL, FRAME_OTHER },
		{ "train.txt(12): step", NULL, FRAME_OTHER },
		{ "(12): x", NULL, FRAME_OTHER },
		{ "", NULL, FRAME_OTHER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str text;
		enum python_frame frame = python_frame_of(str_from(cases[i].name), &text);

		if (frame != cases[i].frame)
			fail_msg("%s is %d", cases[i].name, frame);
		if (frame != FRAME_OTHER) {
			assert_str(text, cases[i].text);
			assert_true(python_frame_may_matter(str_from(cases[i].name)));
		}
	}
	assert_false(python_frame_may_matter(STR("torch/nn/modules/module.py(1782): _call_impl")));
	assert_false(python_frame_may_matter(STR("<built-in method add of type object at 0x7f>")));
}

static void labels_of_frameworks_are_no_parts(void **state)
{
	static const char *const parts[] = { "encoder", "\xe8\xae\xad\xe7\xbb\x83", "DistributedDataParallel.forward" };
	static const char *const others[] = { "", "## forward ##", "enumerate(DataLoader)#x", "FSDP::all_gather",
		"[pytorch|profiler]", "inner (dynamo_timed)", "X_data: compile_id=0/0", "PyTorch Profiler (0)" };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		assert_true(python_label_is_part(str_from(parts[i])));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(python_label_is_part(str_from(others[i])));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_is_a_module_or_a_line_of_the_user_or_neither),
		cmocka_unit_test(labels_of_frameworks_are_no_parts),
	};

	return run_group(tests);
}
