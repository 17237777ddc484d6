#include "opdb/resolve.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "opdb/names.h"
#include "opdb/namespace.h"
#include "opdb/overlay_fact.h"

enum { RESOLVER_BYTES = 512 * 1024 * 1024, NAME_BYTES = 4096 };

static const struct {
	struct str name;
	enum status_class status_class;
} statuses[OP_STATUS_COUNT] = {
	[OP_NATIVE] = { STR("native"), CLASS_DEVICE },
	[OP_NATIVE_JIT] = { STR("native-jit"), CLASS_DEVICE },
	[OP_COMPOSITE] = { STR("composite"), CLASS_DEVICE },
	[OP_EQUIVALENT] = { STR("equivalent"), CLASS_DEVICE },
	[OP_CPU_FALLBACK] = { STR("cpu-fallback"), CLASS_CPU },
	[OP_UNSUPPORTED] = { STR("unsupported"), CLASS_BLOCKED },
	[OP_NEEDS_PACKAGE] = { STR("needs-package"), CLASS_BLOCKED },
	[OP_UNKNOWN] = { STR("unknown"), CLASS_UNKNOWN },
};

static const struct str flag_names[OP_FLAG_COUNT] = {
	STR("host-path"),
	STR("aicpu"),
	STR("jit-compile"),
	STR("dtype-limited"),
	STR("soc-limited"),
	STR("mixed-overloads"),
	STR("reported-broken"),
	STR("implied"),
	STR("inferred"),
	STR("overlay"),
};

static const struct str evidence_names[] = { STR("source"), STR("vendor-doc"), STR("inferred"), STR("report"),
	STR("measured"), STR("overlay") };

static const struct answer no_answer = { .via = STR(""),
	.detail = STR(""),
	.equivalents = STR(""),
	.package = STR(""),
	.known_in = STR(""),
	.leaves = STR("") };

struct str op_status_name(enum op_status status)
{
	return statuses[status].name;
}

enum status_class op_status_class(enum op_status status)
{
	return statuses[status].status_class;
}

struct str op_flag_name(unsigned number)
{
	return flag_names[number];
}

struct str evidence_kind_name(enum evidence_kind kind)
{
	return evidence_names[kind];
}

const struct opdb *resolver_db(const struct resolver *resolver)
{
	return resolver->db;
}

struct resolver *resolver_new(const struct opdb *db)
{
	struct resolver *resolver = mem_zalloc(sizeof(*resolver));

	resolver->db = db;
	resolver->arena = ARENA_INIT(RESOLVER_BYTES);
	resolver->facts = (struct facts){ .db = db, .arena = &resolver->arena };
	resolver->urls = mem_zalloc(db->releases.count * sizeof(resolver->urls[0]));
	return resolver;
}

void resolver_without_reported(struct resolver *resolver)
{
	resolver->without_reported = true;
}

void resolver_set_texts(struct resolver *resolver, bool wanted)
{
	resolver->without_texts = !wanted;
}

void resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	for (size_t i = 0; i < resolver->db->releases.count; i++)
		free(resolver->urls[i]);
	free(resolver->urls);
	free(resolver->scratch);
	walks_clear(&resolver->walks);
	facts_clear(&resolver->facts);
	arena_clear(&resolver->arena);
	free(resolver);
}

/* The proofs of the overloads of a name that exist on a release: those that programs call first. */
struct verdicts {
	struct proof *proofs;
	size_t count;
	size_t used; /* the first ones, which decide; the rest are variants aside */
};

bool overload_exists(const struct question *question, const struct name_facts *name, const struct overload *op)
{
	return torch_fact_at(op, question->release->torch_place) || kernel_on(op, question->release, name->aten) ||
	       is_patched_in(op, question->release);
}

/* Out variants, generated and named-tensor overloads are not what a program calls by the base name. */
static bool is_aside(const struct overload *op, unsigned torch_place)
{
	const struct torch_fact *fact = torch_fact_at(op, torch_place);
	const struct signature *signature = signature_at(op, torch_place);

	return fact && (fact->kind == OVERLOAD_OUT || fact->autogen_of.len || (signature && signature->dimname));
}

