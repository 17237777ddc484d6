#include "opdb/resolve/absent.h"

#include "base/memory/mem.h"
#include "opdb/db/lists.h"
#include "opdb/resolve/prove.h"

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

int absent_instead(
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

int absent_renamed(const struct question *question, const struct special *special, struct cites *cites,
	struct answer *ret, struct err *err)
{
	int code;

	if (question->reading != READING_REACHED || !special || !special->instead.len)
		return 0;
	code = absent_instead(question, special->instead, special->instead_reason, ret, err);
	if (ret->status == OP_EQUIVALENT)
		cite(cites, special->instead_source);
	return code;
}

/* The release's replacement of the name: another backend's branch, the plugin's namespace, the operator of other
   releases. */
static int find_instead(const struct question *question, const struct name_facts *name, struct cites *cites,
	struct answer *ret, struct err *err)
{
	const struct special *special = name->special;
	int code = 0;

	if (question->reading == READING_REACHED && name->known_in.len && special && rule_switches(special->rule))
		code = answer_switched(question, special->rule, cites, ret, err);
	if (!code && ret->status == OP_UNKNOWN && name->overloads)
		code = absent_instead(question, plugin_names(question, name),
			STR("the plugin's own operator, which is in its own namespace from PyTorch 2.1 on"), ret, err);
	if (!code && ret->status == OP_UNKNOWN)
		code = absent_renamed(question, special, cites, ret, err);
	return code;
}

/* Returns whether every version of PyTorch with the name is newer than the release's. */
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
	struct str elsewhere = known_in.len || overload.len ? STR("") : registered_elsewhere(question, name);
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
	if (elsewhere.len)
		ret->via = JOIN(question, ret->via, STR(": "), elsewhere);
	code = find_instead(question, name, &cites, ret, err);
	if (code)
		return code;
	if (ret->status == OP_UNKNOWN)
		cite(&cites, resolver->db->torch.items[question->release->torch_place].source);
	evidence_put(question, &cites, ret);
	return 0;
}
