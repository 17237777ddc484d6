#include "opdb/resolve/packages.h"

#include "base/view/ascii.h"
#include "opdb/db/handle.h"

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

struct str packages_for(const struct question *question, const struct name_facts *name, struct cites *cites)
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

void packages_put_versions(const struct question *question, const struct name_facts *name, struct answer *ret)
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