/* Proves the overloads of a name that exist, or the one asked for alone. proofs has room for all of them. */
static int collect(const struct question *question, const struct name_facts *name, struct str overload,
	struct verdicts *ret, struct err *err)
{
	for (unsigned aside = 0; aside < 2; aside++) {
		for (const struct overload *op = name->overloads; op; op = op->next) {
			int code;

			if ((overload.len && !str_eq(op->overload, overload)) || !overload_exists(question, name, op) ||
				is_aside(op, question->release->torch_place) != aside)
				continue;
			code = prove(question, name, op, &ret->proofs[ret->count++], err);
			if (code)
				return code;
		}
		if (!aside)
			ret->used = ret->count;
	}
	if (!ret->used)
		ret->used = ret->count;
	return 0;
}

/* Room for a proof of every overload of a name; kept for the next name. */
static struct proof *scratch_for(struct resolver *resolver, const struct name_facts *name)
{
	size_t count = 0;

	for (const struct overload *op = name->overloads; op; op = op->next)
		count++;
	if (count > resolver->scratch_count) {
		resolver->scratch = mem_resize(resolver->scratch, count, sizeof(resolver->scratch[0]));
		resolver->scratch_count = count;
	}
	return resolver->scratch;
}

/* The overload that speaks for the name: the unnamed one, else the first of the best status, .Tensor before others. */
static const struct proof *spokesman(const struct verdicts *verdicts)
{
	const struct proof *best = &verdicts->proofs[0];

	for (size_t i = 0; i < verdicts->used; i++) {
		const struct proof *proof = &verdicts->proofs[i];

		if (!proof->op->overload.len)
			return proof;
		if (proof->status < best->status ||
			(proof->status == best->status && str_eq(proof->op->overload, STR("Tensor"))))
			best = proof;
	}
	return best;
}

/* "clamp_min.Tensor=unsupported" for each overload that counts and has another status, and each one aside that does not
   run on the device. */
static struct str deviations(const struct question *question, const struct verdicts *verdicts, enum op_status status)
{
	struct str text = STR("");

	for (size_t i = 0; i < verdicts->count; i++) {
		const struct proof *proof = &verdicts->proofs[i];
		bool counts = i < verdicts->used;

		if (proof->status == status ||
			(!counts && proof->status != OP_CPU_FALLBACK && proof->status != OP_UNSUPPORTED))
			continue;
		text = JOIN(question, text, text.len ? STR(" ") : STR(""), proof->op->op, STR("="),
			op_status_name(proof->status));
	}
	return text;
}

static struct overload_answer overload_answer(const struct question *question, const struct proof *proof)
{
	const struct signature *signature = signature_at(proof->op, question->release->torch_place);

	return (struct overload_answer){
		.name = proof->op->op,
		.signature = signature ? signature->text : STR(""),
		.status = proof->status,
		.flags = proof->flags,
		.via = proof->via,
		.aside = is_aside(proof->op, question->release->torch_place),
	};
}

static void put_overloads(const struct question *question, const struct verdicts *verdicts, struct answer *ret)
{
	struct resolver *resolver = question->resolver;
	struct overload_answer *overloads = arena_alloc(&resolver->arena, verdicts->count * sizeof(overloads[0]));

	if (!overloads) {
		resolver->full = true;
		return;
	}
	for (size_t i = 0; i < verdicts->count; i++)
		overloads[i] = overload_answer(question, &verdicts->proofs[i]);
	ret->overloads = overloads;
	ret->overload_count = verdicts->count;
}

/* Whether an overload renames, allocates or copies: a view, or a kernel of torch_npu's own framework list, which since PyTorch 2.1
   holds those that hand over memory and no arithmetic. */
static bool moves_memory(const struct question *question, const struct proof *proof)
{
	const struct torch_fact *fact = torch_fact_at(proof->op, question->release->torch_place);
	const struct kernel *kernel = kernel_on(proof->op, question->release, true);

	return (fact && fact->has & HAS_VIEW) ||
	       (kernel && !question->release->xla && str_eq(kernel->origin, STR("npu_native_functions")));
}

