#include "opdb/resolve/prove.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "opdb/resolve/overlay_apply.h"

/* Longest chain of delegates that is followed; PyTorch's own are shorter. */
enum { DEEPEST = 3 };

/* Major times 100 and minor of "2.7.1". */
static uint64_t minor_version(struct str version)
{
	struct str part = STR("");
	uint64_t major = 0, minor = 0;

	str_cut(&version, '.', &part);
	decimal_unsigned(part, &major);
	str_cut(&version, '.', &part);
	decimal_unsigned(part, &minor);
	return major * 100 + minor;
}

/* Returns whether functional and in-place overloads get a kernel that calls their structured .out overload. On XLA
   the generated kernel was CompositeExplicit from 1.9 to 1.12 and NonFunctional, which XLA is left out of, from 1.13
   on. */
static bool delegates(const struct release *release)
{
	uint64_t torch = release->xla ? minor_version(release->torch) : 0;

	return !release->xla || (torch >= 109 && torch < 113);
}

static bool is_bad(enum op_status status)
{
	return status == OP_CPU_FALLBACK || status == OP_UNSUPPORTED;
}

static struct proof proof_of(const struct question *question, enum op_status status, struct str via, struct str detail)
{
	struct proof proof = { .status = status, .via = via, .detail = detail };

	cite(&proof.cites, question->resolver->db->torch.items[question->release->torch_place].source);
	return proof;
}

/* Effect of the chip on a registered kernel, SEMANTICS 3.3 and 3.4. */
static void apply_chip(const struct chip *chip, const struct kernel *kernel, struct proof *proof)
{
	if (kernel->status == KERNEL_JIT)
		proof->flags |= FLAG_JIT_COMPILE;
	if (!chip || !kernel->acl_op)
		return;
	if (chip->jit_default && !kernel->acl_wrapper)
		proof->flags |= FLAG_JIT_COMPILE;
	if (chip->aclnn_only && !kernel->op_api) {
		proof->status = OP_UNSUPPORTED;
		proof->flags = 0;
		proof->via = STR("registered: the chip runs aclnn kernels alone, and this one is acl_op");
	}
}

static struct proof prove_registered(const struct question *question, const struct kernel *kernel)
{
	static const enum op_status statuses[] = {
		[KERNEL_NATIVE] = OP_NATIVE,
		[KERNEL_JIT] = OP_NATIVE_JIT,
		[KERNEL_COMPOSITE] = OP_COMPOSITE,
		[KERNEL_CPU] = OP_CPU_FALLBACK,
		[KERNEL_BLOCKED] = OP_UNSUPPORTED,
		[KERNEL_FALLTHROUGH] = OP_COMPOSITE,
	};
	struct proof proof = { .status = statuses[kernel->status], .via = STR("registered") };
	struct str api = kernel->acl_op && kernel->op_api ? STR(": acl_op and aclnn")
			 : kernel->acl_op                 ? STR(": acl_op")
			 : kernel->op_api                 ? STR(": aclnn")
							  : STR("");

	if (kernel->status == KERNEL_BLOCKED)
		proof.via = STR("registered to throw");
	else if (kernel->status == KERNEL_CPU)
		proof.via = STR("registered to run on the CPU");
	proof.detail = JOIN(question, kernel->origin, api);
	if (kernel->note.len && !str_has(kernel->note, STR("/"))) /* otherwise it is a path, which the evidence shows */
		proof.detail = JOIN(question, proof.detail, STR("; "), kernel->note);
	if (kernel->host_path.len) {
		proof.flags |= FLAG_HOST_PATH;
		proof.detail = JOIN(question, proof.detail, STR("; copies to the CPU inside: "), kernel->host_path);
	}
	apply_chip(question->chip, kernel, &proof);
	cite_note(&proof.cites, kernel->source, kernel->note, STR(""));
	return proof;
}

/* An overload on its way through the rules. */
struct step {
	const struct question *question;
	const struct name_facts *name;
	const struct overload *op;
	const struct torch_fact *fact; /* of it in the release's PyTorch, or NULL */
	unsigned depth;                /* number of delegates before it */
	struct err *err;
};

static int prove_at(const struct step *step, struct proof *ret);

/* An overload of aten, such as the delegate of this one; *ret is NULL for one that is not known. */
static int find_overload(const struct question *question, struct str op, const struct name_facts **ret_name,
	const struct overload **ret, struct err *err)
{
	int code = facts_get(&question->resolver->facts, STR("aten"), base_of(op), ret_name, err);

	*ret = code ? NULL : facts_overload(*ret_name, op);
	return code;
}

