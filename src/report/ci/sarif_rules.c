/* The rules of a SARIF run. */
#include "report/ci/sarif_rules.h"

#include "assess/model/rule.h"
#include "assess/model/words.h"

/* The general text of a rule in a language: "OPERATOR does not run on TARGET". */
static struct str form_of(struct arena *arena, enum lang lang, struct str rule)
{
	CLEANUP(buf_clear) struct buf form = BUF_UNLIMITED;

	catalog_put_form(&form, lang, rule);
	return arena_keep(arena, buf_str(&form));
}

/* A further text of a rule, ".about" or ".advice"; "" where it has none. */
static struct str further_text(struct arena *arena, enum lang lang, struct str rule, const char *which)
{
	CLEANUP(buf_clear) struct buf id = BUF_UNLIMITED;

	buf_printf(&id, "%.*s%s", STR_ARG(rule), which);
	return catalog_has(LANG_EN, buf_str(&id)) ? form_of(arena, lang, buf_str(&id)) : STR("");
}

static void put_rule_line(struct buf *out, struct str text)
{
	if (text.len)
		buf_printf(out, "%.*s\n", STR_ARG(text));
}

/* Its meaning is its form again where it has none: GitHub wants one. No site has pages on rules: `opcheck explain` has
   them, and the address names one for good. The level is what a finding has that says nothing else; tags are to filter
   by. */
static void put_rule(struct jsonw *json, struct arena *arena, enum lang lang, struct str id)
{
	CLEANUP(buf_clear) struct buf help = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;
	struct str form = form_of(arena, lang, id), about = further_text(arena, lang, id, ".about"), kind = id,
		   group = { 0 };
	const struct rule *rule = rule_find(id);

	str_cut(&kind, '-', &group);
	put_rule_line(&help, about);
	put_rule_line(&help, further_text(arena, lang, id, ".advice"));
	buf_printf(&help, "opcheck explain %.*s", STR_ARG(id));
	buf_printf(&address, "urn:opcheck:rule:%.*s", STR_ARG(id));
	jsonw_fill(json,
		"{'id': $, 'shortDescription': {'text': $}, 'fullDescription': {'text': $}, 'help': {'text': $}", id,
		form, about.len ? about : form, buf_str(&help));
	jsonw_fill(json, "'helpUri': $, 'defaultConfiguration': {'level': $}", buf_str(&address),
		word_for(&severity_words, rule ? rule->severity : SEVERITY_NOTE));
	jsonw_fill(json, "'properties': {'en': $, 'zh-CN': $, 'tags': ['portability', $]}}",
		form_of(arena, LANG_EN, id), form_of(arena, LANG_ZH_CN, id), group);
}

void sarif_put_tool(struct jsonw *json, const struct ci_report *report)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	jsonw_fill(json, "'tool': {'driver': {'name': 'opcheck', 'version': $, 'rules': [", report->tool_version);
	for (size_t i = 0; i < report->rules.count; i++)
		put_rule(json, &arena, report->lang, report->rules.items[i]);
	jsonw_fill(json, "]}}");
}
