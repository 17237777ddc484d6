#include "assess/finding/constraints.h"

#include "assess/judge/sparse.h"
#include "base/memory/mem.h"
#include "opdb/db/apis.h"
#include "opdb/db/note.h"
#include "opdb/model/dtype.h"

/* One target under way. */
struct constraint_check {
	const struct implied_request *request;
	const struct result *result;
	const struct target *target;
	struct finding_list *findings;
	struct err *err;
};

static struct result_finding *add_constraint(struct constraint_check *check, const char *rule, struct str operator_name)
{
	return finding_add(
		check->findings, rule, operator_name, arena_keep(check->request->arena, str_from(check->target->id)));
}

/* --- what the dump shows */

static bool has_ignored(const struct constraint_check *check, enum name_class name_class, struct str part)
{
	const struct result_ignored *ignored = check->result->ignored;

	return ANY(
		i, check->result->ignored_count, ignored[i].name_class == name_class && str_has(ignored[i].name, part));
}

/* --- constraints */

/* Backends of torch.distributed by device: HCCL and MCCL; NCCL is CUDA's. */
static int check_collectives(struct constraint_check *check)
{
	struct result_finding *finding;

	if (!has_ignored(check, NAME_COLLECTIVE, STR("nccl")) && !has_ignored(check, NAME_COLLECTIVE, STR("gloo")) &&
		!has_ignored(check, NAME_KERNEL, STR("nccl")))
		return 0;
	finding = add_constraint(check, "constraint-collectives", STR(""));
	message_add(&finding->what, "backend", collective_backend(check->target->release->target));
	return 0;
}

/* The backend's facts on a collective, by its name in a trace or that of an operator. */
static int ask_backend(struct constraint_check *check, struct str name, struct answer *ret)
{
	size_t colons = str_find(name, STR("::"));
	bool is_operator = colons != STR_NONE;
	struct op_query query = { .ns = is_operator ? str_sub(name, 0, colons) : STR(""),
		.base = is_operator ? str_skip(name, colons + 2) : name };

	return resolve_base(check->request->resolver, check->target, &query, ret, check->err);
}

/* Returns whether the backend does the operation with the type; true for unknown ones. */
static bool takes_reduction(
	struct constraint_check *check, const struct answer *answer, struct str reduction, unsigned type)
{
	bool known = false;

	for (size_t i = 0; i < answer->library.collective_count; i++) {
		const struct collective_fact *fact = answer->library.collectives[i];
		unsigned takes = collective_types(fact, check->target->chip);

		if (!str_eq(fact->reduce_op, reduction))
			continue;
		known = true;
		if (takes && (!type || takes & type))
			return true;
	}
	return !known;
}

/* Calls of operators that say how they reduce, of this type and of the same function of the backend. */
static int count_recorded(struct constraint_check *check, const struct result_traffic *traffic,
	const struct result_collective *collective, struct str function, uint64_t *ret)
{
	int code = 0;

	*ret = 0;
	for (size_t i = 0; i < traffic->collective_count && !code; i++) {
		const struct result_collective *other = &traffic->collectives[i];
		struct answer answer;

		if (!other->reduction.len || dtype_from(other->dtype) != dtype_from(collective->dtype))
			continue;
		code = ask_backend(check, other->name, &answer);
		if (!code && answer.library.collective_count && str_eq(answer.library.collectives[0]->name, function))
			*ret += other->calls;
	}
	return code;
}

/* The reduce operations that the backend refuses, for the type where one was recorded: "AVG, BAND"; all of them where
   *ret_all. */
static struct str refused_reductions(
	struct constraint_check *check, const struct answer *answer, unsigned type, bool *ret_all)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	*ret_all = true;
	for (size_t i = 0; i < answer->library.collective_count; i++) {
		const struct collective_fact *fact = answer->library.collectives[i];
		unsigned takes = collective_types(fact, check->target->chip);

		if (takes && (!type || takes & type))
			*ret_all = false;
		else
			buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(fact->reduce_op));
	}
	return arena_keep(check->request->arena, buf_str(&text));
}

