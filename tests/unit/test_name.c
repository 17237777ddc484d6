/* What recorded names stand for: one case a row of the list of spellings, in the order of that list. */
#include "op/name.h"
#include "tests/unit/check.h"

struct name_case {
	const char *text;
	enum name_class name_class;
};

static void assert_classes(const struct name_case *cases, size_t count, struct name_style style)
{
	for (size_t i = 0; i < count; i++) {
		struct name name = name_classify(str_from(cases[i].text), style);

		if (name.name_class != cases[i].name_class)
			fail_msg("\"%s\" is %s", cases[i].text, name_class_text(name.name_class));
	}
}

static void operators_have_a_namespace_a_base_and_perhaps_an_overload(void **state)
{
	static const struct {
		const char *text, *ns, *base, *overload;
	} cases[] = {
		{ "aten::add", "aten", "add", "" },
		{ "aten::add.Tensor", "aten", "add", "Tensor" },
		{ "aten::add_", "aten", "add_", "" },
		{ "aten::__iand__", "aten", "__iand__", "" },
		{ "aten::_foreach_add_", "aten", "_foreach_add_", "" },
		{ "torchvision::nms", "torchvision", "nms", "" },
		{ "quantized::conv2d.new", "quantized", "conv2d", "new" },
		{ "npu::npu_format_cast", "npu", "npu_format_cast", "" },
		{ "aten::npu_format_cast", "aten", "npu_format_cast", "" },
		{ "prims::convert_element_type", "prims", "convert_element_type", "" },
		{ "musa::fused_rope", "musa", "fused_rope", "" },
		{ "_C::rms_norm", "_C", "rms_norm", "" },
		{ "_C_cache_ops::reshape_and_cache", "_C_cache_ops", "reshape_and_cache", "" },
		{ "flash_attn::_flash_attn_forward", "flash_attn", "_flash_attn_forward", "" },
		{ "mylib::x9", "mylib", "x9", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct name name = name_classify(str_from(cases[i].text), (struct name_style){ 0 });
		CLEANUP(buf_clear) struct buf full = BUF_INIT(100);

		assert_int_equal(name.name_class, NAME_OPERATOR);
		assert_str(name.ns, cases[i].ns);
		assert_str(name.base, cases[i].base);
		assert_str(name.overload, cases[i].overload);
		assert_false(name.cut || name.guessed || name.compiled || name.compiling);
		name_put(&full, &name);
		assert_true(str_starts(str_from(cases[i].text), buf_str(&full)));
	}
}

static void every_other_spelling_has_its_class(void **state)
{
	static const struct name_case cases[] = {
		{ "detach", NAME_BOOKKEEPING },
		{ "detach_", NAME_BOOKKEEPING },
		{ "aten::detach", NAME_OPERATOR },
		{ "ConvolutionBackward0", NAME_AUTOGRAD },
		{ "MmBackward", NAME_AUTOGRAD },
		{ "MeanBackward1", NAME_AUTOGRAD },
		{ "struct torch::autograd::AccumulateGrad", NAME_LABEL },
		{ "autograd::engine::evaluate_function: ConvolutionBackward0", NAME_ENGINE },
		{ "torch::autograd::AccumulateGrad", NAME_AUTOGRAD },
		{ "torch::autograd::GraphRoot", NAME_AUTOGRAD },
		{ "torch::autograd::CopySlices", NAME_AUTOGRAD },
		{ "AccumulateGrad", NAME_AUTOGRAD },
		{ "GraphRoot", NAME_AUTOGRAD },
		{ "CopySlices", NAME_AUTOGRAD },
		{ "CppNode<MyFunction>", NAME_AUTOGRAD },
		{ "ProfilerStep#0", NAME_STEP },
		{ "ProfilerStep#550", NAME_STEP },
		{ "ProfilerStep*", NAME_STEP },
		{ "Optimizer.step#SGD.step", NAME_OPTIMIZER },
		{ "Optimizer.zero_grad#AdamW.zero_grad", NAME_OPTIMIZER },
		{ "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", NAME_LABEL },
		{ "DataParallel.forward", NAME_LABEL },
		{ "DistributedDataParallel.forward", NAME_LABEL },
		{ "FullyShardedDataParallel.forward", NAME_LABEL },
		{ "fbgemm::FloatToFP8RowwiseQuantized", NAME_OPERATOR },
		{ "trainer::Step", NAME_LABEL },
		{ "FSDP::pre_forward", NAME_LABEL },
		{ "FSDP::all_gather (block.0)", NAME_LABEL },
		{ "## forward ##", NAME_LABEL },
		{ "Forward 0", NAME_LABEL },
		{ "[param|model.weight|1024]", NAME_LABEL },
		{ "[pytorch|profiler|execution_trace|process]", NAME_LABEL },
		{ "<class 'torch.nn.Linear'>", NAME_LABEL },
		{ "nccl:all_reduce", NAME_COLLECTIVE },
		{ "gloo:all_gather", NAME_COLLECTIVE },
		{ "hccl:broadcast", NAME_COLLECTIVE },
		{ "mccl:all_reduce", NAME_COLLECTIVE },
		{ "HcclAllreduce", NAME_COLLECTIVE },
		{ "record_param_comms", NAME_COLLECTIVE },
		{ "c10d::allreduce_", NAME_COLLECTIVE },
		{ "_c10d_functional::all_reduce", NAME_COLLECTIVE },
		{ "torch::distributed::reducer::mul_out", NAME_BOOKKEEPING },
		{ "torch.distributed.ddp.reducer::search_unused_parameters", NAME_BOOKKEEPING },
		{ "[memory]", NAME_MEMORY },
		{ "[OutOfMemory]", NAME_MEMORY },
		{ "cudaLaunchKernel", NAME_RUNTIME },
		{ "cuLaunchKernelEx", NAME_RUNTIME },
		{ "musaMemcpyAsync", NAME_RUNTIME },
		{ "muLaunchKernel", NAME_RUNTIME },
		{ "hipMemcpyWithStream", NAME_RUNTIME },
		{ "aclrtSynchronizeStream", NAME_RUNTIME },
		{ "zeCommandListAppendLaunchKernel", NAME_RUNTIME },
		{ "urEnqueueKernelLaunch", NAME_RUNTIME },
		{ "Memcpy HtoD (Pageable -> Device)", NAME_MEMORY },
		{ "Memcpy1 HtoD (Pageable -> Device)", NAME_MEMORY },
		{ "Memset (Device)", NAME_MEMORY },
		{ "MemTransfer(d2d)", NAME_MEMORY },
		{ "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
			NAME_KERNEL },
		{ "nvjet_tst_128x64_64x8_1x2_h_bz_TNT", NAME_KERNEL },
		{ "ampere_sgemm_128x32_tn", NAME_KERNEL },
		{ "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", NAME_KERNEL },
		{ "ncclKernel_AllGather_RING_LL_Sum_int8_t", NAME_KERNEL },
		{ "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1", NAME_KERNEL },
		{ "cutlass_80_tensorop_f16_s16816gemm_relu_f16_128x64", NAME_KERNEL },
		{ "volta_sgemm_32x128_nn", NAME_KERNEL },
		{ "turing_fp16_s1688gemm", NAME_KERNEL },
		{ "sm80_xmma_fprop_implicit_gemm", NAME_KERNEL },
		{ "sm100_cutlass", NAME_KERNEL },
		{ "_ZN2at6native29vectorized_elementwise_kernel", NAME_KERNEL },
		{ "cutlass::Kernel<cutlass_80_tensorop>(Params)", NAME_KERNEL },
		{ "Torch-Compiled Region: 0/0", NAME_COMPILE },
		{ "TorchDynamo Cache Lookup", NAME_COMPILE },
		{ "Pregraph bytecode", NAME_COMPILE },
		{ "AOTDispatcher Runtime Wrapper Prologue", NAME_COMPILE },
		{ "CompiledFunction", NAME_COMPILE },
		{ "CompiledFunctionBackward", NAME_COMPILE },
		{ "## Call CompiledFxGraph fq4mt ##", NAME_COMPILE },
		{ "graph_2_inductor_wrapper_call", NAME_COMPILE },
		{ "graph_2_cpp_fused__softmax_2", NAME_COMPILE },
		{ "PythonDispatchMode", NAME_COMPILE },
		{ "PythonSubclass", NAME_COMPILE },
		{ "TORCHDYNAMO", NAME_LABEL },
		{ "OutputGraph.call_user_compiler (dynamo_timed)", NAME_LABEL },
		{ "compile_fx_data: compile_id=0/0", NAME_LABEL },
		{ "triton_poi_fused_add_0", NAME_COMPILE },
		{ "triton_red_fused_native_layer_norm_1", NAME_COMPILE },
		{ "aclnnMatmul_MatMulV3Common_MatMulV3", NAME_KERNEL },
		{ "AscendCL@aclrtMemcpy", NAME_RUNTIME },
		{ "Dvm::x", NAME_KERNEL },
		{ "empty_tensor", NAME_KERNEL },
		{ "contiguous_d_ViewCopy", NAME_KERNEL },
		{ "d2dCopyAsync", NAME_MEMORY },
		{ "prim::DictConstruct", NAME_BOOKKEEPING },
		{ "profiler::_record_function_enter_new", NAME_BOOKKEEPING },
		{ "aten::is_leaf", NAME_BOOKKEEPING },
		{ "aten::output_nr", NAME_BOOKKEEPING },
		{ "aten::_version", NAME_BOOKKEEPING },
		{ "is_leaf", NAME_BOOKKEEPING },
		{ "<forward op>", NAME_TORCHSCRIPT },
		{ "<backward op>", NAME_TORCHSCRIPT },
		{ "forward", NAME_TORCHSCRIPT },
		{ "_grad_sum_to_size", NAME_TORCHSCRIPT },
		{ "FusionGroup", NAME_TORCHSCRIPT },
		{ "chunk", NAME_TORCHSCRIPT },
		{ "unknown", NAME_UNKNOWN },
		{ "nn.Module: Sequential_0", NAME_PYTHON_FRAME },
		{ "torch/nn/modules/module.py(1782): _call_impl", NAME_PYTHON_FRAME },
		{ "<built-in method randn of type object at 0x7f1>", NAME_PYTHON_FRAME },
	};

	assert_classes(cases, ARRAY_SIZE(cases), (struct name_style){ 0 });
}

static void what_is_spelt_like_nothing_else_is_a_label(void **state)
{
	static const struct name_case cases[] = {
		{ "my label, [[1, 2]]  two spaces | \xe8\xae\xad\xe7\xbb\x83 step", NAME_LABEL },
		{ "", NAME_LABEL },
		{ "conv2d", NAME_LABEL },
		{ "aten::", NAME_LABEL },
		{ "::add", NAME_LABEL },
		{ "aten::Add", NAME_LABEL },
		{ "9aten::add", NAME_LABEL },
		{ "aten::add.", NAME_LABEL },
		{ "aten::add.Tensor.out", NAME_LABEL },
		{ "aten::add Tensor", NAME_LABEL },
		{ "aten:add", NAME_LABEL },
		{ "aten::9", NAME_LABEL },
		{ "a::b::c", NAME_LABEL },
		{ "Backward", NAME_LABEL },
		{ "my Backward0", NAME_LABEL },
		{ "graph_x", NAME_LABEL },
		{ "curl", NAME_LABEL },
		{ "cuda", NAME_LABEL },
		{ "module.py(x)", NAME_LABEL },
		{ "sm", NAME_LABEL },
		{ "sm80", NAME_LABEL },
		{ "\xe8\xae\xad::\xe7\xbb\x83", NAME_LABEL },
	};

	assert_classes(cases, ARRAY_SIZE(cases), (struct name_style){ 0 });
	assert_classes(cases, ARRAY_SIZE(cases), (struct name_style){ .cut = true });
}

static void bare_words_of_old_tables_are_operators_of_aten(void **state)
{
	static const struct {
		const char *text, *base;
	} cases[] = {
		{ "conv2d", "conv2d" },
		{ "t", "t" },
		{ "_convolution", "_convolution" },
		{ "unsigned short", "t" },
		{ "detach", "detach" },
		{ "chunk", "chunk" },
		{ "add_", "add_" },
		{ "empty_tensor", "empty_tensor" },
	};
	static const struct name_case others[] = {
		{ "Conv2d", NAME_LABEL },
		{ "my label", NAME_LABEL },
		{ "9x", NAME_LABEL },
		{ "is_leaf", NAME_BOOKKEEPING },
		{ "forward", NAME_TORCHSCRIPT },
		{ "AddmmBackward", NAME_AUTOGRAD },
		{ "unknown", NAME_UNKNOWN },
		{ "torchvision::nms", NAME_OPERATOR },
		{ "unsigned", NAME_OPERATOR },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct name name = name_classify(str_from(cases[i].text), (struct name_style){ .bare = true });

		assert_int_equal(name.name_class, NAME_OPERATOR);
		assert_str(name.ns, "aten");
		assert_str(name.base, cases[i].base);
		assert_true(name.guessed);
	}
	assert_classes(others, ARRAY_SIZE(others), (struct name_style){ .bare = true });
}

static void a_cut_name_is_a_beginning(void **state)
{
	struct name_style cut = { .cut = true };
	struct name name = name_classify(STR("aten::_scaled_dot_product_efficient_attention_backwa..."), cut);

	assert_int_equal(name.name_class, NAME_OPERATOR);
	assert_str(name.base, "_scaled_dot_product_efficient_attention_backwa");
	assert_true(name.cut);
	name = name_classify(STR("autograd::engine::evaluate_function: ConvolutionB..."), cut);
	assert_int_equal(name.name_class, NAME_ENGINE);
	name = name_classify(STR("torchvision::..."), cut);
	assert_int_equal(name.name_class, NAME_LABEL);
	name = name_classify(STR("aten::add..."), (struct name_style){ 0 });
	assert_int_equal(name.name_class, NAME_LABEL);
}

static void a_remote_call_counts_as_the_operator_that_ran_there(void **state)
{
	struct name name = name_classify(
		STR("rpc_async#aten::mul(worker1 -> worker2)#remote_op: aten::mul"), (struct name_style){ 0 });

	assert_int_equal(name.name_class, NAME_OPERATOR);
	assert_str(name.base, "mul");
	name = name_classify(STR("rpc_async#aten::mul(worker1 -> worker2)"), (struct name_style){ 0 });
	assert_int_equal(name.name_class, NAME_REMOTE);
	name = name_classify(STR("rpc_sync#f(w1 -> w2)#remote_op: my label"), (struct name_style){ 0 });
	assert_int_equal(name.name_class, NAME_LABEL);
}

static void marks_of_torch_compile_are_told_apart(void **state)
{
	static const struct {
		const char *text;
		bool compiling, compiled;
	} cases[] = {
		{ "_compile.compile_inner (dynamo_timed)", true, true },
		{ "compile_fx_data: compile_id=0/0", true, true },
		{ "Torch-Compiled Region: 0/0", false, true },
		{ "triton_poi_fused_add_0", false, true },
		{ "graph_1_inductor_wrapper_call", false, true },
		{ "PythonDispatchMode", false, false },
		{ "aten::add", false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct name name = name_classify(str_from(cases[i].text), (struct name_style){ 0 });

		assert_int_equal(name.compiling, cases[i].compiling);
		assert_int_equal(name.compiled, cases[i].compiled);
	}
}

static void what_the_dump_says_of_a_name_counts_more_than_its_spelling(void **state)
{
	static const struct {
		const char *text;
		enum name_class known, expected;
	} cases[] = {
		{ "aten::conv2d", NAME_LABEL, NAME_LABEL },
		{ "nvjet_tst_128x256", NAME_KERNEL, NAME_KERNEL },
		{ "my label", NAME_OPERATOR, NAME_LABEL },
		{ "ProfilerStep#3", NAME_LABEL, NAME_STEP },
		{ "Memcpy HtoD (Pageable -> Device)", NAME_KERNEL, NAME_MEMORY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct name name = name_classify(
			str_from(cases[i].text), (struct name_style){ .known = cases[i].known });

		assert_int_equal(name.name_class, cases[i].expected);
	}
}

static void tables_of_tasks_and_runtime_calls_name_no_operators(void **state)
{
	static const struct {
		const char *text;
		enum name_class task, call;
	} cases[] = {
		{ "MatMulV2", NAME_KERNEL, NAME_RUNTIME },
		{ "aten::add", NAME_KERNEL, NAME_RUNTIME },
		{ "aclnnMm", NAME_KERNEL, NAME_RUNTIME },
		{ "hcom_allReduce_", NAME_COLLECTIVE, NAME_COLLECTIVE },
		{ "HcclAllreduce", NAME_COLLECTIVE, NAME_COLLECTIVE },
		{ "MEMCPY_ASYNC", NAME_MEMORY, NAME_MEMORY },
		{ "ProfilerStep#3", NAME_STEP, NAME_STEP },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str text = str_from(cases[i].text);

		assert_int_equal(
			name_classify(text, (struct name_style){ .device_task = true }).name_class, cases[i].task);
		assert_int_equal(
			name_classify(text, (struct name_style){ .host_call = true }).name_class, cases[i].call);
	}
}

static void every_class_has_a_word_of_its_own(void **state)
{
	for (int i = 0; i < NAME_CLASS_COUNT; i++) {
		assert_true(strlen(name_class_text((enum name_class)i)) > 3);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(
				name_class_text((enum name_class)i), name_class_text((enum name_class)j));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_have_a_namespace_a_base_and_perhaps_an_overload),
		cmocka_unit_test(every_other_spelling_has_its_class),
		cmocka_unit_test(what_is_spelt_like_nothing_else_is_a_label),
		cmocka_unit_test(bare_words_of_old_tables_are_operators_of_aten),
		cmocka_unit_test(a_cut_name_is_a_beginning),
		cmocka_unit_test(a_remote_call_counts_as_the_operator_that_ran_there),
		cmocka_unit_test(marks_of_torch_compile_are_told_apart),
		cmocka_unit_test(what_the_dump_says_of_a_name_counts_more_than_its_spelling),
		cmocka_unit_test(tables_of_tasks_and_runtime_calls_name_no_operators),
		cmocka_unit_test(every_class_has_a_word_of_its_own),
	};

	return run_group(tests);
}
