#include "op/name.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"

static const struct str class_names[NAME_CLASS_COUNT] = {
	[NAME_OPERATOR] = STR("operator"),
	[NAME_LABEL] = STR("label"),
	[NAME_AUTOGRAD] = STR("autograd"),
	[NAME_ENGINE] = STR("engine"),
	[NAME_STEP] = STR("step"),
	[NAME_OPTIMIZER] = STR("optimizer"),
	[NAME_RUNTIME] = STR("runtime"),
	[NAME_MEMORY] = STR("memory"),
	[NAME_KERNEL] = STR("kernel"),
	[NAME_COLLECTIVE] = STR("collective"),
	[NAME_COMPILE] = STR("compile"),
	[NAME_PYTHON_FRAME] = STR("python-frame"),
	[NAME_BOOKKEEPING] = STR("bookkeeping"),
	[NAME_TORCHSCRIPT] = STR("torchscript"),
	[NAME_REMOTE] = STR("remote"),
	[NAME_UNKNOWN] = STR("unknown-name"),
};
const struct words name_class_words = { class_names, NAME_CLASS_COUNT, NAME_LABEL };

const char *name_class_text(enum name_class name_class)
{
	return word_for(&name_class_words, name_class).ptr;
}

enum how { IS, STARTS, HOLDS, TEST };
enum mark { PLAIN = 0, COMPILING = 1, COMPILED = 2, NOT_BARE = 4, REGION = 8 | COMPILED, LOADER = 16 };

struct rule {
	enum how how;
	const char *text;
	enum name_class name_class;
	unsigned mark;
	bool (*test)(struct str name);
};

/* "cudaLaunchKernel", "aclrtSynchronizeStream": the prefix of a runtime's C interface and a capital or its "rt". */
static bool is_runtime_call(struct str name)
{
	static const char *const prefixes[] = { "cuda", "cu", "musa", "mu", "hip", "aclrt", "acl", "ze", "ur" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		struct str prefix = str_from(prefixes[i]);

		if (str_starts(name, prefix) && name.len > prefix.len && name.ptr[prefix.len] >= 'A' &&
			name.ptr[prefix.len] <= 'Z')
			return true;
	}
	return false;
}

/* "module.py(1782): _call_impl" */
static bool is_python_frame(struct str name)
{
	size_t at = str_find(name, STR(".py("));

	return at != STR_NONE && at + 4 < name.len && is_digit(name.ptr[at + 4]) && str_has(name, STR("): "));
}

/* "graph_1_inductor_wrapper_call", "graph_2_cpp_fused__softmax_2" */
static bool is_graph_call(struct str name)
{
	return str_starts(name, STR("graph_")) && name.len > 6 && is_digit(name.ptr[6]);
}

/* One word that ends in Backward or Backward0: a node of the autograd graph. */
static bool is_backward_node(struct str name)
{
	while (name.len && is_digit(name.ptr[name.len - 1]))
		name = str_chop(name, 1);
	return name.len > 8 && str_ends(name, STR("Backward")) && str_is_word(name, "");
}

/* C++ of a kernel: "void at::native::elementwise_kernel<128, 4, ...>(int, ...)" */
static bool is_template_kernel(struct str name)
{
	return str_has(name, STR("<")) && str_has(name, STR("::")) &&
	       (str_has(name, STR("(")) || str_has(name, STR(">")));
}

/* "sm80_xmma_fprop_implicit_gemm", "sm90_..." */
static bool is_arch_kernel(struct str name)
{
	return str_starts(name, STR("sm")) && name.len > 5 && is_digit(name.ptr[2]) && is_digit(name.ptr[3]) &&
	       (name.ptr[4] == '_' || (is_digit(name.ptr[4]) && name.ptr[5] == '_'));
}

