#include "opdb/resolve/namespace.h"

#include "opdb/db/lists.h"
#include "opdb/resolve/absent.h"
#include "opdb/resolve/packages.h"

/* An operator that a package has for the release's PyTorch. */
static void answer_shipped(const struct question *question, struct str package, struct answer *ret)
{
	ret->status = OP_NEEDS_PACKAGE;
	ret->package = package;
	ret->via = STR("kernel brought by a package");
	ret->detail = question->release->boxed ? STR("without it the operator runs on the CPU")
					       : STR("without it the operator raises");
}

/* A namespace whose package is known: unknown where no version for the release's PyTorch is known to have the operator.
   shipped: the packages that have it. */
static void answer_package(
	const struct question *question, const struct namespace_rule *space, struct str shipped, struct answer *ret)
{
	struct str package = space->package[question->release->target];

	if (shipped.len) {
		answer_shipped(question, package.len && str_has(shipped, package) ? package : shipped, ret);
		return;
	}
	ret->status = OP_UNKNOWN;
	ret->via = package.len ? JOIN(question, STR("no version of "), package, STR(" for PyTorch "),
					 question->release->torch, STR(" is known to have it"))
			       : STR("no package for this device is known");
}

/* A namespace that no source covers: most packages are called like theirs. */
static void answer_uncovered(
	const struct question *question, const struct name_facts *name, struct str via, struct answer *ret)
{
	ret->status = OP_UNKNOWN;
	ret->flags = FLAG_INFERRED;
	ret->package = name->ns;
	ret->via = via;
	ret->detail = registered_elsewhere(question, name);
}

/* Another vendor's. */
static void answer_foreign(const struct question *question, const struct namespace_rule *space, struct answer *ret)
{
	ret->status = OP_UNSUPPORTED;
	ret->via = JOIN(question, STR("not available on this device: "), space->remark);
}

/* The plugin's own, which this release lacks. */
static void answer_plugin(const struct question *question, const struct name_facts *name,
	const struct namespace_rule *space, struct answer *ret)
{
	if (!space->package[question->release->target].len) {
		answer_foreign(question, space, ret);
		return;
	}
	ret->status = OP_UNSUPPORTED;
	ret->via = STR("not registered by this release");
	ret->detail = registered_elsewhere(question, name);
}

/* The verdict on a name in a namespace that is known. */
static void answer_known(const struct question *question, const struct name_facts *name,
	const struct namespace_rule *space, struct str shipped, struct answer *ret)
{
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
		answer_plugin(question, name, space, ret);
		break;
	case NAMESPACE_EXTENSION:
		if (question->of_library)
			answer_package(question, space, shipped, ret);
		else
			answer_uncovered(question, name, JOIN(question, STR("an extension named "), name->ns), ret);
		break;
	case NAMESPACE_PACKAGE:
		answer_package(question, space, shipped, ret);
		break;
	case NAMESPACE_TORCH:
		ret->status = OP_UNSUPPORTED;
		ret->flags = FLAG_INFERRED;
		ret->via = STR("an operator of PyTorch for which the plugin registers no kernel");
		break;
	case NAMESPACE_FOREIGN:
		answer_foreign(question, space, ret);
		break;
	case NAMESPACE_VENDOR:
		ret->status = OP_EQUIVALENT;
		ret->flags = FLAG_INFERRED;
		ret->via = JOIN(question, STR("not called on this device: "), space->remark);
		break;
	}
}

int namespace_answer(
	const struct question *question, const struct name_facts *name, struct answer *ret, struct err *err)
{
	const struct namespace_rule *space = namespace_find(question->resolver->db, name->ns, name->base);
	struct cites cites = { 0 };
	struct str shipped = packages_for(question, name, &cites);
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
		answer_shipped(question, shipped, ret);
	} else {
		answer_uncovered(question, name, STR("unknown namespace"), ret);
	}
	if (ret->status == OP_NEEDS_PACKAGE)
		packages_put_versions(question, name, ret);
	evidence_put(question, &cites, ret);
	return 0;
}
