/* The rules of resolution on the facts of tests/unit/facts, one by one. tests/oracle compares every overload of every release. */
#include "base/memory/buf.h"
#include "opdb/db/lists.h"
#include "opdb/db/names.h"
#include "opdb/resolve/held.h"
#include "opdb/resolve/history.h"
#include "tests/unit/opdb_fixture.h"

struct expected {
	const char *target, *name;
	enum op_status status;
	const char *via;
};

static void check(const struct fixture *fixture, const struct expected *cases, size_t count, enum reading reading)
{
	for (size_t i = 0; i < count; i++) {
		struct answer answer = answer_on(fixture, cases[i].target, cases[i].name, reading);

		if (answer.status != cases[i].status || !str_eq(answer.via, str_from(cases[i].via)))
			fail_msg("%s on %s: %.*s, %.*s", cases[i].name, cases[i].target,
				STR_ARG(op_status_name(answer.status)), STR_ARG(answer.via));
	}
}

static void each_rule_of_the_dispatcher_has_its_chain(void **state)
{
	static const struct expected cases[] = {
		{ "npu@v2.7.1-26.0.0", "add", OP_NATIVE, "registered" },
		{ "npu@v1.8.1-5.0.rc3", "add.Tensor", OP_NATIVE_JIT, "registered" },
		{ "npu@v1.11.0-5.0.0", "_ctc_loss", OP_NATIVE_JIT, "registered" },
		{ "musa@v1.3.0", "_ctc_loss", OP_NATIVE, "registered" },
		{ "npu@v1.11.0-5.0.0", "linalg_cross.out", OP_NATIVE, "registered" },
		{ "npu@v1.11.0-5.0.0", "mode", OP_CPU_FALLBACK, "registered to run on the CPU" },
		{ "npu@v2.1.0-6.0.0", "conv2d", OP_COMPOSITE, "CompositeImplicit" },
		{ "npu@v2.7.1-26.0.0", "special_erfcx", OP_CPU_FALLBACK,
			"structured -> special_erfcx.out: boxed fallback" },
		{ "musa@v2.7.1", "special_chebyshev_polynomial_t", OP_UNSUPPORTED,
			"structured -> special_chebyshev_polynomial_t.out: no kernel and no fallback" },
		{ "npu@v2.7.1-26.0.0", "view_as_real", OP_NATIVE, "registered" },
		{ "npu@v2.1.0-5.0.0", "view_as_real", OP_CPU_FALLBACK, "boxed fallback (view: the result is a copy)" },
		{ "npu@v2.7.1-26.0.0", "huber_loss_backward", OP_CPU_FALLBACK,
			"composite over huber_loss_backward.out: boxed fallback" },
		{ "npu@v2.7.1-26.0.0", "add.Scalar_out", OP_COMPOSITE, "generated from add_.Scalar" },
		{ "npu@v2.7.1-26.0.0", "_ctc_loss.Tensor_out", OP_CPU_FALLBACK,
			"generated from _ctc_loss.Tensor: boxed fallback" },
		{ "npu@v2.7.1-26.0.0", "_copy_from", OP_UNSUPPORTED, "no CPU kernel to fall back to" },
		{ "npu@v2.7.1-26.0.0", "is_vulkan_available", OP_COMPOSITE, "host-side" },
		{ "npu@v1.8.1-5.0.rc3", "convolution_overrideable", OP_UNSUPPORTED, "override-only stub" },
		{ "musa@v2.0.0", "rope", OP_COMPOSITE, "composite that a patch adds to PyTorch" },
		{ "npu@v1.11.0-5.0.0", "lift_fresh", OP_UNKNOWN, "no such name in PyTorch 1.11.0: added later" },
		{ "npu@v2.7.1-26.0.0", "add.Nothing", OP_UNKNOWN, "no such overload in PyTorch 2.7.1" },
	};

	check(*state, cases, ARRAY_SIZE(cases), READING_REACHED);
}

