#include "opdb/resolve/absent.h"

#include "base/mem.h"
#include "opdb/db/lists.h"
#include "opdb/resolve/prove.h"

/* --- names of aten */

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

/* Whether the release has one of these operators, joined by ';': then *ret is an answer that it runs instead. */
static int answer_instead(
	const struct question *question, struct str names, struct str via, struct answer *ret, struct err *err)
{
	struct backend_rule rule = { .mode = RULE_AUTO };
	struct str there = STR("");
	bool any = false;
	int code;

	rule.equivalents[question->release->target] = names;
	code = names.len ? prove_equivalents(question, &rule, &there, &any, err) : 0;
	if (code || !names.len || !any)
		return code;
	ret->status = OP_EQUIVALENT;
	ret->equivalents = there;
	ret->via = via;
	return 0;
}

/* Another backend's operator of another PyTorch, whose composite takes another branch on the target. */
static int answer_switched(const struct question *question, const struct backend_rule *rule, struct cites *cites,
	struct answer *ret, struct err *err)
{
	bool any;
	int code = prove_equivalents(question, rule, &ret->equivalents, &any, err);

	if (code || !any)
		return code;
	ret->status = OP_EQUIVALENT;
	ret->via = JOIN(question, STR("switched away: "), rule->specific_to, STR(" (name "), ret->detail, STR(")"));
	for (size_t i = 0; i < ARRAY_SIZE(rule->sources); i++)
		cite(cites, rule->sources[i]);
	return 0;
}

/* The same name in another namespace, of which the plugin's own operators have changed with PyTorch 2.1:
   "npu::add;...". */
static struct str plugin_names(const struct question *question, const struct name_facts *name)
{
	const struct opdb *db = question->resolver->db;
	struct str list = STR("");

	for (size_t i = 0; i < db->namespaces.count; i++) {
		const struct namespace_rule *space = &db->namespaces.items[i];

		if (space->kind == NAMESPACE_PLUGIN && space->package[question->release->target].len)
			list = JOIN_IF(
				true, question, list, list.len ? STR(";") : STR(""), space->ns, STR("::"), name->base);
	}
	return list;
}

/* What the release has in place of the name: another backend's branch, a body of another PyTorch, the plugin's
   namespace. */
static int find_instead(const struct question *question, const struct name_facts *name, struct cites *cites,
	struct answer *ret, struct err *err)
{
	const struct special *special = name->special;
	int code = 0;

	if (question->reading == READING_REACHED && name->known_in.len && special && rule_switches(special->rule))
		code = answer_switched(question, special->rule, cites, ret, err);
	if (!code && ret->status == OP_UNKNOWN && question->reading == READING_REACHED && special &&
		special->instead.len) {
		code = answer_instead(question, special->instead, special->instead_reason, ret, err);
		if (ret->status == OP_EQUIVALENT)
			cite(cites, special->instead_source);
	}
	if (!code && ret->status == OP_UNKNOWN && name->overloads)
		code = answer_instead(question, plugin_names(question, name),
			STR("the plugin's own operator, which is in its own namespace from PyTorch 2.1 on"), ret, err);
	return code;
}

/* Whether every version of PyTorch that has the name is newer than the release's. */
static bool is_newer(const struct question *question, const struct name_facts *name)
{
	for (unsigned place = 0; place <= question->release->torch_place; place++) {
		for (const struct overload *op = name->overloads; op; op = op->next) {
			if (torch_fact_at(op, place))
				return false;
		}
	}
	return true;
}

int absent_answer(const struct question *question, const struct name_facts *name, struct str overload,
	struct answer *ret, struct err *err)
{
	struct resolver *resolver = question->resolver;
	struct str known_in = overload.len ? overload_known_in(resolver, name, overload) : name->known_in;
	struct cites cites = { 0 };
	int code;

	ret->status = OP_UNKNOWN;
	ret->via = JOIN(question, overload.len ? STR("no such overload in PyTorch ") : STR("no such name in PyTorch "),
		question->release->torch);
	if (known_in.len && !overload.len)
		ret->via = JOIN(
			question, ret->via, is_newer(question, name) ? STR(": added later") : STR(": removed before"));
	if (known_in.len)
		ret->detail = JOIN(question, STR("known in "), known_in);
	code = find_instead(question, name, &cites, ret, err);
	if (code)
		return code;
	if (ret->status == OP_UNKNOWN)
		cite(&cites, resolver->db->torch.items[question->release->torch_place].source);
	evidence_put(question, &cites, ret);
	return 0;
}

/* --- other namespaces */

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
	return list;
}

/* The first and last release that register a name which this one does not; "" when none does. */
static struct str registered_elsewhere(const struct question *question, const struct name_facts *name)
{
	const struct opdb *db = question->resolver->db;
	const struct release *first = NULL, *last = NULL;

	for (size_t i = 0; i < db->releases.count && wants_texts(question); i++) {
		for (const struct overload *op = name->overloads; op; op = op->next) {
			if (!kernel_on(op, &db->releases.items[i], name->aten))
				continue;
			first = first ? first : &db->releases.items[i];
			last = &db->releases.items[i];
		}
	}
	if (!first)
		return STR("");
	if (first == last)
		return JOIN(question, STR("registered by "), first->id);
	return JOIN(question, STR("registered by releases from "), first->id, STR(" to "), last->id);
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
		answer_needs_package(
			ret, package.len ? package : space->package[TARGET_NPU], STR("not registered by this release"));
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
		ret->status = OP_UNSUPPORTED;
		ret->via = JOIN(question, STR("not available on this device: "), space->remark);
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
		code = answer_instead(question, JOIN_IF(true, question, STR("aten::"), name->base),
			STR("the plugin's own operator, which is in aten before PyTorch 2.1"), ret, err);
	if (code || ret->status == OP_EQUIVALENT)
		return code;
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
	evidence_put(question, &cites, ret);
	return 0;
}
