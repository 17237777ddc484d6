#include "opdb/resolve/namespace.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "opdb/db/lists.h"
#include "opdb/resolve/absent.h"

/* Packages that bring kernels of the name on the target: their names, joined by ", ", and where that was read. */
static struct str shipped_by(const struct question *question, const struct name_facts *name, struct cites *cites)
{
	struct str list = STR(""), last = STR("");

	for (const struct package_kernel *kernel = name->packages; kernel; kernel = kernel->next) {
		if (kernel->target != question->release->target)
			continue;
		cite_note(cites, kernel->source, kernel->path, kernel->ref);
		if (!str_eq(kernel->package, last))
			list = JOIN_IF(!question->status_only, question, list, list.len ? STR(", ") : STR(""),
				kernel->package);
		last = kernel->package;
	}
	for (const struct package_fact *fact = name->package_facts; fact; fact = fact->next) {
		if (fact->target != question->release->target || !package_has_kernel(fact))
			continue;
		cite_note(cites, fact->source, fact->path, fact->last);
		if (!str_has(list, fact->installs))
			list = JOIN_IF(
				!question->status_only, question, list, list.len ? STR(", ") : STR(""), fact->installs);
	}
	return list;
}

/* A tag before another one; a branch or a commit, which has no number, after every tag. */
static bool is_earlier(struct str a, struct str b)
{
	bool a_tag = str_has(a, STR(".")), b_tag = str_has(b, STR("."));

	return a_tag != b_tag ? a_tag : str_natural_cmp(a, b) < 0;
}

/* From which version on the package that the answer names has a kernel. */
static void put_versions(const struct question *question, struct answer *ret)
{
	const struct package_fact *first = NULL;
	bool stays = false;

	for (size_t i = 0; i < ret->library.package_count && wants_texts(question); i++) {
		const struct package_fact *fact = ret->library.packages[i];

		if (!package_has_kernel(fact) || !str_eq(fact->installs, ret->package))
			continue;
		first = !first || is_earlier(fact->since, first->since) ? fact : first;
		stays |= !fact->removed;
	}
	if (!first)
		return;
	ret->library.since = first->since;
	ret->library.until = stays ? STR("") : first->last;
}

static void answer_needs_package(struct answer *ret, struct str package, struct str via)
{
	ret->status = OP_NEEDS_PACKAGE;
	ret->package = package;
	ret->via = via;
}

/* An operator whose kernels a package brings: whether it brings this one, and what happens without it. */
static void answer_package(const struct question *question, struct str package, bool shipped, struct answer *ret)
{
	if (!package.len) {
		ret->status = OP_UNKNOWN;
		ret->via = STR("no package for this device is known");
		return;
	}
	answer_needs_package(
		ret, package, shipped ? STR("kernel brought by a package") : STR("not known to be in the package"));
	ret->package_has_it = shipped;
	ret->detail = question->release->boxed ? STR("without it the operator runs on the CPU")
					       : STR("without it the operator raises");
}

/* An extension of a common name: one library's where others of its operators were recorded. */
static void answer_extension(const struct question *question, const struct name_facts *name,
	const struct namespace_rule *space, bool shipped, struct answer *ret)
{
	if (question->of_library) {
		answer_package(question, space->package[question->release->target], shipped, ret);
		return;
	}
	answer_needs_package(ret, name->ns, JOIN(question, STR("an extension named "), name->ns));
	ret->flags = FLAG_INFERRED;
}

/* Another vendor's. */
static void answer_foreign(const struct question *question, const struct namespace_rule *space, struct answer *ret)
{
	ret->status = OP_UNSUPPORTED;
	ret->via = JOIN(question, STR("not available on this device: "), space->remark);
}

/* The verdict on a name in a namespace that is known. */
static void answer_known(const struct question *question, const struct name_facts *name,
	const struct namespace_rule *space, struct str shipped, struct answer *ret)
{
	struct str package = space->package[question->release->target];

	ret->detail = space->remark;
	switch (space->kind) {
	case NAMESPACE_QUANTIZED:
		ret->status = OP_UNSUPPORTED;
		ret->via = STR("no kernel on the quantized key");
		break;
	case NAMESPACE_COMPOSITE:
		ret->status = OP_COMPOSITE;
		ret->flags = FLAG_INFERRED;
		ret->via = JOIN(question, STR("namespace "), name->ns);
		break;
	case NAMESPACE_COLLECTIVE:
	case NAMESPACE_INTERNAL:
		ret->status = OP_UNKNOWN;
		ret->via = JOIN(question, STR("namespace "), name->ns);
		break;
	case NAMESPACE_PLUGIN:
		if (!package.len) {
			answer_foreign(question, space, ret);
			break;
		}
		answer_needs_package(ret, package, STR("not registered by this release"));
		ret->detail = registered_elsewhere(question, name);
		break;
	case NAMESPACE_PACKAGE:
		answer_package(question, package, str_has(shipped, package), ret);
		break;
	case NAMESPACE_EXTENSION:
		answer_extension(question, name, space, str_has(shipped, package), ret);
		break;
	case NAMESPACE_TORCH:
		ret->status = OP_UNSUPPORTED;
		ret->flags = FLAG_INFERRED;
		ret->via = STR("an operator of PyTorch for which the plugin registers no kernel");
		break;
	case NAMESPACE_FOREIGN:
		answer_foreign(question, space, ret);
		break;
	}
}

int namespace_answer(
	const struct question *question, const struct name_facts *name, struct answer *ret, struct err *err)
{
	const struct namespace_rule *space = namespace_find(question->resolver->db, name->ns);
	struct cites cites = { 0 };
	struct str shipped = shipped_by(question, name, &cites);
	int code = 0;

	ret->status = OP_UNKNOWN;
	if (space && space->kind == NAMESPACE_PLUGIN && name->overloads)
		code = absent_instead(question, JOIN_IF(true, question, STR("aten::"), name->base),
			STR("the plugin's own operator, which is in aten before PyTorch 2.1"), ret, err);
	if (!code && ret->status == OP_UNKNOWN && space && space->kind == NAMESPACE_PLUGIN)
		code = absent_renamed(question, special_find(question->resolver->db, name->base), &cites, ret, err);
	if (code)
		return code;
	if (ret->status == OP_EQUIVALENT) {
		evidence_put(question, &cites, ret);
		return 0;
	}
	if (space) {
		answer_known(question, name, space, shipped, ret);
		if (space->kind == NAMESPACE_PLUGIN || space->kind == NAMESPACE_QUANTIZED)
			cite(&cites, question->release->list_source); /* the list in which it is missing */
		cite(&cites, space->source);
	} else if (shipped.len) {
		answer_needs_package(ret, shipped, STR("kernel brought by a package"));
		ret->package_has_it = true;
	} else {
		answer_needs_package(ret, name->ns, STR("unknown namespace"));
		ret->flags = FLAG_INFERRED; /* most packages are called like their namespace */
		ret->detail = registered_elsewhere(question, name);
	}
	put_versions(question, ret);
	evidence_put(question, &cites, ret);
	return 0;
}