static void names_of_another_backend_are_switched_away_unless_they_are_called(void **state)
{
	static const struct expected reached[] = {
		{ "npu@v2.7.1-26.0.0", "mkldnn_convolution", OP_EQUIVALENT, "switched away: cpu:oneDNN" },
		{ "musa@v1.3.0", "cudnn_batch_norm", OP_EQUIVALENT, "switched away: cuda/rocm" },
		{ "npu@v2.7.1-26.0.0", "_mps_convolution", OP_EQUIVALENT, "switched away: cuda/cpu conv backends" },
		{ "npu@v2.7.1-26.0.0", "cudnn_convolution_backward_input", OP_EQUIVALENT,
			"switched away: cuda/cpu conv backends (name known in 1.8.1)" },
		{ "npu@v2.7.1-26.0.0", "fbgemm_pack_gemm_matrix_fp16", OP_UNSUPPORTED,
			"body bound to another backend" },
	};
	static const struct expected called[] = {
		{ "npu@v2.7.1-26.0.0", "mkldnn_convolution", OP_UNSUPPORTED, "body bound to another backend" },
		{ "npu@v2.7.1-26.0.0", "cudnn_convolution_backward_input", OP_UNKNOWN,
			"no such name in PyTorch 2.7.1: removed before" },
	};
	struct answer answer;

	check(*state, reached, ARRAY_SIZE(reached), READING_REACHED);
	check(*state, called, ARRAY_SIZE(called), READING_EXPLICIT);
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "mkldnn_convolution", READING_REACHED);
	assert_str(
		answer.equivalents, "convolution;convolution_overrideable;_convolution;addmm;max_pool2d_with_indices");
	assert_int_equal(answer.explicit_status, OP_UNSUPPORTED);
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "_fused_adamw_", READING_REACHED);
	assert_str(answer.equivalents, "_foreach_*");
	assert_int_equal(answer.explicit_status, answer.status);
}

static bool is_recorded(void *ctx, struct str name)
{
	return str_eq(name, str_from(ctx));
}

static void a_backend_name_is_called_when_no_composite_that_chooses_it_was_recorded(void **state)
{
	static const struct {
		const char *ns, *base;
		char recorded[32];
		bool called;
	} cases[] = {
		{ "aten", "mkldnn_convolution", "aten::_convolution", false },
		{ "aten", "mkldnn_convolution", "aten::relu", true },
		{ "aten", "_fused_adamw_", "aten::relu", false }, /* nothing chooses it: both readings are one */
		{ "aten", "native_dropout", "aten::relu", false },
		{ "aten", "relu", "aten::relu", false },
		{ "npu", "mkldnn_convolution", "aten::relu", false },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char recorded[32];

		memcpy(recorded, cases[i].recorded, sizeof(recorded));
		assert_int_equal(resolve_called_by_name(fixture->resolver, str_from(cases[i].ns),
					 str_from(cases[i].base), is_recorded, recorded),
			cases[i].called);
	}
}

