#include "check/lookup.h"

#include "base/mem.h"
#include "check/check.h"
#include "opdb/db/lists.h"

struct draft {
	struct lookup *lookup;
	const struct lookup_answer *answer;
	const struct release *release;
	enum lang lang;
	struct buf *out;
};

/* --- pieces */

static void put_heading(struct draft *draft, const char *id)
{
	struct str text = catalog_text(draft->lang, str_from(id));

	buf_printf(draft->out, "\n## %.*s\n\n", STR_ARG(text));
}

static struct str status_text(const struct draft *draft)
{
	CLEANUP(buf_clear) struct buf id = BUF_INIT(64);

	buf_printf(&id, "status.%.*s", STR_ARG(op_status_name(draft->answer->verdict.status)));
	return catalog_text(draft->lang, buf_str(&id));
}

/* A sentence about the operator and its status on the target. */
static void put_sentence(struct draft *draft, const char *id)
{
	struct message message = message_of(id);

	message_add(&message, "operator", draft->lookup->name);
	message_add(&message, "status", status_text(draft));
	message_add(&message, "target", str_from(draft->answer->target->id));
	message_add(&message, "via", draft->answer->verdict.via);
	message_add(&message, "fallback", draft->release->fallback);
	message_add(&message, "since", draft->answer->verdict.since);
	message_add(&message, "build", opdb_info(resolver_db(draft->lookup->resolver))->build);
	message_add(&message, "version", str_from(check_version()));
	catalog_put(draft->out, draft->lang, &message);
	buf_byte(draft->out, '\n');
}

static void put_version(struct draft *draft, const char *name, struct str value)
{
	if (value.len)
		buf_printf(draft->out, "- %s: %.*s\n", name, STR_ARG(value));
}

static void put_versions(struct draft *draft)
{
	const struct release *release = draft->release;
	struct str plugin = target_plugin_name(release->target);

	put_heading(draft, "issue-versions");
	put_version(draft, "PyTorch", release->torch);
	buf_printf(draft->out, "- %.*s: %.*s (%.*s, %.*s)\n", STR_ARG(plugin), STR_ARG(release->plugin),
		STR_ARG(release->ref), STR_ARG(release->commit));
	put_version(draft, "CANN", release->cann);
	put_version(draft, "pip", release->pip);
	if (draft->answer->target->chip)
		put_version(draft, "chip", str_from(strrchr(draft->answer->target->id, ':') + 1));
}

static void put_evidence(struct draft *draft)
{
	const struct result_verdict *verdict = &draft->answer->verdict;

	if (!verdict->evidence_count)
		return;
	put_heading(draft, "issue-evidence");
	for (size_t i = 0; i < verdict->evidence_count; i++)
		buf_printf(draft->out, "- %.*s: %.*s\n", STR_ARG(evidence_kind_name(verdict->evidence[i].kind)),
			STR_ARG(verdict->evidence[i].ref));
}

/* --- a program that shows it */

/* What stands for an argument of a type that has no default: a value that most operators take. */
static struct str sample_of(struct str type)
{
	static const struct {
		const char *type, *value;
	} samples[] = { { "Tensor?[", "[torch.zeros(1, dtype=torch.long, device=device)]" }, { "Tensor?", "None" },
		{ "Tensor(", "torch.rand(4, 4, device=device)" }, { "Tensor[", "[torch.rand(4, 4, device=device)]" },
		{ "Tensor", "torch.rand(4, 4, device=device)" }, { "SymInt[", "[1]" }, { "int[", "[1]" },
		{ "SymInt", "1" }, { "int", "1" }, { "float", "0.5" }, { "bool[", "[True]" }, { "bool", "False" },
		{ "ScalarType", "torch.float32" }, { "Scalar", "1" }, { "str", "\"none\"" } };

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		if (str_starts(type, str_from(samples[i].type)))
			return str_from(samples[i].value);
	}
	return STR("None");
}

/* The arguments of "(Tensor self, int dim=0, *, bool x) -> Tensor" that have to be given. */
static void put_arguments(struct buf *out, struct str signature)
{
	struct str rest = str_sub(signature, 1, str_find(signature, STR(") ->"))), argument = { 0 };
	bool named = false, begun = false;

	while (rest.len && str_cut(&rest, ',', &argument)) {
		struct str type = str_trim(argument), name;
		size_t space = str_find(type, STR(" "));

		named |= str_eq(type, STR("*"));
		if (space == STR_NONE || str_has(type, STR("=")))
			continue;
		name = str_skip(type, space + 1);
		buf_add(out, begun ? STR(", ") : STR(""));
		if (named)
			buf_printf(out, "%.*s=", STR_ARG(name));
		buf_add(out, sample_of(type));
		begun = true;
	}
}

