#include "check/lookup.h"

#include "base/mem.h"
#include "check/check.h"
#include "opdb/db/lists.h"
#include "report/doc_build.h"

struct draft {
	struct lookup *lookup;
	const struct lookup_answer *answer;
	const struct release *release;
	struct doc *doc;
};

/* --- pieces */

/* A sentence about the operator and its status on the target. */
static void add_sentence(struct draft *draft, const char *id)
{
	struct message message = message_of(id);

	message_add(&message, "operator", draft->lookup->name);
	message_add(
		&message, "status", doc_word_of(draft->doc, "status", op_status_name(draft->answer->verdict.status)));
	message_add(&message, "target", str_from(draft->answer->target->id));
	message_add(&message, "via", draft->answer->verdict.via);
	message_add(&message, "fallback", draft->release->fallback);
	message_add(&message, "since", draft->answer->verdict.since);
	message_add(&message, "build", opdb_info(resolver_db(draft->lookup->resolver))->build);
	message_add(&message, "version", str_from(check_version()));
	doc_message(draft->doc, &message);
}

static void put_sentence(struct draft *draft, const char *id)
{
	doc_open(draft->doc, BLOCK_PARAGRAPH);
	add_sentence(draft, id);
	doc_close(draft->doc);
}

static void put_version(struct draft *draft, const char *name, struct str value)
{
	if (!value.len)
		return;
	doc_open(draft->doc, BLOCK_ITEM);
	doc_printf(draft->doc, "%s: %.*s", name, STR_ARG(value));
	doc_close(draft->doc);
}

static void put_versions(struct draft *draft)
{
	const struct release *release = draft->release;
	struct str plugin = target_plugin_name(release->target);

	doc_section(draft->doc, "issue-versions");
	doc_open(draft->doc, BLOCK_LIST);
	put_version(draft, "PyTorch", release->torch);
	doc_open(draft->doc, BLOCK_ITEM);
	doc_printf(draft->doc, "%.*s: %.*s (%.*s, %.*s)", STR_ARG(plugin), STR_ARG(release->plugin),
		STR_ARG(release->ref), STR_ARG(release->commit));
	doc_close(draft->doc);
	put_version(draft, "CANN", release->cann);
	put_version(draft, "pip", release->pip);
	if (draft->answer->target->chip)
		put_version(draft, "chip", str_from(strrchr(draft->answer->target->id, ':') + 1));
	doc_close(draft->doc);
	doc_close(draft->doc);
}

static void put_evidence(struct draft *draft)
{
	const struct result_verdict *verdict = &draft->answer->verdict;

	doc_section(draft->doc, "issue-evidence");
	doc_open(draft->doc, BLOCK_LIST);
	for (size_t i = 0; i < verdict->evidence_count; i++) {
		doc_open(draft->doc, BLOCK_ITEM);
		doc_printf(draft->doc, "%.*s: ", STR_ARG(evidence_kind_name(verdict->evidence[i].kind)));
		doc_link(draft->doc, SPAN_PLAIN, verdict->evidence[i].ref, STR(""));
		doc_close(draft->doc);
	}
	doc_close(draft->doc);
	doc_close(draft->doc);
}

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
static int put_call(struct draft *draft, struct buf *out, struct err *err)
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
	buf_printf(out, "result = torch.ops.%.*s.%.*s.%.*s(", STR_ARG(ns), STR_ARG(base),
		STR_ARG(overload.len ? overload : STR("default")));
	if (answer.overload_count && answer.overloads[0].signature.len)
		put_arguments(out, answer.overloads[0].signature);
	buf_add(out, STR(")\nprint(result)\n"));
	return 0;
}

/* The part of a recipe's code that does it the old way, called on the device. */
static void put_before(struct buf *out, struct str code)
{
	size_t after = str_find(code, STR("\n\n\ndef after("));

	buf_add(out, after == STR_NONE ? code : str_sub(code, 0, after));
	buf_add(out, STR("\n\n\nfor case in cases():\n"));
	buf_add(out, STR("    moved = [c.to(device) if hasattr(c, \"to\") else c for c in case]\n"));
	buf_add(out, STR("    print(before(*moved))\n"));
}

