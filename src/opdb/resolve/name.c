#include "opdb/resolve/name.h"

#include <string.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "opdb/model/dtype.h"
#include "opdb/resolve/absent.h"
#include "opdb/resolve/namespace.h"
#include "opdb/resolve/note_apply.h"
#include "opdb/resolve/overlay_apply.h"
#include "opdb/resolve/prove.h"

/* --- facts of libraries other than the plugins */

/* More of one collective at one release than there are reduce operations. */
enum { MOST_ROWS = 32 };

/* The facts of the release, in the answer. */
static void put_collectives(const struct question *question, const struct name_facts *name, struct answer *ret)
{
	const struct collective_fact *found[MOST_ROWS];
	size_t count = 0;

	for (const struct collective_fact *fact = name->collectives; fact && count < MOST_ROWS; fact = fact->next) {
		if (collective_holds(fact, question->release))
			found[count++] = fact;
	}
	ret->library.collectives = resolver_keep(question->resolver, found, count * sizeof(found[0]));
	ret->library.collective_count = ret->library.collectives ? count : 0;
}

/* Facts of packages for the target. */
static void put_packages(const struct question *question, const struct name_facts *name, struct answer *ret)
{
	enum target_kind target = question->release->target;
	const struct package_fact **kept;
	size_t count = 0;

	for (const struct package_fact *fact = name->package_facts; fact; fact = fact->next)
		count += fact->target == target;
	kept = resolver_alloc(question->resolver, count * sizeof(kept[0]));
	for (const struct package_fact *fact = kept ? name->package_facts : NULL; fact; fact = fact->next) {
		if (fact->target == target)
			kept[ret->library.package_count++] = fact;
	}
	ret->library.packages = kept;
}

/* Adds what libraries take under the name: packages for the target, and the release's backend of torch.distributed,
   whose types are accepted or refused ones of the answer. */
static void libraries_put(const struct question *question, const struct name_facts *name, struct answer *ret)
{
	if (name->collectives) {
		put_collectives(question, name, ret);
		for (size_t i = 0; i < ret->library.collective_count; i++)
			ret->accepted |= collective_types(ret->library.collectives[i], question->chip);
		ret->refused = ret->barred = ret->accepted ? DTYPE_ALL & ~ret->accepted : 0;
	}
	if (name->package_facts && wants_texts(question))
		put_packages(question, name, ret);
}

/* A collective, of what libraries_put has added: native where the backend takes it under some reduce operation,
   unsupported where it refuses it or has none. */
static void collective_answer(const struct question *question, struct answer *ret)
{
	struct str backend = collective_backend(question->release->target);
	struct cites cites = { 0 };

	for (size_t i = 0; i < ret->library.collective_count; i++)
		cite_note(&cites, ret->library.collectives[i]->source, ret->library.collectives[i]->path, STR(""));
	ret->status = ret->accepted ? OP_NATIVE : OP_UNSUPPORTED;
	ret->flags = ret->library.collective_count ? 0 : FLAG_INFERRED;
	ret->via = JOIN(question, STR("torch.distributed over "), backend,
		!ret->library.collective_count ? STR(": this release has no such collective")
		: ret->accepted                ? STR("")
					       : STR(": refused"));
	evidence_put(question, &cites, ret);
}

/* --- the overloads of a name */

static const struct answer no_answer = { .via = STR(""),
	.detail = STR(""),
	.equivalents = STR(""),
	.package = STR(""),
	.library = { .since = STR(""), .until = STR(""), .version = STR("") },
	.known_in = STR(""),
	.leaves = STR(""),
	.units = { .cann = STR("") } };

/* The proofs of the overloads of a name that exist on a release: those that programs call first. */
struct verdicts {
	struct proof *proofs;
	size_t count;
	size_t used; /* the first ones, which decide; the rest are variants aside */
};

/* Out variants, generated and named-tensor overloads are not what a program calls by the base name. */
static bool is_aside(const struct overload *op, unsigned torch_place)
{
	const struct torch_fact *fact = torch_fact_at(op, torch_place);
	const struct signature *signature = signature_at(op, torch_place);

	return fact && (fact->kind == OVERLOAD_OUT || fact->autogen_of.len || (signature && signature->dimname));
}

