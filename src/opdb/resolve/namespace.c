#include "opdb/resolve/namespace.h"

#include "base/view/ascii.h"
#include "opdb/db/handle.h"
#include "opdb/db/lists.h"
#include "opdb/resolve/absent.h"

/* --- packages that bring an operator */

/* A tag before another one; a branch or a commit, which has no number, after every tag. */
static bool is_earlier(struct str a, struct str b)
{
	bool a_tag = str_has(a, STR(".")), b_tag = str_has(b, STR("."));

	return a_tag != b_tag ? a_tag : str_natural_cmp(a, b) < 0;
}

static bool fact_has(const struct package_fact *fact, struct str version)
{
	return !version.len || (!is_earlier(version, fact->since) && !is_earlier(fact->last, version));
}

/* Returns whether a version of a package has a kernel of the name. */
static bool has_kernel(const struct name_facts *name, enum target_kind target, const struct package_build *build)
{
	for (const struct package_kernel *kernel = name->packages; kernel; kernel = kernel->next) {
		if (kernel->target == target && str_eq(kernel->package, build->package) &&
			(!build->version.len || str_has_word(kernel->refs, build->version)))
			return true;
	}
	for (const struct package_fact *fact = name->package_facts; fact; fact = fact->next) {
		if (fact->target == target && package_has_kernel(fact) && str_eq(fact->installs, build->package) &&
			fact_has(fact, build->version))
			return true;
	}
	return false;
}

/* A later tag is better, and any tag better than a branch. */
static bool is_better(const struct package_build *build, const struct package_build *than)
{
	bool tag = str_has(build->version, STR("."));

	return tag == str_has(than->version, STR(".")) ? is_earlier(than->version, build->version) : tag;
}

/* The best version of a package that has the name and is for the release's PyTorch, or NULL. */
static const struct package_build *build_for(
	const struct question *question, const struct name_facts *name, struct str package)
{
	const struct release *release = question->release;
	const struct opdb *db = question->resolver->db;
	const struct package_build *best = NULL;

	for (size_t i = 0; i < db->package_builds.count; i++) {
		const struct package_build *build = &db->package_builds.items[i];

		if (str_eq(build->package, package) && release->torch_place >= build->first &&
			release->torch_place <= build->last && has_kernel(name, release->target, build) &&
			(!best || is_better(build, best)))
			best = build;
	}
	return best;
}

/* Adds a package to the list, once. */
static void add_package(const struct question *question, const struct name_facts *name, struct str package,
	struct cites *cites, struct str *list)
{
	const struct package_build *build = str_has(*list, package) ? NULL : build_for(question, name, package);

	if (!build)
		return;
	cite_note(cites, build->source, STR(""), build->version);
	*list = list->len ? JOIN_IF(true, question, *list, STR(", "), package) : package;
}

/* Those of the release's target that have a version for its PyTorch with the operator, joined by ", "; "": none. Cites
   where kernels and versions were read. */
static struct str packages_for(const struct question *question, const struct name_facts *name, struct cites *cites)
{
	enum target_kind target = question->release->target;
	struct str list = STR("");

	for (const struct package_kernel *kernel = name->packages; kernel; kernel = kernel->next) {
		struct str refs = kernel->refs, first = { 0 };

		if (kernel->target != target)
			continue;
		str_cut(&refs, ' ', &first);
		cite_note(cites, kernel->source, kernel->path, first);
		add_package(question, name, kernel->package, cites, &list);
	}
	for (const struct package_fact *fact = name->package_facts; fact; fact = fact->next) {
		if (fact->target != target || !package_has_kernel(fact))
			continue;
		cite_note(cites, fact->source, fact->path, fact->last);
		add_package(question, name, fact->installs, cites, &list);
	}
	return list;
}

/* Versions of the answer's package that have the operator. */
static void packages_put_versions(const struct question *question, const struct name_facts *name, struct answer *ret)
{
	const struct package_build *build = build_for(question, name, ret->package);
	const struct package_fact *first = NULL;
	bool stays = false;

	ret->library.version = build ? build->version : STR("");
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

/* --- the answer */

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