/* Once for all inputs and groups of processes. */
static void add_refusal(struct constraint_check *check, const char *rule, const struct result_collective *collective,
	const struct answer *answer, struct str reductions)
{
	struct arena *arena = check->request->arena;
	struct result_finding *finding = add_constraint(check, rule, STR(""));
	struct result_verdict verdict = { .target = STR("") };

	if (!finding_tell_apart(check->findings,
		    arena_printf(arena, "%.*s %.*s %.*s", STR_ARG(collective->name), STR_ARG(collective->dtype),
			    STR_ARG(reductions.len ? collective->reduction : STR("")))))
		return;
	message_add(&finding->what, "backend", collective_backend(check->target->release->target));
	message_add_copy(&finding->what, arena, "collective", collective->name);
	message_add_copy(&finding->what, arena, "dtype", collective->dtype);
	message_add(&finding->what, reductions.len ? "reductions" : "takes",
		reductions.len ? reductions : dtypes_text(arena, answer->accepted, ", "));
	verdict_put_evidence(arena, answer, &verdict);
	finding->evidence = verdict.evidence;
	finding->evidence_count = verdict.evidence_count;
}

/* A collective with a type that the backend refuses: for every operation, for the recorded one, or for some if the
   operation was not recorded. */
static int judge_collective(struct constraint_check *check, const struct result_traffic *traffic,
	const struct result_collective *collective)
{
	unsigned type = dtype_from(collective->dtype);
	struct answer answer;
	struct str refused;
	uint64_t recorded;
	bool all;
	int code = ask_backend(check, collective->name, &answer);

	if (code || !answer.library.collective_count)
		return code;
	refused = refused_reductions(check, &answer, type, &all);
	if (all) {
		add_refusal(check, "constraint-collective-dtype", collective, &answer, STR(""));
	} else if (collective->reduction.len) {
		if (!takes_reduction(check, &answer, collective->reduction, type))
			add_refusal(check, "constraint-collective-operation", collective, &answer,
				arena_keep(check->request->arena, collective->reduction));
	} else if (refused.len) {
		code = count_recorded(check, traffic, collective, answer.library.collectives[0]->name, &recorded);
		if (!code && recorded < collective->calls)
			add_refusal(check, "constraint-collective-reduction", collective, &answer, refused);
	}
	return code;
}

static int check_collective_types(struct constraint_check *check)
{
	int code = 0;

	for (size_t i = 0; i < check->result->input_count && !code; i++) {
		const struct result_traffic *traffic = &check->result->inputs[i].capture.traffic;

		for (size_t j = 0; j < traffic->collective_count && !code; j++)
			code = judge_collective(check, traffic, &traffic->collectives[j]);
	}
	return code;
}

/* nn.DataParallel scatters its input and gathers the results: nodes that nothing else has. */
static int check_data_parallel(struct constraint_check *check)
{
	bool gathers = has_ignored(check, NAME_AUTOGRAD, STR("GatherBackward")) ||
		       has_ignored(check, NAME_AUTOGRAD, STR("BroadcastBackward"));

	if (gathers && !has_ignored(check, NAME_LABEL, STR("DistributedDataParallel.forward")))
		add_constraint(check, "constraint-data-parallel", STR(""));
	return 0;
}

/* transfer_to_npu switches torch.jit.script off. */
static int check_torchscript(struct constraint_check *check)
{
	if (check->target->release->target == TARGET_NPU && has_ignored(check, NAME_TORCHSCRIPT, STR("")))
		add_constraint(check, "constraint-torchscript", STR(""));
	return 0;
}

static int ask_database(struct constraint_check *check, const struct op *op, struct answer *ret)
{
	struct resolver *resolver = check->request->resolver;

	return resolve_base(
		resolver, check->target, &(struct op_query){ .ns = op->ns, .base = op->base }, ret, check->err);
}

/* Operators that autocast refuses, in a program that computes in low precision. */
static int check_autocast(struct constraint_check *check)
{
	const struct operators *operators = check->request->operators;
	int code = 0;

	/* types of arguments that only autocast, or a model in low precision, brings */
	if (!(check->request->types_seen & (DTYPE_FP16 | DTYPE_BF16 | DTYPE_COMPLEX32)))
		return 0;
	for (size_t i = 0; i < operators->count && !code; i++) {
		struct answer answer;

		code = ask_database(check, &operators->items[i], &answer);
		if (!code && ANY(n, answer.note_count,
				     answer.notes[n].note->kind == NOTE_AUTOCAST &&
					     str_eq(answer.notes[n].note->text, STR("banned"))))
			add_constraint(check, "constraint-autocast",
				arena_keep(check->request->arena, operators->items[i].name));
	}
	return code;
}