/* The first rule that fits decides. Other names are operators if spelt like one, else labels. */
static const struct rule rules[] = {
	{ IS, "unknown", NAME_UNKNOWN },
	{ STARTS, "ProfilerStep#", NAME_STEP },
	{ IS, "ProfilerStep*", NAME_STEP },
	{ STARTS, "Optimizer.", NAME_OPTIMIZER },
	{ STARTS, "autograd::engine::", NAME_ENGINE },
	{ STARTS, "torch::autograd::", NAME_AUTOGRAD },
	{ IS, "AccumulateGrad", NAME_AUTOGRAD },
	{ IS, "GraphRoot", NAME_AUTOGRAD },
	{ IS, "CopySlices", NAME_AUTOGRAD },
	{ STARTS, "CppNode<", NAME_AUTOGRAD },
	{ STARTS, "rpc_", NAME_REMOTE },
	{ IS, "[memory]", NAME_MEMORY },
	{ IS, "[OutOfMemory]", NAME_MEMORY },
	{ STARTS, "Memcpy", NAME_MEMORY },
	{ STARTS, "Memset", NAME_MEMORY },
	{ STARTS, "MemTransfer", NAME_MEMORY },
	{ IS, "d2dCopyAsync", NAME_MEMORY },
	/* torch.compile: its own work, then the regions that it compiled */
	{ HOLDS, "(dynamo_timed)", NAME_LABEL, COMPILING },
	{ HOLDS, "compile_id=", NAME_LABEL, COMPILING },
	{ IS, "PythonDispatchMode", NAME_COMPILE },
	{ IS, "PythonSubclass", NAME_COMPILE },
	{ IS, "TORCHDYNAMO", NAME_LABEL, COMPILED },
	{ STARTS, "Torch-Compiled Region", NAME_COMPILE, REGION },
	{ STARTS, "TorchDynamo ", NAME_COMPILE, COMPILED },
	{ STARTS, "Pregraph bytecode", NAME_COMPILE, COMPILED },
	{ STARTS, "AOTDispatcher ", NAME_COMPILE, COMPILED },
	{ STARTS, "CompiledFunction", NAME_COMPILE, REGION },
	{ STARTS, "## Call CompiledFxGraph", NAME_COMPILE, REGION },
	{ STARTS, "triton_", NAME_COMPILE, COMPILED },
	{ TEST, "", NAME_COMPILE, REGION, is_graph_call },
	{ STARTS, "nn.Module: ", NAME_PYTHON_FRAME },
	{ STARTS, "<built-in ", NAME_PYTHON_FRAME },
	{ TEST, "", NAME_PYTHON_FRAME, PLAIN, is_python_frame },
	{ STARTS, "enumerate(DataLoader)#", NAME_LABEL, LOADER },
	{ STARTS, "DataParallel.", NAME_LABEL },
	{ STARTS, "DistributedDataParallel.", NAME_LABEL },
	{ STARTS, "FullyShardedDataParallel.", NAME_LABEL },
	{ STARTS, "FSDP::", NAME_LABEL },
	{ STARTS, "## ", NAME_LABEL },
	{ STARTS, "[param|", NAME_LABEL },
	{ STARTS, "[pytorch|", NAME_LABEL },
	{ STARTS, "<class ", NAME_LABEL },
	{ IS, "record_param_comms", NAME_COLLECTIVE },
	{ STARTS, "nccl:", NAME_COLLECTIVE },
	{ STARTS, "gloo:", NAME_COLLECTIVE },
	{ STARTS, "hccl:", NAME_COLLECTIVE },
	{ STARTS, "mccl:", NAME_COLLECTIVE },
	{ STARTS, "Hccl", NAME_COLLECTIVE },
	{ STARTS, "c10d::", NAME_COLLECTIVE },
	{ STARTS, "_c10d_functional::", NAME_COLLECTIVE },
	{ STARTS, "c10d_functional::", NAME_COLLECTIVE },
	{ STARTS, "torch::distributed::", NAME_BOOKKEEPING },
	{ STARTS, "torch.distributed.", NAME_BOOKKEEPING },
	{ STARTS, "prim::", NAME_BOOKKEEPING },
	{ STARTS, "profiler::", NAME_BOOKKEEPING },
	{ IS, "aten::is_leaf", NAME_BOOKKEEPING },
	{ IS, "aten::output_nr", NAME_BOOKKEEPING },
	{ IS, "aten::_version", NAME_BOOKKEEPING },
	{ IS, "is_leaf", NAME_BOOKKEEPING },
	{ IS, "output_nr", NAME_BOOKKEEPING },
	{ IS, "_version", NAME_BOOKKEEPING },
	/* aten::detach records itself so; in old tables it is the operator */
	{ IS, "detach", NAME_BOOKKEEPING, NOT_BARE },
	{ IS, "detach_", NAME_BOOKKEEPING, NOT_BARE },
	{ STARTS, "<forward op>", NAME_TORCHSCRIPT },
	{ STARTS, "<backward op>", NAME_TORCHSCRIPT },
	{ IS, "forward", NAME_TORCHSCRIPT },
	{ IS, "_grad_sum_to_size", NAME_TORCHSCRIPT },
	{ IS, "FusionGroup", NAME_TORCHSCRIPT },
	{ IS, "chunk", NAME_TORCHSCRIPT, NOT_BARE },
	{ STARTS, "aclnn", NAME_KERNEL },
	{ STARTS, "AscendCL@", NAME_RUNTIME },
	{ STARTS, "Dvm::", NAME_KERNEL },
	{ IS, "empty_tensor", NAME_KERNEL, NOT_BARE },
	{ IS, "contiguous_d_ViewCopy", NAME_KERNEL },
	{ TEST, "", NAME_RUNTIME, PLAIN, is_runtime_call },
	{ TEST, "", NAME_AUTOGRAD, PLAIN, is_backward_node },
	{ STARTS, "void ", NAME_KERNEL },
	{ STARTS, "_Z", NAME_KERNEL },
	{ STARTS, "nvjet_", NAME_KERNEL },
	{ IS, "gemm_kernel", NAME_KERNEL }, /* oneDNN's */
	{ STARTS, "ncclKernel", NAME_KERNEL },
	{ STARTS, "ncclDevKernel", NAME_KERNEL },
	{ STARTS, "Cijk_", NAME_KERNEL }, /* Tensile's, of rocBLAS */
	{ STARTS, "cutlass", NAME_KERNEL },
	{ STARTS, "ampere_", NAME_KERNEL },
	{ STARTS, "volta_", NAME_KERNEL },
	{ STARTS, "turing_", NAME_KERNEL },
	{ TEST, "", NAME_KERNEL, PLAIN, is_arch_kernel },
	{ TEST, "", NAME_KERNEL, PLAIN, is_template_kernel },
};