/* The proof of another operator, one step deeper; OP_UNKNOWN for one that is not known. */
static int prove_other(const struct step *step, struct str other, struct proof *ret)
{
	struct step next = { .question = step->question, .depth = step->depth + 1, .err = step->err };
	int code = find_overload(step->question, other, &next.name, &next.op, step->err);

	if (code || next.op)
		return code ? code : prove_at(&next, ret);
	*ret = proof_of(step->question, OP_UNKNOWN, STR("not in this PyTorch version"), STR(""));
	return 0;
}

/* Takes over what another operator's proof says about this one. */
static void chain_proof(const struct question *question, struct proof *ret, const char *how, struct str other,
	const struct proof *inner)
{
	struct cites own = ret->cites;

	*ret = *inner;
	ret->via = JOIN(question, str_from(how), other, STR(": "), inner->via);
	ret->cites = inner->cites;
	cite_all(&ret->cites, &own);
}

bool rule_switches(const struct backend_rule *rule)
{
	return rule && rule->reached_from.len && (rule->mode == RULE_AUTO || rule->mode == RULE_NONE);
}

/* Returns whether a base name, or the exactly named overload, is registered or composite on the release. */
static int is_available(const struct question *question, struct str full, bool *ret, struct err *err)
{
	size_t colons = str_find(full, STR("::"));
	struct str ns = colons == STR_NONE ? STR("aten") : str_sub(full, 0, colons);
	struct str op_name = colons == STR_NONE ? full : str_skip(full, colons + 2);
	const struct name_facts *name;
	int code = facts_get(&question->resolver->facts, ns, base_of(op_name), &name, err);

	if (code)
		return code;
	*ret = false;
	for (const struct overload *op = name->overloads; op && !*ret; op = op->next) {
		const struct torch_fact *fact = torch_fact_at(op, question->release->torch_place);
		bool exact = str_eq(op->op, op_name), whole = str_eq(name->base, op_name);

		*ret = ((exact || whole) && kernel_on(op, question->release, name->aten)) ||
		       (whole && fact && fact->has & (HAS_IMPLICIT | HAS_EXPLICIT));
	}
	return 0;
}

int prove_equivalents(const struct question *question, const struct backend_rule *rule, struct str *ret, bool *ret_any,
	struct err *err)
{
	struct str names = rule->equivalents[question->release->target], name = { 0 }, list = STR("");

	*ret_any = !names.len || rule->mode == RULE_NONE;
	while (names.len && str_cut(&names, ';', &name)) {
		bool available = str_ends(name, STR("*"));
		int code = available ? 0 : is_available(question, name, &available, err);

		if (code)
			return code;
		if (available)
			list = JOIN(question, list, list.len ? STR(";") : STR(""), name);
		*ret_any |= available;
	}
	*ret = list;
	return 0;
}

/* Names of another backend: PyTorch takes another branch on this device, unless the name itself is called. 1 if that
   decides. */
static int prove_switched(const struct step *step, struct proof *ret)
{
	const struct backend_rule *rule = step->name->special ? step->name->special->rule : NULL;
	const struct question *question = step->question;
	struct str equivalents;
	bool any;
	int code;

	if (rule && rule->mode == RULE_HOST) {
		*ret = proof_of(question, OP_COMPOSITE, STR("host-side"), rule->reason);
		return 1;
	}
	if (!rule_switches(rule) || question->reading == READING_EXPLICIT)
		return 0;
	code = prove_equivalents(question, rule, &equivalents, &any, step->err);
	if (code || !any)
		return code;
	*ret = (struct proof){
		.status = OP_EQUIVALENT, .switched = true, .equivalents = equivalents, .detail = rule->reason
	};
	ret->via = JOIN(question, STR("switched away: "), rule->specific_to);
	for (size_t i = 0; i < ARRAY_SIZE(rule->sources); i++)
		cite(&ret->cites, rule->sources[i]);
	return 1;
}

/* Returns whether PyTorch has a CPU kernel that a boxed fallback can call: its own, or its delegate's. */
static int has_cpu_kernel(const struct step *step, bool *ret)
{
	struct str delegate = step->fact->structured_delegate;
	const struct torch_fact *fact;
	const struct name_facts *name;
	const struct overload *op;
	int code = 0;

	*ret = step->fact->has & HAS_CPU;
	if (*ret || !delegate.len)
		return 0;
	code = find_overload(step->question, delegate, &name, &op, step->err);
	fact = op ? torch_fact_at(op, step->question->release->torch_place) : NULL;
	*ret = fact && fact->has & HAS_CPU;
	return code;
}

