#include "opdb/resolve/held.h"

#include "opdb/resolve/arguments.h"

void resolver_watch(struct resolver *resolver, const struct name_facts *name)
{
	resolver->facts.watch = (struct watch){ .on = true };
	if (name)
		facts_watch(&resolver->facts, name);
}

/* --- of one overload: all that statuses, flags and types are taken from */

static bool same_torch(const struct torch_fact *a, const struct torch_fact *b)
{
	return a == b ||
	       (a && b && a->kind == b->kind && a->has == b->has && a->layouts == b->layouts &&
		       str_eq(a->structured_delegate, b->structured_delegate) && str_eq(a->autogen_of, b->autogen_of));
}

static bool takes_data(const struct signature *signature)
{
	return signature && str_starts(signature->text, STR("(Tensor"));
}

static bool same_signature(const struct signature *a, const struct signature *b)
{
	return a == b || (takes_data(a) == takes_data(b) && (a && a->dimname) == (b && b->dimname));
}

static bool same_kernel(const struct kernel *a, const struct kernel *b)
{
	return a->key == b->key && a->status == b->status && a->acl_op == b->acl_op && a->op_api == b->op_api &&
	       a->acl_wrapper == b->acl_wrapper && a->structured == b->structured && a->layout == b->layout &&
	       !a->host_path.len == !b->host_path.len && str_eq(a->origin, b->origin);
}

/* Returns whether each registration of one release is one of the other, or is like one. */
static bool registered_alike(const struct overload *op, const struct release *here, const struct release *there)
{
	for (const struct kernel *kernel = op->kernels; kernel; kernel = kernel->next) {
		const struct kernel *like = op->kernels;

		if (!kernel_holds(kernel, here) || kernel_holds(kernel, there))
			continue;
		while (like && !(kernel_holds(like, there) && same_kernel(kernel, like)))
			like = like->next;
		if (!like)
			return false;
	}
	return true;
}

static bool overload_alike(const struct overload *op, const struct release *a, const struct release *b)
{
	return (a->torch_place == b->torch_place ||
		       (same_torch(torch_fact_at(op, a->torch_place), torch_fact_at(op, b->torch_place)) &&
			       same_signature(signature_at(op, a->torch_place), signature_at(op, b->torch_place)))) &&
	       registered_alike(op, a, b) && registered_alike(op, b, a);
}

/* --- of a name */

static bool note_alike(const struct opdb *db, const struct note *note, const struct release *a, const struct release *b)
{
	if (note->target != a->target)
		return true;
	if (!note->document)
		return release_set_has(&note->releases, a) == release_set_has(&note->releases, b);
	if (!a->has_document || (a->document == b->document && a->own_document == b->own_document))
		return true;
	return documents_have(note->documents, a) == documents_have(note->documents, b) &&
	       (a->own_document == b->own_document || !documents_have(note->documents, a)) &&
	       documents_of_plugin(db, note->documents, a) == documents_of_plugin(db, note->documents, b);
}

static bool name_alike(const struct resolver *resolver, const struct name_facts *name, const struct release *a,
	const struct release *b)
{
	const struct note *note = resolver->facts.watch.notes ? name->notes : NULL;

	if ((name->packages || name->package_facts) && a->torch_place != b->torch_place)
		return false; /* versions of packages are for versions of PyTorch */
	for (const struct overload *op = name->overloads; op; op = op->next) {
		if (!overload_alike(op, a, b))
			return false;
	}
	for (; note; note = note->next) {
		if (!note_alike(resolver->db, note, a, b))
			return false;
	}
	for (const struct argument_limit *limit = name->arguments; limit; limit = limit->next) {
		if (!argument_limit_alike(limit, a, b))
			return false;
	}
	for (const struct collective_fact *fact = name->collectives; fact; fact = fact->next) {
		if (collective_holds(fact, a) != collective_holds(fact, b))
			return false;
	}
	return true;
}

/* --- of all */

/* Rules about types end at a release, whatever is known of the names. */
static bool rules_alike(const struct opdb *db, const struct release *a, const struct release *b)
{
	return ALL(i, db->dtype_rules.count,
		db->dtype_rules.items[i].note.target != a->target ||
			(a->place < db->dtype_rules.items[i].until) == (b->place < db->dtype_rules.items[i].until));
}

/* Properties of releases that the resolver reads. */
static bool release_alike(const struct release *a, const struct release *b, bool units)
{
	return a->target == b->target && a->xla == b->xla && (!a->xla || a->torch_place == b->torch_place) &&
	       a->boxed == b->boxed && a->has_document == b->has_document && a->has_units == b->has_units &&
	       (!units || (a->cann_place == b->cann_place && a->own_cann == b->own_cann));
}

static bool all_alike(const struct resolver *resolver, const struct release *a, const struct release *b)
{
	const struct watch *watch = &resolver->facts.watch;
	bool alike = release_alike(a, b, watch->units) && (!watch->notes || rules_alike(resolver->db, a, b));

	for (size_t i = 0; i < watch->count && alike; i++)
		alike = name_alike(resolver, watch->names[i], a, b);
	return alike;
}

const struct release *resolver_held_until(struct resolver *resolver, const struct release *asked)
{
	const struct opdb *db = resolver->db;
	const struct release *last = asked, *end = db->releases.items + db->releases.count;

	resolver->facts.watch.on = false;
	if (resolver->facts.watch.full || db->overlays)
		return asked;
	while (last + 1 < end && all_alike(resolver, last, last + 1))
		last++;
	return last;
}
