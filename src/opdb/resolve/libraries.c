#include "opdb/resolve/libraries.h"

#include <string.h>

#include "opdb/model/dtype.h"

/* More of one collective at one release than there are reduce operations. */
enum { MOST_ROWS = 32 };

/* The facts of the release, in the answer. */
static void put_collectives(const struct question *question, const struct name_facts *name, struct answer *ret)
{
	const struct collective_fact *found[MOST_ROWS], **kept;
	size_t count = 0;

	for (const struct collective_fact *fact = name->collectives; fact && count < MOST_ROWS; fact = fact->next) {
		if (collective_holds(fact, question->release))
			found[count++] = fact;
	}
	kept = arena_alloc(&question->resolver->arena, (count + 1) * sizeof(kept[0]));
	if (!kept) {
		question->resolver->full = true;
		return;
	}
	memcpy(kept, found, count * sizeof(kept[0]));
	ret->library.collectives = kept;
	ret->library.collective_count = count;
}

/* Facts of packages for the target. */
static void put_packages(const struct question *question, const struct name_facts *name, struct answer *ret)
{
	enum target_kind target = question->release->target;
	const struct package_fact **kept;
	size_t count = 0;

	for (const struct package_fact *fact = name->package_facts; fact; fact = fact->next)
		count += fact->target == target;
	kept = arena_alloc(&question->resolver->arena, (count + 1) * sizeof(kept[0]));
	if (!kept) {
		question->resolver->full = true;
		return;
	}
	for (const struct package_fact *fact = name->package_facts; fact; fact = fact->next) {
		if (fact->target == target)
			kept[ret->library.package_count++] = fact;
	}
	ret->library.packages = kept;
}

void libraries_put(const struct question *question, const struct name_facts *name, struct answer *ret)
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

void collective_answer(const struct question *question, struct answer *ret)
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