/* Neither registered nor composite: the boxed fallback, or an error. */
static int prove_missing(const struct step *step, struct proof *ret)
{
	const struct question *question = step->question;
	const struct release *release = question->release;
	bool cpu = false;
	int code = release->boxed ? has_cpu_kernel(step, &cpu) : 0;

	if (code)
		return code;
	if (!release->boxed)
		*ret = proof_of(question, OP_UNSUPPORTED, STR("no kernel and no fallback"), step->fact->keys);
	else if (!cpu)
		*ret = proof_of(question, OP_UNSUPPORTED, STR("no CPU kernel to fall back to"), step->fact->keys);
	else
		*ret = proof_of(question, OP_CPU_FALLBACK, STR("boxed fallback"), release->fallback);
	if (ret->status == OP_CPU_FALLBACK && step->fact->has & HAS_VIEW)
		ret->via = STR("boxed fallback (view: the result is a copy)");
	cite(&ret->cites, release->list_source);
	cite(&ret->cites, release->fallback_source);
	return 0;
}

/* Returns whether a .out overload was written by hand, so that the functional one may call it. */
static bool is_written_out(const struct overload *op, unsigned torch_place)
{
	const struct torch_fact *fact = torch_fact_at(op, torch_place);

	return fact && fact->kind == OVERLOAD_OUT && !fact->autogen_of.len &&
	       fact->has & (HAS_CPU | HAS_CUDA | HAS_STRUCTURED);
}

/* "add" for "add_"; "__iand__" stays. */
static struct str functional_base(struct str base)
{
	return base.len > 1 && str_ends(base, STR("_")) && !str_ends(base, STR("__")) ? str_chop(base, 1) : base;
}

/* The overload called head + tail if it is a hand-written out variant, or NULL. */
static const struct overload *written_out(
	const struct name_facts *name, struct str head, struct str tail, unsigned torch_place)
{
	for (const struct overload *op = name->overloads; op; op = op->next) {
		if (op->overload.len == head.len + tail.len && str_starts(op->overload, head) &&
			str_ends(op->overload, tail) && is_written_out(op, torch_place))
			return op;
	}
	return NULL;
}

/* The only hand-written out variant of a name, or NULL. */
static const struct overload *only_written_out(const struct name_facts *name, unsigned torch_place)
{
	const struct overload *only = NULL;

	for (const struct overload *op = name->overloads; op; op = op->next) {
		if (!is_written_out(op, torch_place))
			continue;
		if (only)
			return NULL;
		only = op;
	}
	return only;
}

/* The hand-written out variant that a CompositeExplicit functional or in-place overload most likely calls: both
   print the same base name. NULL without one. */
static int out_sibling(const struct step *step, const struct overload **ret)
{
	unsigned place = step->question->release->torch_place;
	struct str overload = step->op->overload, base = functional_base(base_of(step->op->op));
	const struct name_facts *name;
	int code = facts_get(&step->question->resolver->facts, STR("aten"), base, &name, step->err);

	if (code)
		return code;
	*ret = overload.len ? written_out(name, overload, STR("_out"), place) : NULL;
	if (!*ret)
		*ret = written_out(name, STR("out"), STR(""), place);
	if (!*ret)
		*ret = written_out(name, STR("grad_input"), STR(""), place);
	if (!*ret)
		*ret = only_written_out(name, place);
	return 0;
}

/* A CompositeExplicit overload: composite, unless what it is generated from or most likely calls does not run. */
static int prove_explicit(const struct step *step, struct proof *ret)
{
	const struct question *question = step->question;
	struct str origin = step->fact->autogen_of;
	const struct overload *leaf = NULL;
	struct proof inner;
	int code = 0;

	*ret = proof_of(question, OP_COMPOSITE, STR("CompositeExplicit"), STR(""));
	if (origin.len)
		ret->via = JOIN(question, STR("generated from "), origin);
	if (step->depth >= DEEPEST)
		return 0;
	if (origin.len) {
		code = prove_other(step, origin, &inner);
		if (!code && is_bad(inner.status))
			chain_proof(question, ret, "generated from ", origin, &inner);
		else if (!code)
			ret->detail = op_status_name(inner.status);
		return code;
	}
	if (step->fact->kind != OVERLOAD_OUT)
		code = out_sibling(step, &leaf);
	if (code || !leaf)
		return code;
	code = prove_other(step, leaf->op, &inner);
	if (!code && is_bad(inner.status))
		chain_proof(question, ret, "composite over ", leaf->op, &inner);
	return code;
}

