#include "check/issue.h"

#include "base/memory/mem.h"
#include "check/check.h"
#include "opdb/db/lists.h"
#include "report/doc/doc_put.h"
#include "report/sections/vendor_issue.h"

/* --- a program that shows it */

/* Values for arguments without a default, by type, that most operators take. */
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
static int put_call(struct lookup *lookup, const struct target *target, struct buf *out, struct err *err)
{
	size_t ns_len = str_find(lookup->name, STR("::"));
	struct str ns = str_sub(lookup->name, 0, ns_len), base = str_skip(lookup->name, ns_len + 2), overload = { 0 },
		   name;
	struct answer answer = { 0 };
	struct op_query query = { ns, base, lookup->overload, READING_EXPLICIT };
	int status = resolve_base(lookup->resolver, target, &query, &answer, err);

	if (status)
		return status;
	name = answer.overload_count ? answer.overloads[0].name : base;
	overload = name;
	str_cut(&overload, '.', &base);
	buf_printf(out, "result = torch.ops.%.*s.%.*s.%.*s(", STR_ARG(ns), STR_ARG(base),
		STR_ARG(overload.len ? overload : STR("default")));
	if (answer.overload_count && answer.overloads[0].signature.len)
		put_arguments(out, answer.overloads[0].signature);
	buf_add(out, STR(")\nprint(result)\n"));
	return 0;
}

static int put_program(
	struct doc *doc, struct lookup *lookup, const struct target *target, struct vendor_issue *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf code = BUF_UNLIMITED;
	struct str id = str_from(target->id);
	int status;

	if (lookup->recipes.count) {
		ret->code = issue_code_of_recipe(doc, id, lookup->recipes.items[0].code);
		return 0;
	}
	buf_add(&code, STR("import torch\n"));
	issue_put_device(&code, id);
	status = put_call(lookup, target, &code, err);
	ret->code = arena_keep(&doc->arena, buf_str(&code));
	ret->invented = true;
	return status;
}

/* --- the whole */

static void put_ways(struct doc *doc, const struct recipe_list *recipes, struct vendor_issue *ret)
{
	struct issue_way *ways = arena_alloc(&doc->arena, (recipes->count + 1) * sizeof(ways[0]));

	for (size_t i = 0; i < recipes->count; i++) {
		const struct recipe *recipe = &recipes->items[i].recipe;

		ways[i] = (struct issue_way){ doc->options.lang == LANG_ZH_CN ? recipe->advice_zh : recipe->advice_en,
			recipe->sources };
	}
	ret->ways = ways;
	ret->way_count = recipes->count;
}

static int put_draft(struct doc *doc, struct lookup *lookup, const struct lookup_answer *answer, struct err *err)
{
	const struct release *release = answer->target->release;
	const struct issue_version versions[] = { { STR("PyTorch"), release->torch },
		{ target_plugin_name(release->target), doc_format_of(doc, "%.*s (%.*s, %.*s)", STR_ARG(release->plugin),
							       STR_ARG(release->ref), STR_ARG(release->commit)) },
		{ STR("CANN"), release->cann }, { STR("pip"), release->pip },
		{ STR("chip"), str_from(answer->target->chip ? strrchr(answer->target->id, ':') + 1 : "") } };
	struct vendor_issue issue = { .operator_name = lookup->name,
		.verdict = &answer->judgement.verdict,
		.versions = versions,
		.version_count = ARRAY_SIZE(versions),
		.fallback = release->fallback,
		.tool = str_from(check_version()),
		.build = opdb_info(resolver_db(lookup->resolver))->build };
	int status = put_program(doc, lookup, answer->target, &issue, err);

	put_ways(doc, &lookup->recipes, &issue);
	vendor_issue_build(doc, &issue);
	return status;
}

int lookup_put_issue(struct lookup *lookup, enum lang lang, struct buf *out, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < lookup->count && !status; i++) {
		struct doc doc = doc_new(DOC_MD, &(struct render_options){ .lang = lang });

		doc.title_level = 1;
		if (i)
			buf_add(out, STR("\n---\n\n"));
		status = put_draft(&doc, lookup, &lookup->answers[i], err);
		doc_put(&doc, out);
	}
	return status;
}