/* Proves the overloads of a name that exist, or the one asked for alone. proofs has room for all of them. */
static int prove_overloads(const struct question *question, const struct name_facts *name, struct str overload,
	struct verdicts *ret, struct err *err)
{
	for (unsigned aside = 0; aside < 2; aside++) {
		for (const struct overload *op = name->overloads; op; op = op->next) {
			int code;

			if (((overload.len || question->unnamed) && !str_eq(op->overload, overload)) ||
				!overload_exists(op, question->release, name->aten) ||
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

struct overload_answer overload_answer(const struct question *question, const struct proof *proof)
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

static bool calls_unnamed(const struct name_facts *name, struct str op)
{
	for (const struct leaf *leaf = name->leaves; leaf; leaf = leaf->next) {
		if (str_eq(leaf->op, op) && str_has_word(leaf->calls, name->base))
			return true;
	}
	return false;
}

static void put_overloads(const struct question *question, const struct name_facts *name,
	const struct verdicts *verdicts, struct answer *ret)
{
	struct overload_answer *overloads = resolver_alloc(question->resolver, verdicts->count * sizeof(overloads[0]));

	ret->overloads = overloads;
	ret->overload_count = overloads ? verdicts->count : 0;
	for (size_t i = 0; i < ret->overload_count; i++) {
		overloads[i] = overload_answer(question, &verdicts->proofs[i]);
		overloads[i].wraps = overloads[i].status == OP_COMPOSITE && calls_unnamed(name, overloads[i].name);
	}
}

/* Returns whether an overload renames, allocates or copies: a view, or a kernel of torch_npu's own framework list,
   whose kernels since PyTorch 2.1 manage memory and do not compute. */
static bool moves_memory(const struct question *question, const struct proof *proof)
{
	const struct torch_fact *fact = torch_fact_at(proof->op, question->release->torch_place);
	const struct kernel *kernel = kernel_on(proof->op, question->release, true);

	return (fact && fact->has & HAS_VIEW) ||
	       (kernel && !question->release->xla && str_eq(kernel->origin, STR("npu_native_functions")));
}

/* One answer for all overloads of a name, SEMANTICS 5.2. */
static void merge_proofs(const struct question *question, const struct name_facts *name,
	const struct verdicts *verdicts, struct answer *ret)
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
	put_overloads(question, name, verdicts, ret);
	evidence_put(question, &cites, ret);
}

/* The answer if the program calls the name itself. */
static int add_explicit(const struct question *question, const struct name_facts *name, struct str overload,
	struct answer *ret, struct err *err)
{
	struct question called = *question;
	struct answer explicit;
	int code;

	called.reading = READING_EXPLICIT;
	code = answer_name(&called, name, overload, &explicit, err);
	ret->explicit_status = explicit.status;
	return code;
}

/* Operators that the program could call instead of the name. */
static int add_alternatives(
	const struct question *question, const struct name_facts *name, struct answer *ret, struct err *err)
{
	const struct backend_rule *rule = name->special ? name->special->rule : NULL;
	bool any;

	ret->explicit_status = ret->status;
	if (!rule || (rule->mode != RULE_AUTO && rule->mode != RULE_MANUAL))
		return 0;
	return prove_equivalents(question, rule, &ret->equivalents, &any, err);
}

int answer_name(const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret,
	struct err *err)
{
	struct verdicts verdicts = { .proofs = scratch_for(question->resolver, name) };
	bool switched = false;
	unsigned flags;
	int code = prove_overloads(question, name, overload, &verdicts, err);

	if (code)
		return code;
	*ret = no_answer;
	ret->known_in = name->known_in;
	libraries_put(question, name, ret);
	if (verdicts.count) {
		merge_proofs(question, name, &verdicts, ret);
		switched = ANY(i, verdicts.used, verdicts.proofs[i].switched);
	} else if (name->aten) {
		code = absent_answer(question, name, overload, ret, err);
		switched = ret->status == OP_EQUIVALENT;
	} else if (name->collectives) {
		collective_answer(question, ret);
	} else {
		code = namespace_answer(question, name, ret, err);
	}
	if (!code && !verdicts.count)
		overlay_answer(question, name, ret);
	flags = ret->flags;
	if (!code && !question->status_only && !question->no_notes) {
		notes_apply(question, name, overload, ret);
		if (flags & FLAG_OVERLAY) { /* a site's fact overrides the notes, which stay listed */
			ret->flags = flags;
			ret->certain = ret->best = ret->status;
		}
	}
	overlay_limit(question, name, overload, ret);
	if (code || question->status_only)
		return code;
	return switched && question->reading == READING_REACHED ? add_explicit(question, name, overload, ret, err)
								: add_alternatives(question, name, ret, err);
}