static void namespaces_have_their_own_rules(void **state)
{
	static const struct {
		const char *target, *name;
		enum op_status status;
		const char *package, *detail;
	} cases[] = {
		{ "npu@v2.1.0-6.0.0", "npu::npu_fusion_attention", OP_NATIVE, "", "op_plugin:custom: aclnn" },
		{ "npu@v1.11.0-5.0.0", "npu::npu_fusion_attention", OP_UNSUPPORTED, "",
			"registered by releases from npu@v2.1.0-5.0.rc3 to npu@master" },
		{ "musa@v2.7.1", "npu::npu_fusion_attention", OP_UNSUPPORTED, "",
			"torch_npu's own operators, printed as aten::npu_* before torch 2.1" },
		{ "npu@v1.11.0-5.0.0", "torchvision::nms", OP_NEEDS_PACKAGE, "torchvision_npu",
			"without it the operator raises" },
		{ "npu@v2.7.1-26.0.0", "torchvision::nms", OP_NEEDS_PACKAGE, "torchvision_npu",
			"without it the operator runs on the CPU" },
		{ "musa@v2.5.0", "torchvision::nms", OP_NATIVE, "", "cpp" },
		{ "musa@v2.7.1", "torchvision::nms", OP_UNKNOWN, "",
			"built into torch_musa 1.2.1 to 2.5.0, a fork of torchvision from 2.7.0 on" },
		{ "npu@v2.8.0-26.0.0", "torchvision::nms", OP_UNKNOWN, "",
			"built into torch_musa 1.2.1 to 2.5.0, a fork of torchvision from 2.7.0 on" },
		{ "npu", "mmcv::nms", OP_NEEDS_PACKAGE, "mmcv", "without it the operator runs on the CPU" },
		{ "npu", "nobody::anything", OP_UNKNOWN, "nobody", "" },
		{ "npu", "vllm::rocm_aiter_rms_norm", OP_EQUIVALENT, "", "vLLM's operators for AMD GPUs" },
		{ "npu", "vllm::roc", OP_UNKNOWN, "",
			"vLLM's operators for CUDA: the build for the device brings others in their place" },
		{ "npu", "xformers::anything", OP_UNSUPPORTED, "",
			"Meta's attention for CUDA; scaled_dot_product_attention runs on the device" },
		{ "musa", "torch_ipex::linear", OP_EQUIVALENT, "",
			"Intel's extension puts it in place of PyTorch's operators on Intel's CPUs and GPUs" },
		{ "npu@2.7.1", "symm_mem::one_shot_all_reduce", OP_UNSUPPORTED, "",
			"PyTorch's own: symmetric memory between devices, whose kernels each device registers" },
		{ "npu", "fsdp::chunk_cat", OP_COMPOSITE, "",
			"PyTorch's own: copies of fully sharded data parallel, in Python over aten" },
		{ "npu", "quantized::linear", OP_UNSUPPORTED, "",
			"no fallback exists on the quantized keys: own kernel or nothing" },
		{ "musa@v2.7.1", "quantized::linear", OP_NATIVE, "", "cpp" },
		{ "npu", "prims::add", OP_COMPOSITE, "", "registered by PyTorch as Python composites over aten" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct answer answer = answer_on(*state, cases[i].target, cases[i].name, READING_REACHED);

		assert_int_equal(answer.status, cases[i].status);
		assert_str(answer.package, cases[i].package);
		assert_str(answer.detail, cases[i].detail);
	}
	assert_int_equal(answer_on(*state, "npu", "prims::add", READING_REACHED).flags, FLAG_INFERRED);
}

static void a_package_is_named_in_its_version_for_the_pytorch_of_the_release(void **state)
{
	static const struct {
		const char *target, *version;
	} cases[] = {
		{ "npu@v1.11.0-5.0.0", "v0.12.0-6.0.rc2" }, /* the later of two */
		{ "npu@v2.6.0-7.3.0", "v0.21.0-7.1.0" },
		{ "npu@v2.7.1-26.0.0", "master" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_str(answer_on(*state, cases[i].target, "torchvision::nms", READING_REACHED).library.version,
			cases[i].version);
	assert_str(answer_on(*state, "npu", "mmcv::nms", READING_REACHED).library.version, ""); /* any */
}

static void an_extension_of_a_common_name_is_the_librarys_of_which_other_operators_were_recorded(void **state)
{
	static const struct {
		const char *ns;
		char recorded[16];
		const char *package, *via;
		unsigned flags;
	} cases[] = {
		{ "_C", "vllm", "", "no version of vllm-ascend for PyTorch 2.7.1 is known to have it", 0 },
		{ "_C_cache_ops", "_moe_C", "", "no version of vllm-ascend for PyTorch 2.7.1 is known to have it", 0 },
		{ "_C", "_C_cache_ops", "", "no version of vllm-ascend for PyTorch 2.7.1 is known to have it", 0 },
		{ "_C", "aten", "_C", "an extension named _C", FLAG_INFERRED },
		{ "_C", "_C", "_C", "an extension named _C", FLAG_INFERRED },
	};
	const struct fixture *fixture = *state;
	struct target target = target_named(fixture, "npu@2.7.1");

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct op_query query = { .ns = str_from(cases[i].ns), .base = STR("rms_norm") };
		char recorded[16];
		struct answer answer;
		struct err err = { 0 };

		memcpy(recorded, cases[i].recorded, sizeof(recorded));
		query.of_library = resolve_is_of_library(fixture->resolver, query.ns, is_recorded, recorded);
		assert_int_equal(resolve_base(fixture->resolver, &target, &query, &answer, &err), 0);
		assert_int_equal(answer.status, OP_UNKNOWN);
		assert_str(answer.package, cases[i].package);
		assert_str(answer.via, cases[i].via);
		assert_int_equal(answer.flags, cases[i].flags);
	}
}

static void a_name_of_another_pytorch_is_explained_by_what_the_target_has_in_its_place(void **state)
{
	static const struct {
		const char *target, *name;
		enum op_status status;
		const char *equivalents;
	} cases[] = {
		{ "npu@2.7.1", "_cat", OP_EQUIVALENT, "cat" },
		{ "musa@2.7.1", "_s_where", OP_EQUIVALENT, "where" },
		{ "npu@2.7.1", "_fused_rms_norm", OP_EQUIVALENT, "rms_norm" },
		{ "npu@2.1.0", "_fused_rms_norm", OP_UNKNOWN, "" }, /* its PyTorch has no rms_norm either */
		{ "npu@1.11.0", "_cat", OP_NATIVE, "" },
		{ "npu@2.7.1", "npu_dtype_cast", OP_EQUIVALENT, "npu::npu_dtype_cast" },
		{ "npu@1.11.0", "npu::npu_dtype_cast", OP_EQUIVALENT, "aten::npu_dtype_cast" },
		{ "musa@2.7.1", "npu_dtype_cast", OP_UNKNOWN, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct answer answer = answer_on(*state, cases[i].target, cases[i].name, READING_REACHED);

		if (answer.status != cases[i].status || !str_eq(answer.equivalents, str_from(cases[i].equivalents)))
			fail_msg("%s on %s: %.*s, %.*s", cases[i].name, cases[i].target,
				STR_ARG(op_status_name(answer.status)), STR_ARG(answer.equivalents));
	}
	/* who calls the body itself gets no other one */
	assert_int_equal(answer_on(*state, "npu@2.7.1", "_cat", READING_EXPLICIT).status, OP_UNKNOWN);
	assert_int_equal(answer_on(*state, "npu@2.7.1", "npu_dtype_cast", READING_EXPLICIT).status, OP_EQUIVALENT);
}

static void overloads_that_differ_are_told(void **state)
{
	struct answer answer = answer_on(*state, "npu@v2.7.1-26.0.0", "_ctc_loss", READING_REACHED);

	assert_int_equal(answer.status, OP_NATIVE);
	assert_int_equal(answer.flags & ~(unsigned)(FLAG_DTYPE_LIMITED | FLAG_AICPU), FLAG_MIXED_OVERLOADS);
	assert_int_equal(answer.overload_count, 4);
	assert_str(answer.overloads[0].name, "_ctc_loss");
	assert_false(answer.overloads[0].aside);
	assert_str(answer.overloads[1].name, "_ctc_loss.Tensor");
	assert_int_equal(answer.overloads[1].status, OP_CPU_FALLBACK);
	assert_true(str_starts(answer.overloads[1].signature, STR("(Tensor log_probs, Tensor targets")));
	assert_true(answer.overloads[2].aside);
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "_ctc_loss.Tensor", READING_REACHED);
	assert_int_equal(answer.status, OP_CPU_FALLBACK);
	assert_int_equal(answer.flags, 0);
}

static void chips_change_what_acl_kernels_are_worth(void **state)
{
	static const struct {
		const char *target, *name;
		enum op_status status;
		unsigned flags;
	} cases[] = {
		{ "npu@v2.1.0-6.0.0", "relu", OP_NATIVE, 0 },
		{ "npu@v2.1.0-6.0.0:910B", "relu", OP_NATIVE, 0 },
		{ "npu@v2.1.0-6.0.0:310P", "relu", OP_NATIVE, FLAG_JIT_COMPILE },
		{ "npu@v2.1.0-6.0.0:950", "relu", OP_NATIVE, 0 },
		{ "npu@v2.1.0-6.0.0", "affine_grid_generator_backward", OP_NATIVE_JIT, FLAG_JIT_COMPILE },
		{ "npu@v2.1.0-6.0.0:910B", "affine_grid_generator_backward", OP_NATIVE_JIT, FLAG_JIT_COMPILE },
		{ "npu@v2.1.0-6.0.0:910_95", "affine_grid_generator_backward", OP_UNSUPPORTED, 0 },
		{ "npu@v2.1.0-6.0.0:910A", "batch_norm", OP_NATIVE, 0 }, /* a wrapper launches nothing of its own */
		{ "musa@v2.7.1:S4000", "relu", OP_NATIVE, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct answer answer = answer_on(*state, cases[i].target, cases[i].name, READING_REACHED);

		answer.flags &= ~(unsigned)FLAG_DTYPE_LIMITED; /* what documents add */
		if (answer.status != cases[i].status || answer.flags != cases[i].flags)
			fail_msg("%s on %s: %.*s, flags %#x", cases[i].name, cases[i].target,
				STR_ARG(op_status_name(answer.status)), answer.flags);
	}
}

static void evidence_is_an_address_of_the_release_that_was_asked_about(void **state)
{
	static const struct {
		const char *target, *name, *kind, *ref;
	} cases[] = {
		{ "npu@v2.1.0-5.0.0", "add", "source",
			"https://github.com/Ascend/op-plugin/blob/cd46cfb2d372ed80fb81d40755b317a36bd499c9/op_plugin/"
			"config/v2r1/"
			"op_plugin_functions.yaml" },
		{ "npu@v1.8.1-5.0.rc3", "add", "source",
			"https://github.com/Ascend/pytorch/blob/v1.8.1-5.0.rc3/torch_npu/csrc/aten/"
			"npu_native_functions.yaml" },
		{ "npu@v1.8.1-5.0.rc3", "_addmv_impl_", "source",
			"https://github.com/Ascend/pytorch/blob/v1.8.1-5.0.rc3/scripts/codegen/dest/"
			"register_dispatch_key_cpu.py" },
		{ "musa@v2.1.0", "add", "source",
			"https://github.com/MooreThreads/torch_musa/blob/v2.1.0/torch_musa/csrc/aten/ops/"
			"musa_functions.yaml" },
		{ "musa@v1.0.0", "add", "source",
			"https://github.com/MooreThreads/torch_musa/blob/v1.0.0/torch_musa/csrc/aten/ops/Binary.cpp" },
		{ "npu@v2.4.0-7.0.0", "conv2d", "source",
			"https://github.com/pytorch/pytorch/blob/v2.4.1/aten/src/ATen/native/native_functions.yaml" },
		{ "npu@v1.11.0-5.0.0", "conv2d", "source",
			"https://github.com/Ascend/pytorch/blob/v1.11.0/codegen/native_functions.yaml" },
		{ "npu", "torchvision::nms", "source",
			"https://github.com/Ascend/vision/blob/master/torchvision_npu/csrc/ops/npu/nms_kernel.cpp" },
		{ "npu", "prims::add", "inferred",
			"https://github.com/pytorch/pytorch/blob/v2.6.0/torch/_prims/__init__.py" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct answer answer = answer_on(*state, cases[i].target, cases[i].name, READING_REACHED);

		assert_true(answer.evidence_count > 0);
		assert_str(evidence_kind_name(answer.evidence[0].kind), cases[i].kind);
		assert_str(answer.evidence[0].ref, cases[i].ref);
	}
}

static void every_answer_about_an_operator_has_evidence_of_its_target_alone(void **state)
{
	static const char *const targets[] = { "npu", "npu@v1.8.1-3.0.0", "npu@v2.0.1-5.0.0", "musa", "musa@v1.0.0" };
	static const char *const names[] = { "add", "conv2d", "_scaled_dot_product_flash_attention", "nothing",
		"_copy_from", "cumsum_backward", "rope", "quantized::add" };

	for (size_t i = 0; i < ARRAY_SIZE(targets) * ARRAY_SIZE(names); i++) {
		const char *target = targets[i / ARRAY_SIZE(names)];
		struct answer answer = answer_on(*state, target, names[i % ARRAY_SIZE(names)], READING_REACHED);
		const char *foreign = target[0] == 'n' ? "MooreThreads" : "Ascend";

		assert_true(answer.evidence_count > 0);
		for (size_t n = 0; n < answer.evidence_count; n++) {
			assert_true(str_starts(answer.evidence[n].ref, STR("https://")));
			assert_false(str_has(answer.evidence[n].ref, STR("{")));
			assert_false(str_has(answer.evidence[n].ref, str_from(foreign)));
		}
	}
}

static void history_tells_since_when_and_until_when(void **state)
{
	static const struct {
		const char *target, *base, *since, *until;
		size_t transitions;
	} cases[] = {
		{ "npu@v2.7.1-26.0.0", "huber_loss_backward", "2.1.0-5.0.rc3", NULL, 3 },
		{ "npu@v1.11.0-5.0.0", "huber_loss_backward", "1.11.0-3.0.rc3", "2.0.1-5.0.0", 3 },
		{ "npu@v1.8.1-3.0.0", "huber_loss_backward", "1.8.1-3.0.rc1", "1.8.1-5.0.rc3", 3 },
		{ "npu@master", "huber_loss_backward", "2.1.0-5.0.rc3", NULL, 3 },
		{ "musa@v2.7.1", "add", "1.0.0", NULL, 1 },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct target target = target_named(fixture, cases[i].target);
		struct history history;
		struct err err = { 0 };

		assert_int_equal(resolve_history(fixture->resolver, &target,
					 &(struct op_query){ .ns = STR("aten"), .base = str_from(cases[i].base) },
					 &history, &err),
			0);
		assert_str(history.since->name, cases[i].since);
		assert_int_equal(history.until != NULL, cases[i].until != NULL);
		if (history.until)
			assert_str(history.until->name, cases[i].until);
		assert_int_equal(history.count, cases[i].transitions);
		assert_int_equal(history.transitions[0].release->place, 0);
	}
}

static void history_is_that_of_the_reading_whichever_was_asked_first(void **state)
{
	static const enum reading readings[] = { READING_REACHED, READING_EXPLICIT, READING_REACHED };
	const struct fixture *fixture = *state;
	struct target target = target_named(fixture, "npu@v2.7.1-26.0.0");

	for (size_t i = 0; i < ARRAY_SIZE(readings); i++) {
		struct op_query query = {
			.ns = STR("aten"), .base = STR("mkldnn_convolution"), .reading = readings[i]
		};
		struct history history;
		struct err err = { 0 };

		assert_int_equal(resolve_history(fixture->resolver, &target, &query, &history, &err), 0);
		assert_int_equal(history.transitions[history.count - 1].status,
			readings[i] == READING_REACHED ? OP_EQUIVALENT : OP_UNSUPPORTED);
	}
}

static int count_one(void *ctx, const struct overload_answer *overload)
{
	size_t *count = ctx;

	assert_true(overload->signature.len > 0);
	(*count)++;
	return 0;
}

static int stop_at_ten(void *ctx, const struct overload_answer *overload)
{
	size_t *count = ctx;

	return ++*count == 10 ? 42 : 0;
}

static void all_overloads_of_a_version_are_visited_until_told_to_stop(void **state)
{
	const struct fixture *fixture = *state;
	struct target target = target_named(fixture, "npu@v2.7.1-26.0.0");
	struct err err = { 0 };
	size_t count = 0;

	assert_int_equal(resolve_all(fixture->resolver, &target, count_one, &count, &err), 0);
	assert_int_equal(count, 226);
	count = 0;
	assert_int_equal(resolve_all(fixture->resolver, &target, stop_at_ten, &count, &err), 42);
	assert_int_equal(count, 10);
}

/* What a verdict takes from an answer without texts. */
static bool same_answer(const struct answer *a, const struct answer *b)
{
	bool same = a->status == b->status && a->certain == b->certain && a->best == b->best && a->flags == b->flags &&
		    a->explicit_status == b->explicit_status && a->refused == b->refused &&
		    a->accepted == b->accepted && a->slow == b->slow && a->barred == b->barred &&
		    a->reported == b->reported && a->maybe_slow == b->maybe_slow && a->strided == b->strided &&
		    a->confirmed == b->confirmed && a->tested == b->tested && a->layouts == b->layouts &&
		    a->moves_memory == b->moves_memory && a->units.types == b->units.types &&
		    a->units.refused == b->units.refused && a->units.count == b->units.count &&
		    a->units.nearest == b->units.nearest && a->overload_count == b->overload_count &&
		    a->note_count == b->note_count && str_eq(a->package, b->package) &&
		    str_eq(a->equivalents, b->equivalents);

	for (size_t i = 0; same && i < a->overload_count; i++)
		same = a->overloads[i].status == b->overloads[i].status &&
		       a->overloads[i].flags == b->overloads[i].flags &&
		       a->overloads[i].aside == b->overloads[i].aside &&
		       str_eq(a->overloads[i].name, b->overloads[i].name);
	for (size_t i = 0; same && i < a->note_count; i++)
		same = a->notes[i].note == b->notes[i].note && a->notes[i].release_named == b->notes[i].release_named &&
		       a->notes[i].lost == b->notes[i].lost && a->notes[i].for_chip == b->notes[i].for_chip;
	return same;
}

static bool same_kernels(const struct answer *a, const struct answer *b)
{
	return a->refused == b->refused && a->accepted == b->accepted && a->slow == b->slow && a->barred == b->barred &&
	       a->maybe_slow == b->maybe_slow && a->strided == b->strided && a->units.types == b->units.types &&
	       a->units.refused == b->units.refused && a->units.count == b->units.count &&
	       a->units.nearest == b->units.nearest;
}

/* Kernels are looked up once for releases that have the same, on two chips, with and without an overload. */
static void what_kernels_say_does_not_depend_on_what_was_asked_before(void **state)
{
	static const char *const names[] = { "relu", "mul", "mul.Tensor", "sort", "sort.stable", "isin" },
				 *const chips[] = { "", ":910A" };
	struct fixture *fixture = *state;
	struct resolver *asked = fixture->resolver;
	unsigned nearest = 0;
	size_t count;
	const struct release *releases = opdb_target_releases(fixture->db, TARGET_NPU, &count);

	for (size_t i = 0; i < count * ARRAY_SIZE(chips); i++) {
		CLEANUP(buf_clear) struct buf spec = BUF_UNLIMITED;

		buf_printf(&spec, "%.*s%s", STR_ARG(releases[i / 2].id), chips[i % 2]);
		for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
			struct answer answer = answer_on(fixture, buf_text(&spec), names[j], READING_REACHED), fresh;

			fixture->resolver = resolver_new(fixture->db);
			fresh = answer_on(fixture, buf_text(&spec), names[j], READING_REACHED);
			if (!same_kernels(&answer, &fresh))
				fail_msg("%s on %s", names[j], buf_text(&spec));
			nearest |= fresh.units.types ? 1u << fresh.units.nearest : 0;
			resolver_free(fixture->resolver);
			fixture->resolver = asked;
		}
	}
	assert_int_equal(nearest, 3); /* both the kernels of their own CANN and those of another version */
}

/* How many of the answers on all releases, one after another, were held from the release before. */
static size_t count_held(const struct fixture *fixture, const char *chip, const struct op_query *query)
{
	const struct release *held = NULL;
	struct answer answer = { 0 };
	size_t count, found = 0;
	const struct release *releases = opdb_releases(fixture->db, &count);

	for (const struct release *release = releases; release < releases + count; release++) {
		CLEANUP(buf_clear) struct buf spec = BUF_UNLIMITED;
		bool holds = held && held >= release;
		struct target target;
		struct answer fresh;
		struct err err = { 0 };

		buf_printf(&spec, "%.*s%s", STR_ARG(release->id), release->target == TARGET_NPU ? chip : "");
		target = target_named(fixture, buf_text(&spec));
		if (!holds)
			resolver_watch(fixture->resolver, NULL);
		assert_int_equal(resolve_base(fixture->resolver, &target, query, &fresh, &err), 0);
		if (holds && !same_answer(&answer, &fresh))
			fail_msg("%.*s::%.*s: the answer of %s is held", STR_ARG(query->ns), STR_ARG(query->base),
				buf_text(&spec));
		if (!holds)
			held = resolver_held_until(fixture->resolver, release);
		answer = fresh;
		found += holds;
	}
	return found;
}

static void an_answer_is_held_for_releases_that_have_the_same_one(void **state)
{
	static const char *const chips[] = { "", ":910A", ":310P", ":910C" };
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct name_list names = { 0 };
	struct err err = { 0 };
	size_t held = 0;

	assert_int_equal(opdb_names_with_prefix(fixture->db, STR(""), &arena, &names, &err), 0);
	resolver_set_texts(fixture->resolver, false);
	for (size_t i = 0; i < names.count; i++) {
		size_t ns = str_find(names.items[i], STR("::"));
		struct op_query query = { .ns = str_sub(names.items[i], 0, ns),
			.base = str_skip(names.items[i], ns + 2) };

		query.reading = i % 2 ? READING_EXPLICIT : READING_REACHED;
		held += count_held(fixture, chips[i % ARRAY_SIZE(chips)], &query);
	}
	resolver_set_texts(fixture->resolver, true);
	assert_true(held > names.count * 30);
	arena_clear(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_of_the_dispatcher_has_its_chain),
		cmocka_unit_test(names_of_another_backend_are_switched_away_unless_they_are_called),
		cmocka_unit_test(a_backend_name_is_called_when_no_composite_that_chooses_it_was_recorded),
		cmocka_unit_test(namespaces_have_their_own_rules),
		cmocka_unit_test(a_package_is_named_in_its_version_for_the_pytorch_of_the_release),
		cmocka_unit_test(an_extension_of_a_common_name_is_the_librarys_of_which_other_operators_were_recorded),
		cmocka_unit_test(a_name_of_another_pytorch_is_explained_by_what_the_target_has_in_its_place),
		cmocka_unit_test(overloads_that_differ_are_told),
		cmocka_unit_test(chips_change_what_acl_kernels_are_worth),
		cmocka_unit_test(evidence_is_an_address_of_the_release_that_was_asked_about),
		cmocka_unit_test(every_answer_about_an_operator_has_evidence_of_its_target_alone),
		cmocka_unit_test(history_tells_since_when_and_until_when),
		cmocka_unit_test(history_is_that_of_the_reading_whichever_was_asked_first),
		cmocka_unit_test(what_kernels_say_does_not_depend_on_what_was_asked_before),
		cmocka_unit_test(all_overloads_of_a_version_are_visited_until_told_to_stop),
		cmocka_unit_test(an_answer_is_held_for_releases_that_have_the_same_one),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