/* One answer for all overloads of a name, SEMANTICS 5.2. */
static void merge(const struct question *question, const struct verdicts *verdicts, struct answer *ret)
{
	const struct proof *proof = spokesman(verdicts);
	struct cites cites = proof->cites;
	struct str odd;

	ret->status = proof->status;
	if (question->status_only)
		return;
	odd = deviations(question, verdicts, proof->status);
	ret->via = proof->via;
	ret->detail = odd.len ? JOIN(question, proof->detail, proof->detail.len ? STR("; ") : STR(""), odd)
			      : proof->detail;
	if (proof->switched)
		ret->equivalents = proof->equivalents;
	ret->moves_memory = true;
	for (size_t i = 0; i < verdicts->used; i++) {
		ret->moves_memory = ret->moves_memory && moves_memory(question, &verdicts->proofs[i]);
		ret->flags |= verdicts->proofs[i].flags & FLAG_OVERLAY;
		if (verdicts->proofs[i].status != proof->status)
			ret->flags |= FLAG_MIXED_OVERLOADS;
		else
			ret->flags |= verdicts->proofs[i].flags;
		cite_all(&cites, &verdicts->proofs[i].cites);
	}
	put_overloads(question, verdicts, ret);
	evidence_put(question, &cites, ret);
}

static bool any_switched(const struct verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->used; i++) {
		if (verdicts->proofs[i].switched)
			return true;
	}
	return false;
}

/* The versions of PyTorch that have an overload; "" when none has. */
static struct str overload_known_in(struct resolver *resolver, const struct name_facts *name, struct str overload)
{
	const struct overload *op = name->overloads;
	struct str text = STR("");

	while (op && !str_eq(op->overload, overload))
		op = op->next;
	if (op && !facts_known_in(&resolver->facts, op, op->next, &text))
		resolver->full = true;
	return text;
}

/* A name that the release's PyTorch lacks. Composites may still switch it away: cudnn_convolution_backward_input of a
   1.x profile is no concern of a 2.x target. */
static int answer_absent(const struct question *question, const struct name_facts *name, struct str overload,
	struct answer *ret, struct err *err)
{
	const struct rule *rule = name->special ? name->special->rule : NULL;
	struct resolver *resolver = question->resolver;
	struct str known_in = overload.len ? overload_known_in(resolver, name, overload) : name->known_in;
	struct cites cites = { 0 };
	bool any = false;

	ret->status = OP_UNKNOWN;
	ret->via = JOIN(question, overload.len ? STR("no such overload in PyTorch ") : STR("no such name in PyTorch "),
		question->release->torch);
	if (known_in.len)
		ret->detail = JOIN(question, STR("known in "), known_in);
	if (known_in.len && rule_switches(rule) && question->reading == READING_REACHED) {
		int code = prove_equivalents(question, rule, &ret->equivalents, &any, err);

		if (code)
			return code;
	}
	if (any) {
		ret->status = OP_EQUIVALENT;
		ret->via = JOIN(
			question, STR("switched away: "), rule->specific_to, STR(" (name "), ret->detail, STR(")"));
		for (size_t i = 0; i < ARRAY_SIZE(rule->sources); i++)
			cite(&cites, rule->sources[i]);
	} else {
		cite(&cites, resolver->db->torch.items[question->release->torch_place].source);
	}
	evidence_put(question, &cites, ret);
	return 0;
}

/* What the name would be if the program called it itself, and what it could call instead. */
static int add_explicit(const struct question *question, const struct name_facts *name, struct str overload,
	bool switched, struct answer *ret, struct err *err)
{
	const struct rule *rule = name->special ? name->special->rule : NULL;
	struct question called = *question;
	struct answer explicit;
	bool any;
	int code = 0;

	ret->explicit_status = ret->status;
	if (switched) {
		called.reading = READING_EXPLICIT;
		code = answer_name(&called, name, overload, &explicit, err);
		ret->explicit_status = explicit.status;
	} else if (rule && (rule->mode == RULE_AUTO || rule->mode == RULE_MANUAL)) {
		code = prove_equivalents(question, rule, &ret->equivalents, &any, err);
	}
	return code;
}

/* What a site says of an operator stands above what the notes make of it; they stay listed. */
static void add_notes(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret)
{
	unsigned flags = ret->flags;

	notes_apply(question, name, overload, ret);
	if (!(flags & FLAG_OVERLAY))
		return;
	ret->flags = flags;
	ret->certain = ret->best = ret->status;
}

int answer_name(const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret,
	struct err *err)
{
	struct verdicts verdicts = { .proofs = scratch_for(question->resolver, name) };
	bool switched = false;
	int code = collect(question, name, overload, &verdicts, err);

	if (code)
		return code;
	*ret = no_answer;
	ret->known_in = name->known_in;
	if (verdicts.count) {
		merge(question, &verdicts, ret);
		switched = any_switched(&verdicts);
	} else if (name->aten) {
		code = answer_absent(question, name, overload, ret, err);
		switched = ret->status == OP_EQUIVALENT;
	} else {
		namespace_answer(question, name, ret);
	}
	if (!code && !verdicts.count)
		overlay_answer(question, name, ret);
	if (!code && !question->status_only)
		add_notes(question, name, overload, ret);
	overlay_limit(question, name, overload, ret);
	return code || question->status_only ? code : add_explicit(question, name, overload, switched, ret, err);
}