/* The overload that a program would call: the first that is not aside. */
static int put_call(struct draft *draft, struct err *err)
{
	struct lookup *lookup = draft->lookup;
	size_t ns_len = str_find(lookup->name, STR("::"));
	struct str ns = str_sub(lookup->name, 0, ns_len), base = str_skip(lookup->name, ns_len + 2), overload = { 0 },
		   name;
	struct answer answer = { 0 };
	struct op_query query = { ns, base, lookup->overload, READING_EXPLICIT };
	int status = resolve_base(lookup->resolver, draft->answer->target, &query, &answer, err);

	if (status)
		return status;
	name = answer.overload_count ? answer.overloads[0].name : base;
	overload = name;
	str_cut(&overload, '.', &base);
	buf_printf(draft->out, "result = torch.ops.%.*s.%.*s.%.*s(", STR_ARG(ns), STR_ARG(base),
		STR_ARG(overload.len ? overload : STR("default")));
	if (answer.overload_count && answer.overloads[0].signature.len)
		put_arguments(draft->out, answer.overloads[0].signature);
	buf_add(draft->out, STR(")\nprint(result)\n"));
	return 0;
}

/* The part of a recipe's code that does it the old way, called on the device. */
static void put_before(struct draft *draft, struct str code)
{
	size_t after = str_find(code, STR("\n\n\ndef after("));

	buf_add(draft->out, after == STR_NONE ? code : str_sub(code, 0, after));
	buf_add(draft->out, STR("\n\n\nfor case in cases():\n"));
	buf_add(draft->out, STR("    moved = [c.to(device) if hasattr(c, \"to\") else c for c in case]\n"));
	buf_add(draft->out, STR("    print(before(*moved))\n"));
}

static int put_reproduction(struct draft *draft, struct err *err)
{
	struct str kind = target_kind_name(draft->release->target), plugin = target_plugin_name(draft->release->target);
	const struct recipe_list *recipes = &draft->lookup->recipes;
	int status = 0;

	put_heading(draft, "issue-reproduction");
	if (!recipes->count)
		put_sentence(draft, "issue-arguments");
	buf_printf(draft->out, "```python\n%simport %.*s\n\ndevice = \"%.*s\"\n",
		recipes->count ? "" : "import torch\n", STR_ARG(plugin), STR_ARG(kind));
	if (recipes->count)
		put_before(draft, recipes->items[0].code);
	else
		status = put_call(draft, err);
	buf_add(draft->out, STR("```\n"));
	return status;
}

/* --- what can be done meanwhile */

static void put_workaround(struct draft *draft)
{
	const struct recipe_list *recipes = &draft->lookup->recipes;
	struct str sources, source = { 0 };

	if (!recipes->count)
		return;
	put_heading(draft, "issue-workaround");
	for (size_t i = 0; i < recipes->count; i++) {
		const struct recipe *recipe = recipes->items[i].recipe;
		struct str text = draft->lang == LANG_ZH_CN ? recipe->advice_zh : recipe->advice_en;

		buf_printf(draft->out, "- %.*s\n", STR_ARG(text));
		sources = recipe->sources;
		while (sources.len && str_cut(&sources, ' ', &source))
			buf_printf(draft->out, "  - %.*s\n", STR_ARG(source));
	}
}

/* --- the whole */

static int put_draft(struct draft *draft, struct err *err)
{
	int status;

	buf_add(draft->out, STR("# "));
	put_sentence(draft, "issue-title");
	put_versions(draft);
	put_heading(draft, "issue-observed");
	put_sentence(draft, "issue-observed-text");
	put_sentence(draft,
		judgement_runs_on_device(draft->answer->judgement.status) ? "issue-on-device" : "issue-fallback");
	if (draft->answer->verdict.since.len)
		put_sentence(draft, "issue-since");
	put_heading(draft, "issue-expected");
	put_sentence(draft, "issue-expected-text");
	status = put_reproduction(draft, err);
	put_workaround(draft);
	put_evidence(draft);
	buf_byte(draft->out, '\n');
	put_sentence(draft, "issue-seen");
	return status;
}

int lookup_put_issue(struct lookup *lookup, enum lang lang, struct buf *out, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < lookup->count && !status; i++) {
		struct draft draft = { .lookup = lookup, .answer = &lookup->answers[i], .lang = lang, .out = out };

		draft.release = draft.answer->target->release;
		if (i)
			buf_add(out, STR("\n---\n\n"));
		status = put_draft(&draft, err);
	}
	return status;
}