/* A structured overload whose generated kernel calls its .out overload. 1 if that decides. */
static int prove_structured(const struct step *step, struct proof *ret)
{
	const struct question *question = step->question;
	struct proof inner;
	int code;

	if (!delegates(question->release))
		return 0;
	code = prove_other(step, step->fact->structured_delegate, &inner);
	if (code || !(inner.status == OP_NATIVE || inner.status == OP_NATIVE_JIT || is_bad(inner.status)))
		return code;
	*ret = proof_of(question, inner.status, STR(""), STR(""));
	chain_proof(question, ret, "structured -> ", step->fact->structured_delegate, &inner);
	if (question->release->xla)
		ret->flags |= FLAG_INFERRED; /* no source of that era's kernels was at hand */
	return 1;
}

/* The dispatcher's own order for an operator that the plugin does not register. */
static int prove_dispatched(const struct step *step, struct proof *ret)
{
	enum body body = step->name->special ? step->name->special->body : BODY_PLAIN;
	const struct question *question = step->question;
	const struct torch_fact *fact = step->fact;

	if (body == BODY_STUB && !step->op->overload.len) {
		*ret = proof_of(question, OP_UNSUPPORTED, STR("override-only stub"), STR(""));
		return 0;
	}
	if (body == BODY_BOUND && fact->has & (HAS_EXPLICIT | HAS_IMPLICIT)) {
		*ret = proof_of(question, OP_UNSUPPORTED, STR("body bound to another backend"), STR(""));
		return 0;
	}
	if (fact->structured_delegate.len && step->depth < DEEPEST) {
		int settled = prove_structured(step, ret);

		if (settled)
			return settled < 0 ? settled : 0;
	} else if (fact->has & HAS_NONFUNCTIONAL && !question->release->xla) {
		*ret = proof_of(question, OP_COMPOSITE, STR("CompositeExplicitNonFunctional"), STR(""));
		return 0;
	}
	if (fact->has & HAS_EXPLICIT)
		return prove_explicit(step, ret);
	if (fact->has & HAS_IMPLICIT) {
		*ret = proof_of(question, OP_COMPOSITE, STR("CompositeImplicit"), STR(""));
		return 0;
	}
	return prove_missing(step, ret);
}

static struct proof prove_patched(const struct question *question, const struct overload *op)
{
	struct proof proof = proof_of(question, OP_COMPOSITE, STR("composite that a patch adds to PyTorch"), STR(""));

	for (const struct kernel *kernel = op->kernels; kernel; kernel = kernel->next) {
		if (kernel_holds(kernel, question->release))
			cite_note(&proof.cites, kernel->source, kernel->note, STR(""));
	}
	return proof;
}

/* Returns whether PyTorch has the overload for sparse tensors alone, so that every call has them. */
static bool is_sparse_alone(const struct torch_fact *fact)
{
	const unsigned dense = HAS_CPU | HAS_CUDA | HAS_IMPLICIT | HAS_EXPLICIT | HAS_NONFUNCTIONAL | HAS_STRUCTURED;

	return fact->layouts && !(fact->has & dense) && !fact->structured_delegate.len && !fact->autogen_of.len;
}

/* The registration that a call of the overload ends at, or NULL. */
static const struct kernel *called_kernel(const struct step *step)
{
	const struct release *release = step->question->release;
	const struct kernel *kernel = kernel_on(step->op, release, step->name->aten);

	if (kernel || !step->fact || step->question->dense || !is_sparse_alone(step->fact))
		return kernel;
	for (kernel = step->op->kernels; kernel; kernel = kernel->next) {
		if (kernel->layout & step->fact->layouts && kernel_holds(kernel, release))
			break;
	}
	return kernel;
}

/* The answer of the shipped facts. */
static int prove_shipped(const struct step *step, struct proof *ret)
{
	const struct question *question = step->question;
	const struct kernel *kernel = called_kernel(step);
	int settled;

	if (kernel)
		*ret = prove_registered(question, kernel);
	else if (!step->fact && is_patched_in(step->op, question->release))
		*ret = prove_patched(question, step->op);
	else if (!step->fact)
		*ret = proof_of(question, OP_UNKNOWN, STR("not in this PyTorch version"), STR(""));
	if (kernel || !step->fact)
		return 0;
	settled = prove_switched(step, ret);
	if (settled)
		return settled < 0 ? settled : 0;
	return prove_dispatched(step, ret);
}

static int prove_at(const struct step *step, struct proof *ret)
{
	struct step at = *step;
	int code;

	at.fact = torch_fact_at(at.op, at.question->release->torch_place);
	code = prove_shipped(&at, ret);
	if (!code)
		overlay_prove(at.question, at.name, at.op, ret);
	return code;
}

int prove(const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret,
	struct err *err)
{
	struct step step = { .question = question, .name = name, .op = op, .err = err };
	int code = prove_at(&step, ret);

	ret->op = op;
	return code;
}
