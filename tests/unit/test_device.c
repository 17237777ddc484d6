/* On which device a dump was made: every sign, and what looks like one and is none. */
#include "dump/common/device.h"
#include "dump/table/fallback.h"
#include "tests/unit/check.h"

static void names_of_one_device_tell_it(void **state)
{
	static const struct {
		const char *name;
		enum device_kind kind;
	} cases[] = {
		{ "npu::npu_format_cast", DEVICE_NPU },
		{ "aten::npu_dtype_cast", DEVICE_NPU },
		{ "aclnnMm", DEVICE_NPU },
		{ "AscendCL@aclrtMemcpy", DEVICE_NPU },
		{ "hccl:all_reduce", DEVICE_UNKNOWN },
		{ "musaLaunchKernel", DEVICE_MUSA },
		{ "mccl:all_reduce", DEVICE_MUSA },
		{ "aten::mm", DEVICE_UNKNOWN },
		{ "musabe", DEVICE_UNKNOWN },
		{ "musa", DEVICE_UNKNOWN },
		{ "aclnn", DEVICE_UNKNOWN },
		{ "cudaLaunchKernel", DEVICE_UNKNOWN },
		{ "nccl:all_reduce", DEVICE_UNKNOWN },
		{ "my npu::x", DEVICE_UNKNOWN },
		{ "aiuLaunchControlBlocks", DEVICE_AIU },
		{ "hpu::linear", DEVICE_HPU },
		{ "cncl:all_reduce", DEVICE_MLU },
		{ "hipLaunchKernel", DEVICE_ROCM },
		{ "hip", DEVICE_UNKNOWN },
		{ "hippo", DEVICE_UNKNOWN },
		{ "torch_xla::dynamic_set_dimension_size", DEVICE_XLA },
		{ "urEnqueueKernelLaunch", DEVICE_XPU },
		{ "torch_ipex::linear", DEVICE_UNKNOWN }, /* of CPUs, too */
		{ "", DEVICE_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct device_facts facts = { 0 };

		device_observe_name(&facts, str_from(cases[i].name));
		assert_int_equal(facts.kind, cases[i].kind);
	}
}

static void the_first_sign_holds(void **state)
{
	struct device_facts facts = { 0 };

	device_observe(&facts, DEVICE_UNKNOWN, "names");
	device_observe(&facts, DEVICE_NPU, "columns");
	device_observe(&facts, DEVICE_MUSA, "names");
	device_set(facts.plugin, STR(" 2.7.1.post2\n"));
	assert_int_equal(facts.kind, DEVICE_NPU);
	assert_string_equal(facts.sign, "columns");
	assert_string_equal(facts.plugin, "2.7.1.post2");
}

static void texts_are_short_and_printable(void **state)
{
	char text[DEVICE_TEXT_BYTES];

	device_set(text, STR("a\x1b[31m\xc3\xa4 b"));
	assert_string_equal(text, "a?[31m?? b");
	device_set(text, STR("0123456789012345678901234567890123456789012345678901234567890123456789"));
	assert_int_equal(strlen(text), DEVICE_TEXT_BYTES - 1);
	device_set(text, STR(""));
	assert_string_equal(text, "");
}

static struct json_value value_of(enum json_kind kind, const char *text)
{
	return (struct json_value){ .kind = kind, .raw = str_from(text) };
}

static void the_top_of_a_trace_tells(void **state)
{
	static const struct {
		const char *key;
		enum json_kind kind;
		const char *value;
		enum device_kind device;
		const char *chip;
	} cases[] = {
		{ "deviceProperties", JSON_LIST, "[{\"id\": 0, \"name\": \"MTT S4000\"}]", DEVICE_MUSA, "MTT S4000" },
		{ "deviceProperties", JSON_LIST, "[{\"id\": 0, \"name\": \"NVIDIA A100\"}]", DEVICE_UNKNOWN,
			"NVIDIA A100" },
		{ "deviceProperties", JSON_LIST, "[]", DEVICE_UNKNOWN, "" },
		{ "deviceProperties", JSON_LIST, "[{\"name\": 3}]", DEVICE_UNKNOWN, "" },
		{ "deviceProperties", JSON_LIST, "[{\"na", DEVICE_UNKNOWN, "" },
		{ "deviceProperties", JSON_LIST, "[{\"name\": \"AMD Instinct MI300X\"}]", DEVICE_ROCM,
			"AMD Instinct MI300X" },
		{ "deviceProperties", JSON_LIST, "[{\"name\": \"Intel(R) Data Center GPU Max 1100\"}]", DEVICE_XPU,
			"Intel(R) Data Center GPU Max 1100" },
		{ "hip_runtime_version", JSON_WORD, "70253211", DEVICE_ROCM, "" },
		{ "musa_runtime_version", JSON_WORD, "40000", DEVICE_MUSA, "" },
		{ "cuda_runtime_version", JSON_WORD, "12000", DEVICE_UNKNOWN, "" },
		{ "distributedInfo", JSON_OBJECT, "{\"rank\": 0, \"backend\": \"hccl\"}", DEVICE_UNKNOWN, "" },
		{ "distributedInfo", JSON_OBJECT, "{\"rank\": 0, \"backend\": \"mccl\"}", DEVICE_MUSA, "" },
		{ "distributedInfo", JSON_OBJECT, "{\"backend\": \"mccl\"}", DEVICE_MUSA, "" },
		{ "distributedInfo", JSON_OBJECT, "{\"backend\": \"nccl\"}", DEVICE_UNKNOWN, "" },
		{ "distributedInfo", JSON_OBJECT, "{\"backend\": \"xccl\"}", DEVICE_XPU, "" },
		{ "distributedInfo", JSON_OBJECT, "{\"backend\": [\"hccl\"]}", DEVICE_UNKNOWN, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct json_value value = value_of(cases[i].kind, cases[i].value);
		struct device_facts facts = { 0 };

		device_observe_member(&facts, str_from(cases[i].key), &value);
		assert_int_equal(facts.kind, cases[i].device);
		assert_string_equal(facts.chip, cases[i].chip);
	}
}

static void the_info_file_names_releases(void **state)
{
	static const char *const no_info[] = { "", "[]", "{", "{\"config\": {}}", "{\"torch_npu_version\": \"2.7.1\"}",
		"nul" };
	struct device_facts facts = { 0 };

	assert_true(device_observe_info(
		&facts, STR("{\"config\": {}, \"start_info\": {}, \"torch_npu_version\": \"2.7.1.post2\","
			    " \"cann_version\": \"8.5.0\", \"rank_id\": 1}")));
	assert_int_equal(facts.kind, DEVICE_NPU);
	assert_string_equal(facts.plugin, "2.7.1.post2");
	assert_string_equal(facts.cann, "8.5.0");
	assert_string_equal(facts.torch, "");
	for (size_t i = 0; i < ARRAY_SIZE(no_info); i++) {
		struct device_facts none = { 0 };

		assert_false(device_observe_info(&none, str_from(no_info[i])));
		assert_int_equal(none.kind, DEVICE_UNKNOWN);
		assert_string_equal(none.plugin, "");
	}
}

static void warnings_and_exceptions_name_operators(void **state)
{
	static const struct {
		const char *line, *name;
		bool raised;
		enum device_kind device;
	} cases[] = {
		{ "[W610 18:26:03.05 VariableFallbackKernel.cpp:250] Warning: CAUTION: The operator 'aten::fmax.out' "
		  "is not currently "
		  "supported on the NPU backend and will fall back to run on the CPU. This may have performance "
		  "implications. "
		  "(function npu_cpu_fallback)",
			"aten::fmax.out", false, DEVICE_NPU },
		{ "NotImplementedError: Could not run 'aten::_cummax_helper' with arguments from the 'PrivateUse1' "
		  "backend. This",
			"aten::_cummax_helper", true, DEVICE_UNKNOWN },
		{ "Could not run 'torchvision::nms' with arguments from the 'musa' backend.", "torchvision::nms", true,
			DEVICE_MUSA },
		{ "The operator 'aten::col2im' is not currently supported on the MPS backend and will fall back to run "
		  "on the CPU.",
			NULL },
		{ "Could not run 'aten::mm' with arguments from the 'CUDA' backend", NULL },
		{ "Could not run 'aten::mm' with arguments from the 'XPU' backend", NULL },
		{ "Could not run 'aten::mm' with arguments from the 'NPU", NULL },
		{ "Could not run 'x' with arguments from the 'NPU' backend", NULL },
		{ "The operator 'aten::mm' is fine on the NPU backend", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fallback found;

		assert_int_equal(fallback_find(str_from(cases[i].line), &found), cases[i].name != NULL);
		if (!cases[i].name)
			continue;
		assert_str(found.name, cases[i].name);
		assert_int_equal(found.raised, cases[i].raised);
		assert_int_equal(found.device, cases[i].device);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_one_device_tell_it),
		cmocka_unit_test(the_first_sign_holds),
		cmocka_unit_test(texts_are_short_and_printable),
		cmocka_unit_test(the_top_of_a_trace_tells),
		cmocka_unit_test(the_info_file_names_releases),
		cmocka_unit_test(warnings_and_exceptions_name_operators),
	};

	return run_group(tests);
}