static bool rule_fits(const struct rule *rule, struct str name, bool bare)
{
	struct str text = str_from(rule->text);

	if ((rule->mark & NOT_BARE) && bare)
		return false;
	switch (rule->how) {
	case IS:
		return str_eq(name, text);
	case STARTS:
		return str_starts(name, text);
	case HOLDS:
		return str_has(name, text);
	case TEST:
		return rule->test(name);
	}
	return false;
}

static const struct rule *rule_for(struct str name, bool bare)
{
	return FIND(i, rules, ARRAY_SIZE(rules), rule_fits(&rules[i], name, bare));
}

/* Length of the identifier that s starts with. */
static size_t word_len(struct str s)
{
	size_t len = 0;

	while (len < s.len && is_word(s.ptr[len]))
		len++;
	return len && !is_digit(s.ptr[0]) ? len : 0;
}

/* FBGEMM spells operators as C++ functions, "fbgemm::FloatToFP8RowwiseQuantized"; others with a capital are labels. */
static bool begins_base(struct str ns, char first)
{
	return is_lower(first) || first == '_' || (str_eq(ns, STR("fbgemm")) && is_alpha(first));
}

/* "ns::base", "ns::base.overload"; the base starts with a small letter or an underscore. */
static bool parse_operator(struct str text, struct name *ret)
{
	size_t ns_len = word_len(text), base_len;
	struct str rest;

	if (!ns_len || !str_starts(str_skip(text, ns_len), STR("::")))
		return false;
	rest = str_skip(text, ns_len + 2);
	base_len = word_len(rest);
	if (!base_len || !begins_base(str_sub(text, 0, ns_len), rest.ptr[0]))
		return false;
	ret->ns = str_sub(text, 0, ns_len);
	ret->base = str_sub(rest, 0, base_len);
	rest = str_skip(rest, base_len);
	if (rest.len && rest.ptr[0] == '.') {
		ret->overload = str_skip(rest, 1);
		return word_len(ret->overload) == ret->overload.len && ret->overload.len;
	}
	return !rest.len;
}

