#include "assess/finding/constraints.h"

#include "base/mem.h"
#include "opdb/db/note.h"

/* One target under way. */
struct hearing {
	const struct implied_request *request;
	const struct result *result;
	const struct target *target;
	struct finding_list *findings;
	struct err *err;
};

static struct result_finding *say(struct hearing *hearing, const char *rule, struct str operator_name)
{
	return finding_add(hearing->request->arena, hearing->findings, rule, operator_name,
		arena_keep(hearing->request->arena, str_from(hearing->target->id)));
}

/* --- what the dump shows */

static bool has_ignored(const struct hearing *hearing, const char *name_class, struct str part)
{
	for (size_t i = 0; i < hearing->result->ignored_count; i++) {
		const struct result_ignored *ignored = &hearing->result->ignored[i];

		if (str_eq(ignored->name_class, str_from(name_class)) && str_has(ignored->name, part))
			return true;
	}
	return false;
}

static bool has_operator_with(const struct hearing *hearing, struct str part)
{
	for (size_t i = 0; i < hearing->request->operators->count; i++) {
		if (str_has(hearing->request->operators->items[i].base, part))
			return true;
	}
	return false;
}

/* Types of arguments that only autocast, or a model in low precision, brings. */
static bool has_low_precision(const struct profile *profile)
{
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);

	for (size_t i = 0; i < count; i++) {
		if (str_has(uses[i].dtypes, STR("Half")) || str_has(uses[i].dtypes, STR("BFloat16")))
			return true;
	}
	return false;
}

/* --- constraints */

/* Backends of torch.distributed by device: HCCL and MCCL; NCCL is CUDA's. */
static int collectives(struct hearing *hearing)
{
	struct result_finding *finding;

	if (!has_ignored(hearing, "collective", STR("nccl")) && !has_ignored(hearing, "collective", STR("gloo")) &&
		!has_ignored(hearing, "kernel", STR("nccl")))
		return 0;
	finding = say(hearing, "constraint-collectives", STR(""));
	message_add(
		&finding->what, "backend", hearing->target->release->target == TARGET_NPU ? STR("hccl") : STR("mccl"));
	return 0;
}

/* HCCL reduces int8, int16, int32, int64, float16, float32 and bfloat16, by the table of algorithms and types at the address. Names
   as the profiler writes them. */
static const struct result_evidence reduces = { STR("vendor-doc"),
	STR("https://www.hiascend.com/doc_center/source/zh/canncommercial/81RC1/apiref/envvar/envref_07_0079.html"),
	STR(""), STR("") };
static const struct str not_reduced[] = { STR("Double"), STR("ComplexFloat"), STR("ComplexDouble"),
	STR("ComplexHalf") };

static bool is_reduced(struct str dtype)
{
	for (size_t i = 0; i < ARRAY_SIZE(not_reduced); i++) {
		if (str_eq(dtype, not_reduced[i]))
			return false;
	}
	return true;
}

static void refuse_reduction(struct hearing *hearing, const struct result_collective *collective)
{
	struct arena *arena = hearing->request->arena;
	struct result_finding *finding = say(hearing, "constraint-collective-dtype", STR(""));

	message_add_copy(&finding->what, arena, "collective", collective->name);
	message_add_copy(&finding->what, arena, "dtype", collective->dtype);
	finding->evidence = arena_alloc(arena, sizeof(finding->evidence[0]));
	finding->evidence[finding->evidence_count++] = reduces;
}

static int collective_types(struct hearing *hearing)
{
	if (hearing->target->release->target != TARGET_NPU)
		return 0;
	for (size_t i = 0; i < hearing->result->input_count; i++) {
		const struct result_traffic *traffic = &hearing->result->inputs[i].capture.traffic;

		for (size_t j = 0; j < traffic->collective_count; j++) {
			const struct result_collective *collective = &traffic->collectives[j];

			if (str_has(collective->name, STR("reduce")) && !is_reduced(collective->dtype))
				refuse_reduction(hearing, collective);
		}
	}
	return 0;
}

/* nn.DataParallel scatters its input and gathers the results: nodes that nothing else has. */
static int data_parallel(struct hearing *hearing)
{
	bool gathers = has_ignored(hearing, "autograd", STR("GatherBackward")) ||
		       has_ignored(hearing, "autograd", STR("BroadcastBackward"));

	if (gathers && !has_ignored(hearing, "label", STR("DistributedDataParallel.forward")))
		say(hearing, "constraint-data-parallel", STR(""));
	return 0;
}

/* transfer_to_npu switches torch.jit.script off. */
static int torchscript(struct hearing *hearing)
{
	if (hearing->target->release->target == TARGET_NPU && has_ignored(hearing, "torchscript", STR("")))
		say(hearing, "constraint-torchscript", STR(""));
	return 0;
}

static int ask(struct hearing *hearing, const struct op *op, struct answer *ret)
{
	struct resolver *resolver = hearing->request->resolver;

	return resolve_base(
		resolver, hearing->target, &(struct op_query){ .ns = op->ns, .base = op->base }, ret, hearing->err);
}

static bool is_banned(const struct answer *answer)
{
	for (size_t i = 0; i < answer->note_count; i++) {
		const struct note *note = answer->notes[i].note;

		if (note->kind == NOTE_AUTOCAST && str_eq(note->text, STR("banned")))
			return true;
	}
	return false;
}

/* Operators that autocast refuses, in a program that computes in low precision. */
static int autocast(struct hearing *hearing)
{
	const struct operators *operators = hearing->request->operators;
	int code = 0;

	if (!has_low_precision(hearing->request->profile))
		return 0;
	for (size_t i = 0; i < operators->count && !code; i++) {
		struct answer answer;

		code = ask(hearing, &operators->items[i], &answer);
		if (!code && is_banned(&answer))
			say(hearing, "constraint-autocast",
				arena_keep(hearing->request->arena, operators->items[i].name));
	}
	return code;
}

/* Operators that have kernels for sparse tensors in PyTorch and none on the target, in a program that has such tensors. */
static int sparse(struct hearing *hearing)
{
	const struct operators *operators = hearing->request->operators;
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	struct result_finding *finding;
	int code = 0;

	if (!has_operator_with(hearing, STR("sparse")))
		return 0;
	for (size_t i = 0; i < operators->count && !code; i++) {
		struct answer answer;

		code = ask(hearing, &operators->items[i], &answer);
		if (!code && answer.layouts)
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(operators->items[i].name));
	}
	if (code || !names.len)
		return code;
	finding = say(hearing, "constraint-sparse", STR(""));
	message_add_copy(&finding->what, hearing->request->arena, "operators", buf_str(&names));
	return 0;
}

static int (*const constraints[])(struct hearing *hearing) = {
	collectives,
	collective_types,
	data_parallel,
	torchscript,
	autocast,
	sparse,
};

int constraints_check(const struct implied_request *request, const struct result *result, struct finding_list *findings,
	struct err *err)
{
	int code = 0;

	for (size_t i = 0; i < request->target_count && !code; i++) {
		struct hearing hearing = { request, result, &request->targets[i], findings, err };

		for (size_t j = 0; j < ARRAY_SIZE(constraints) && !code; j++)
			code = constraints[j](&hearing);
	}
	return code;
}
