#include "report/sections/vendor_issue.h"

#include "base/memory/mem.h"
#include "opdb/model/release.h"
#include "report/sections/operator_details.h"

/* A sentence about the operator and its status on the target. */
static struct str sentence_of(struct doc *doc, const struct vendor_issue *issue, const char *id)
{
	const struct result_verdict *verdict = issue->verdict;

	return doc_text_with(doc, id, BLANK("operator", issue->operator_name),
		BLANK("status", doc_word_of(doc, "status", op_status_name(verdict->status))),
		BLANK("target", verdict->target), BLANK("via", verdict->via), BLANK("fallback", issue->fallback),
		BLANK("since", verdict->since), BLANK("build", issue->build), BLANK("version", issue->tool));
}

/* The title with the status; of an operator that runs, with what the finding says of it. */
static struct str title_of(struct doc *doc, const struct vendor_issue *issue)
{
	struct str status = doc_word_of(doc, "status", op_status_name(issue->verdict->status)),
		   id = doc_format_of(doc, "issue-fails.%s", issue->rule ? issue->rule : "");
	bool runs = op_status_class(issue->verdict->status) == CLASS_DEVICE && catalog_has(LANG_EN, id);

	return doc_text_with(doc, "issue-title", BLANK("operator", issue->operator_name),
		BLANK("status", runs ? catalog_text(doc->options.lang, id) : status),
		BLANK("target", issue->verdict->target));
}

static void put_sentence(struct doc *doc, const struct vendor_issue *issue, const char *id)
{
	doc_say_styled(doc, BLOCK_PARAGRAPH, SPAN_PLAIN, sentence_of(doc, issue, id));
}

static void put_versions(struct doc *doc, const struct vendor_issue *issue)
{
	doc_section(doc, "issue-versions");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < issue->version_count; i++) {
		const struct issue_version *version = &issue->versions[i];

		if (version->value.len)
			doc_say_styled(doc, BLOCK_ITEM, SPAN_PLAIN,
				doc_format_of(doc, "%.*s: %.*s", STR_ARG(version->name), STR_ARG(version->value)));
	}
	doc_close(doc);
	doc_close(doc);
}

static void put_observed(struct doc *doc, const struct vendor_issue *issue)
{
	bool on_device = op_status_class(issue->verdict->status) == CLASS_DEVICE;

	doc_section(doc, "issue-observed");
	if (issue->said.len)
		doc_say_styled(doc, BLOCK_PARAGRAPH, SPAN_PLAIN, issue->said);
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_text(doc, sentence_of(doc, issue, "issue-observed-text"));
	if (!on_device || !issue->said.len) {
		doc_break(doc);
		doc_text(doc, sentence_of(doc, issue, on_device ? "issue-on-device" : "issue-fallback"));
	}
	if (issue->verdict->since.len) {
		doc_break(doc);
		doc_text(doc, sentence_of(doc, issue, "issue-since"));
	}
	doc_close(doc);
	doc_close(doc);
}

static void put_reproduction(struct doc *doc, const struct vendor_issue *issue)
{
	doc_section(doc, "issue-reproduction");
	if (issue->invented)
		put_sentence(doc, issue, "issue-arguments");
	if (issue->code.len)
		doc_code(doc, STR("python"), issue->code);
	if (issue->call_count)
		put_sentence(doc, issue, "issue-recorded");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < issue->call_count; i++)
		shape_build(doc, &issue->calls[i]);
	doc_close(doc);
	doc_close(doc);
}

static void put_way(struct doc *doc, const struct issue_way *way)
{
	struct str sources = way->sources, source = { 0 };

	doc_open(doc, BLOCK_ITEM);
	doc_text(doc, way->text);
	doc_open(doc, BLOCK_LIST);
	while (sources.len && str_cut(&sources, ' ', &source)) {
		doc_say_link(doc, BLOCK_ITEM, SPAN_PLAIN, source, STR(""));
	}
	doc_close(doc);
	doc_close(doc);
}

static void put_evidence(struct doc *doc, const struct result_verdict *verdict)
{
	doc_section(doc, "issue-evidence");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < verdict->evidence_count; i++) {
		const struct result_evidence *evidence = &verdict->evidence[i];

		doc_open(doc, BLOCK_ITEM);
		doc_printf(doc, "%.*s: ", STR_ARG(doc_word_of(doc, "evidence", evidence_kind_name(evidence->kind))));
		if (evidence->ref.len)
			doc_link(doc, SPAN_PLAIN, evidence->ref, STR(""));
		else
			doc_text(doc, evidence->text);
		doc_close(doc);
	}
	doc_close(doc);
	doc_close(doc);
}

void vendor_issue_build(struct doc *doc, const struct vendor_issue *issue)
{
	doc_say_styled(doc, BLOCK_TITLE, SPAN_PLAIN, title_of(doc, issue));
	put_versions(doc, issue);
	put_observed(doc, issue);
	doc_section(doc, "issue-expected");
	put_sentence(doc, issue, "issue-expected-text");
	doc_close(doc);
	put_reproduction(doc, issue);
	doc_section(doc, "issue-workaround");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < issue->way_count; i++)
		put_way(doc, &issue->ways[i]);
	doc_close(doc);
	doc_close(doc);
	put_evidence(doc, issue->verdict);
	put_sentence(doc, issue, "issue-seen");
}

/* --- programs */

void issue_put_device(struct buf *out, struct str target)
{
	enum target_kind kind = TARGET_NPU;
	struct str name = { 0 };

	str_cut(&target, '@', &name);
	target_kind_from(name, &kind);
	buf_printf(out, "import %.*s\n\ndevice = \"%.*s\"\n", STR_ARG(target_plugin_name(kind)),
		STR_ARG(target_kind_name(kind)));
}

struct str issue_code_of_recipe(struct doc *doc, struct str target, struct str code)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	size_t after = str_find(code, STR("\n\n\ndef after("));

	issue_put_device(&text, target);
	buf_add(&text, after == STR_NONE ? code : str_sub(code, 0, after));
	buf_add(&text, STR("\n\n\nfor case in cases():\n"));
	buf_add(&text, STR("    moved = [c.to(device) if hasattr(c, \"to\") else c for c in case]\n"));
	buf_add(&text, STR("    print(before(*moved))\n"));
	return arena_keep(&doc->arena, buf_str(&text));
}