/* One bare word of an old table. */
static bool parse_bare(struct str text, struct name *ret)
{
	/* the name of aten::t passed through a demangler until the middle of 2020: pytorch#19958, #40416 */
	if (str_eq(text, STR("unsigned short")))
		text = STR("t");
	if (word_len(text) != text.len || !text.len || !(is_lower(text.ptr[0]) || text.ptr[0] == '_'))
		return false;
	ret->ns = STR("aten");
	ret->base = text;
	ret->guessed = true;
	return true;
}

/* "rpc_async#aten::mul(worker1 -> worker2)#remote_op: aten::mul": the operator that the other process ran. */
static struct str remote_operator(struct str text)
{
	struct str lead = STR("#remote_op: ");
	size_t at = str_find(text, lead);

	return at == STR_NONE ? text : str_skip(text, at + lead.len);
}

/* Names in a table of tasks or of runtime calls: transfers and collectives by their spelling, others by the table. */
static enum name_class class_in_table(struct str text, struct name_style style)
{
	const struct rule *rule = rule_for(text, style.bare);

	if (str_starts(text, STR("hcom_")) || str_starts(text, STR("lcom_")))
		return NAME_COLLECTIVE;
	if (str_starts(text, STR("MEMCPY_")))
		return NAME_MEMORY;
	if (rule && (rule->name_class == NAME_COLLECTIVE || rule->name_class == NAME_MEMORY ||
			    rule->name_class == NAME_STEP))
		return rule->name_class;
	return style.device_task ? NAME_KERNEL : NAME_RUNTIME;
}

struct name name_classify(struct str text, struct name_style style)
{
	struct str whole = remote_operator(text);
	struct str shown = style.cut && str_ends(whole, STR("...")) ? str_chop(whole, 3) : whole;
	const struct rule *rule = rule_for(shown, style.bare);
	struct name name = { .name_class = NAME_LABEL };

	if (style.device_task || style.host_call) {
		name.name_class = class_in_table(text, style);
	} else if (rule) {
		name.name_class = rule->name_class;
		name.compiling = rule->mark & COMPILING;
		name.compiled = rule->mark & (COMPILING | COMPILED);
		name.region = (rule->mark & REGION) == REGION;
		name.loader = rule->mark & LOADER;
	} else if (parse_operator(shown, &name) || (style.bare && parse_bare(shown, &name))) {
		name.name_class = NAME_OPERATOR;
		name.cut = style.cut;
	} else {
		name = (struct name){ .name_class = NAME_LABEL };
	}
	/* a label may be spelt like an operator, a kernel like a label */
	if (style.known != NAME_OPERATOR && (name.name_class == NAME_OPERATOR || name.name_class == NAME_LABEL))
		name = (struct name){ .name_class = style.known, .loader = name.loader };
	return name;
}

void name_put(struct buf *buf, const struct name *name)
{
	buf_add(buf, name->ns);
	buf_add(buf, STR("::"));
	buf_add(buf, name->base);
}