/* Operators that have kernels for sparse tensors in PyTorch and none on the target, and got such tensors. Of a dump
   that does not tell which got them, all that may have. */
static int check_sparse(struct constraint_check *check)
{
	const struct operators *operators = check->request->operators;
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	const struct sparse_calls *calls;
	struct result_finding *finding;
	struct str *found;
	size_t count = 0;
	bool known;
	int code = 0;

	if (!ANY(i, operators->count, str_has(operators->items[i].base, STR("sparse"))))
		return 0;
	found = arena_alloc(check->request->arena, (operators->count + 1) * sizeof(found[0]));
	calls = sparse_calls_find(&scratch, check->request->profile, operators, &known);
	for (size_t i = 0; i < operators->count && !code; i++) {
		struct answer answer;

		if (known && !calls[i].some)
			continue;
		code = ask_database(check, &operators->items[i], &answer);
		if (code || !answer.layouts)
			continue;
		buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(operators->items[i].name));
		found[count++] = arena_keep(check->request->arena, operators->items[i].name);
	}
	if (code || !names.len)
		return code;
	finding = add_constraint(check, "constraint-sparse", STR(""));
	finding->operators = found;
	finding->operator_count = count;
	message_add_copy(&finding->what, check->request->arena, "operators", buf_str(&names));
	return 0;
}

static const char *const compile_rules[] = {
	[API_NOT_SAID] = "constraint-compile-unknown",
	[API_SUPPORTED] = "constraint-compile-listed",
	[API_NOT_SUPPORTED] = "constraint-compile-not-listed",
};

/* Code that was generated for one device is none for another: what the vendor says of torch.compile on the target. */
static int check_compiled(struct constraint_check *check)
{
	enum { SHOWN = 4 };
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	bool any_triton = false, any_cpp = false;
	size_t count = 0;
	struct api_support support;
	struct result_finding *finding;
	int code;

	for (size_t i = 0; i < check->result->ignored_count; i++) {
		struct str name = check->result->ignored[i].name;
		bool triton = str_starts(name, STR("triton_")), cpp = str_has(name, STR("cpp_fused"));

		if (check->result->ignored[i].name_class != NAME_COMPILE || (!triton && !cpp))
			continue;
		any_triton |= triton;
		any_cpp |= cpp;
		if (count < SHOWN)
			buf_printf(&names, "%s%.*s", count ? ", " : "", STR_ARG(name));
		else if (count == SHOWN)
			buf_add(&names, STR(" ..."));
		count++;
	}
	if (!count)
		return 0;
	code = opdb_api_support(resolver_db(check->request->resolver), STR("torch.compile"), check->target->release,
		&support, check->err);
	if (code)
		return code;
	finding = add_constraint(check, compile_rules[support.says], STR(""));
	message_add_number(&finding->what, check->request->arena, "count", (int64_t)count);
	message_add(&finding->what, "language",
		!any_cpp     ? STR("Triton")
		: any_triton ? STR("Triton, C++")
			     : STR("C++"));
	message_add_copy(&finding->what, check->request->arena, "kernels", buf_str(&names));
	if (support.says == API_NOT_SAID)
		return 0;
	finding->evidence = arena_alloc(check->request->arena, sizeof(finding->evidence[0]));
	finding->evidence[finding->evidence_count++] = (struct result_evidence){
		support.is_of_release ? EVIDENCE_VENDOR_DOC : EVIDENCE_INFERRED,
		arena_keep(check->request->arena, support.url), STR(""), STR("")
	};
	return 0;
}

static int (*const constraints[])(struct constraint_check *check) = {
	check_collectives,
	check_collective_types,
	check_data_parallel,
	check_torchscript,
	check_autocast,
	check_sparse,
	check_compiled,
};

int findings_of_constraints(struct finding_list *findings, const struct implied_request *request,
	const struct result *result, struct err *err)
{
	int code = 0;

	for (size_t i = 0; i < request->target_count && !code; i++) {
		struct constraint_check check = { request, result, &request->targets[i], findings, err };

		for (size_t j = 0; j < ARRAY_SIZE(constraints) && !code; j++)
			code = constraints[j](&check);
	}
	return code;
}
