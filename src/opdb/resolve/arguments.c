#include "opdb/resolve/arguments.h"

#include <string.h>

#include "opdb/resolve/evidence.h"

/* More of one operator than any has. */
enum { LIMITS = 64 };

static bool covers(const struct argument_limit *limit, const struct release *release)
{
	unsigned place = limit->by_release ? release->place : release->cann_place;

	return limit->target == release->target && (limit->by_release || release->has_units) && limit->first <= place &&
	       place <= limit->last;
}

bool argument_limit_alike(const struct argument_limit *limit, const struct release *a, const struct release *b)
{
	return covers(limit, a) == covers(limit, b);
}

/* Returns whether the release has the kernel of these checks: CANN's are those of a kernel that calls its API. */
static bool has_kernel(
	const struct question *question, const struct name_facts *name, const struct argument_limit *limit)
{
	const struct overload *overload = facts_overload(name, limit->op);
	const struct kernel *kernel = overload ? kernel_on(overload, question->release, name->aten) : NULL;

	return kernel && (limit->by_release || kernel->op_api);
}

static bool holds(const struct question *question, const struct name_facts *name, struct str overload,
	const struct argument_limit *limit)
{
	struct str family = question->chip ? question->chip->family : STR("910B");
	bool always = str_eq(limit->test, STR("always")); /* of a composite: a kernel would take its place */

	return covers(limit, question->release) &&
	       (!limit->chips || limit->chips & chips_named(limit->target, family)) &&
	       (!overload.len || str_eq(overload_of(limit->op), overload)) &&
	       has_kernel(question, name, limit) != always;
}

static void append_limits(
	struct resolver *resolver, const struct argument_limit *const *more, size_t count, struct answer *ret)
{
	size_t all = ret->argument_count + count;
	const struct argument_limit **kept = count ? resolver_alloc(resolver, all * sizeof(kept[0])) : NULL;

	if (!kept)
		return;
	if (ret->argument_count)
		memcpy(kept, ret->arguments, ret->argument_count * sizeof(kept[0]));
	memcpy(kept + ret->argument_count, more, count * sizeof(kept[0]));
	ret->arguments = kept;
	ret->argument_count = all;
}

void arguments_apply(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret)
{
	const struct argument_limit *found[LIMITS];
	size_t count = 0;

	if (op_status_class(ret->status) != CLASS_DEVICE)
		return;
	for (const struct argument_limit *limit = name->arguments; limit && count < LIMITS; limit = limit->next) {
		if (holds(question, name, overload, limit))
			found[count++] = limit;
	}
	append_limits(question->resolver, found, count, ret);
}

int resolve_argument_texts(struct resolver *resolver, const struct target *target, struct answer *ret, struct err *err)
{
	struct question question = { .resolver = resolver, .release = target->release, .chip = target->chip };
	struct str *refs = resolver_alloc(resolver, (ret->argument_count + 1) * sizeof(refs[0]));

	for (size_t i = 0; refs && i < ret->argument_count; i++) {
		const struct argument_limit *limit = ret->arguments[i];
		struct cite made = { .source = limit->source, .note = limit->path, .ref = limit->ref };
		struct answer found = { .evidence = NULL };

		evidence_add(&question, &made, EVIDENCE_SOURCE, &found);
		refs[i] = found.evidence_count ? found.evidence[0].ref : STR("");
	}
	ret->argument_refs = refs;
	return resolver_check(resolver, err);
}

void arguments_join(struct resolver *resolver, const struct answer *leaf, struct answer *ret)
{
	for (size_t i = 0; i < leaf->argument_count && ret->argument_count < LIMITS; i++) {
		bool there = false;

		for (size_t other = 0; other < ret->argument_count && !there; other++)
			there = ret->arguments[other] == leaf->arguments[i];
		append_limits(resolver, &leaf->arguments[i], !there, ret);
	}
}