static int put_reproduction(struct draft *draft, struct err *err)
{
	struct str kind = target_kind_name(draft->release->target), plugin = target_plugin_name(draft->release->target);
	const struct recipe_list *recipes = &draft->lookup->recipes;
	CLEANUP(buf_clear) struct buf code = BUF_UNLIMITED;
	int status = 0;

	doc_section(draft->doc, "issue-reproduction");
	if (!recipes->count)
		put_sentence(draft, "issue-arguments");
	buf_printf(&code, "%simport %.*s\n\ndevice = \"%.*s\"\n", recipes->count ? "" : "import torch\n",
		STR_ARG(plugin), STR_ARG(kind));
	if (recipes->count)
		put_before(&code, recipes->items[0].code);
	else
		status = put_call(draft, &code, err);
	doc_code(draft->doc, STR("python"), arena_keep(&draft->doc->arena, buf_str(&code)));
	doc_close(draft->doc);
	return status;
}

/* --- what can be done meanwhile */

static void put_recipe(struct doc *doc, const struct recipe *recipe)
{
	struct str sources = recipe->sources, source = { 0 };

	doc_open(doc, BLOCK_ITEM);
	doc_text(doc, doc->options.lang == LANG_ZH_CN ? recipe->advice_zh : recipe->advice_en);
	doc_open(doc, BLOCK_LIST);
	while (sources.len && str_cut(&sources, ' ', &source)) {
		doc_open(doc, BLOCK_ITEM);
		doc_link(doc, SPAN_PLAIN, source, STR(""));
		doc_close(doc);
	}
	doc_close(doc);
	doc_close(doc);
}

static void put_workaround(struct draft *draft)
{
	const struct recipe_list *recipes = &draft->lookup->recipes;

	doc_section(draft->doc, "issue-workaround");
	doc_open(draft->doc, BLOCK_LIST);
	for (size_t i = 0; i < recipes->count; i++)
		put_recipe(draft->doc, recipes->items[i].recipe);
	doc_close(draft->doc);
	doc_close(draft->doc);
}

/* --- the whole */

static void put_observed(struct draft *draft)
{
	bool on_device = judgement_runs_on_device(draft->answer->judgement.status);

	doc_section(draft->doc, "issue-observed");
	doc_open(draft->doc, BLOCK_PARAGRAPH);
	add_sentence(draft, "issue-observed-text");
	doc_break(draft->doc);
	add_sentence(draft, on_device ? "issue-on-device" : "issue-fallback");
	if (draft->answer->verdict.since.len) {
		doc_break(draft->doc);
		add_sentence(draft, "issue-since");
	}
	doc_close(draft->doc);
	doc_close(draft->doc);
}

static int put_draft(struct draft *draft, struct err *err)
{
	int status;

	doc_open(draft->doc, BLOCK_TITLE);
	add_sentence(draft, "issue-title");
	doc_close(draft->doc);
	put_versions(draft);
	put_observed(draft);
	doc_section(draft->doc, "issue-expected");
	put_sentence(draft, "issue-expected-text");
	doc_close(draft->doc);
	status = put_reproduction(draft, err);
	put_workaround(draft);
	put_evidence(draft);
	put_sentence(draft, "issue-seen");
	return status;
}

int lookup_put_issue(struct lookup *lookup, enum lang lang, struct buf *out, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < lookup->count && !status; i++) {
		struct doc doc = doc_new(DOC_MD, &(struct render_options){ .lang = lang });
		struct draft draft = { .lookup = lookup, .answer = &lookup->answers[i], .doc = &doc };

		doc.title_level = 1;
		draft.release = draft.answer->target->release;
		if (i)
			buf_add(out, STR("\n---\n\n"));
		status = put_draft(&draft, err);
		doc_put(&doc, out);
	}
	return status;
}