int resolve_base(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct str overload, enum reading reading, struct answer *ret, struct err *err)
{
	struct question question = { resolver, target->release, target->chip, reading, false };
	const struct name_facts *name;
	struct answer answer;
	int code = facts_get(&resolver->facts, ns, base, &name, err);

	if (!code)
		code = answer_name(&question, name, overload, &answer, err);
	if (code)
		return code;
	if (resolver->full)
		return err_set(err, ERR_LIMIT, "the answers take too much memory");
	*ret = answer;
	return 0;
}

bool resolve_called_by_name(const struct resolver *resolver, struct str ns, struct str base,
	bool (*recorded)(void *ctx, struct str name), void *ctx)
{
	const struct special *special = str_eq(ns, STR("aten")) ? special_find(resolver->db, base) : NULL;
	struct str names = special && special->rule ? special->rule->reached_from : STR(""), name = { 0 };
	bool listed = names.len > 0;

	while (names.len && str_cut(&names, ';', &name)) {
		CLEANUP(buf_clear) struct buf full = BUF_INIT(NAME_BYTES);

		buf_printf(&full, "aten::%.*s", STR_ARG(name));
		if (recorded(ctx, buf_str(&full)))
			return false;
	}
	return listed;
}

int resolve_all(struct resolver *resolver, const struct target *target, enum reading reading,
	int (*each)(void *ctx, const struct overload_answer *overload), void *ctx, struct err *err)
{
	struct question question = { resolver, target->release, target->chip, reading, false };
	unsigned place = target->release->torch_place;
	struct name_list names;
	int code = opdb_names_with_prefix(resolver->db, STR("aten::"), SIZE_MAX, &resolver->arena, &names, err);

	for (size_t i = 0; !code && i < names.count; i++) {
		const struct name_facts *name;

		code = facts_get(&resolver->facts, STR("aten"), str_skip(names.items[i], 6), &name, err);
		for (const struct overload *op = code ? NULL : name->overloads; op && !code; op = op->next) {
			struct overload_answer overload;
			struct proof proof;

			if (!torch_fact_at(op, place))
				continue;
			code = prove(&question, name, op, &proof, err);
			if (code)
				return code;
			overload = overload_answer(&question, &proof);
			code = each(ctx, &overload);
		}
	}
	return code || !resolver->full ? code : err_set(err, ERR_LIMIT, "the answers take too much memory");
}

int resolve_dynamic_tags(struct resolver *resolver, struct str ns, struct str base, unsigned *ret, struct err *err)
{
	static const struct {
		struct str text;
		enum dynamic_tag tag;
	} tags[] = {
		{ STR("data_dependent_output"), TAG_DATA_DEPENDENT_OUTPUT },
		{ STR("dynamic_output_shape"), TAG_DYNAMIC_OUTPUT_SHAPE },
	};
	const struct name_facts *name;
	int code = facts_get(&resolver->facts, ns, base, &name, err);

	if (code)
		return code;
	*ret = 0;
	for (const struct overload *op = name->overloads; op; op = op->next) {
		for (const struct torch_fact *fact = op->torch; fact; fact = fact->next) {
			for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
				*ret |= str_has(fact->tags, tags[i].text) ? tags[i].tag : 0u;
		}
	}
	return 0;
}

int resolve_known_in(struct resolver *resolver, struct str ns, struct str base, struct str *ret, struct err *err)
{
	const struct name_facts *name;
	int code = facts_get(&resolver->facts, ns, base, &name, err);

	if (!code)
		*ret = name->known_in;
	return code;
}

int resolve_signatures(struct resolver *resolver, struct str ns, struct str base,
	int (*each)(void *ctx, struct str overload, struct str signature), void *ctx, struct err *err)
{
	const struct name_facts *name;
	int code = facts_get(&resolver->facts, ns, base, &name, err);

	for (const struct overload *op = code ? NULL : name->overloads; op && !code; op = op->next) {
		for (const struct signature *one = op->signatures; one && !code; one = one->next)
			code = one->dimname ? 0 : each(ctx, op->overload, one->text);
	}
	return code;
}
