/* The rules of a SARIF run. */
#include "assess/model/rule.h"
#include "report/ci.h"

/* What a rule says, in general and in a language: "OPERATOR does not run on TARGET". */
static void put_form(struct jsonw *json, const char *key, enum lang lang, struct str rule)
{
	CLEANUP(buf_clear) struct buf form = BUF_UNLIMITED;

	catalog_put_form(&form, lang, rule);
	jsonw_key_str(json, key, buf_str(&form));
}

/* How the rule is graded where a finding says nothing else, and words to filter by. */
static void put_grade(struct jsonw *json, struct str id)
{
	const struct rule *rule = rule_find(id);
	struct str kind = id, group;

	str_cut(&kind, '-', &group);
	jsonw_key_object(json, "defaultConfiguration");
	jsonw_key_str(json, "level", word_for(&severity_words, rule ? rule->severity : SEVERITY_NOTE));
	jsonw_object_end(json);
	jsonw_key_object(json, "properties");
	put_form(json, "en", LANG_EN, id);
	put_form(json, "zh-CN", LANG_ZH_CN, id);
	jsonw_key_list(json, "tags");
	jsonw_str(json, STR("portability"));
	jsonw_str(json, group);
	jsonw_list_end(json);
	jsonw_object_end(json);
}

/* Its meaning, else its form again: GitHub wants one. */
static void put_meaning(struct jsonw *json, const struct ci_report *report, struct str rule)
{
	CLEANUP(buf_clear) struct buf id = BUF_UNLIMITED;

	buf_printf(&id, "%.*s.about", STR_ARG(rule));
	jsonw_key_object(json, "fullDescription");
	if (catalog_has(LANG_EN, buf_str(&id)))
		jsonw_key_str(json, "text", catalog_text(report->lang, buf_str(&id)));
	else
		put_form(json, "text", report->lang, rule);
	jsonw_object_end(json);
}

static void put_help(struct jsonw *json, const struct ci_report *report, struct str rule)
{
	static const char *const parts[] = { ".about", ".advice" };
	CLEANUP(buf_clear) struct buf help = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf id = BUF_UNLIMITED;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		buf_reset(&id);
		buf_printf(&id, "%.*s%s", STR_ARG(rule), parts[i]);
		if (catalog_has(LANG_EN, buf_str(&id)))
			buf_printf(&help, "%.*s\n", STR_ARG(catalog_text(report->lang, buf_str(&id))));
	}
	buf_printf(&help, "opcheck explain %.*s", STR_ARG(rule));
	jsonw_key_object(json, "help");
	jsonw_key_str(json, "text", buf_str(&help));
	jsonw_object_end(json);
}

/* No site has pages on rules: `opcheck explain` has them, and this names one for good. */
static void put_address(struct jsonw *json, struct str rule)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	buf_printf(&address, "urn:opcheck:rule:%.*s", STR_ARG(rule));
	jsonw_key_str(json, "helpUri", buf_str(&address));
}

static void put_rule(struct jsonw *json, const struct ci_report *report, struct str rule)
{
	jsonw_object(json);
	jsonw_key_str(json, "id", rule);
	jsonw_key_object(json, "shortDescription");
	put_form(json, "text", report->lang, rule);
	jsonw_object_end(json);
	put_meaning(json, report, rule);
	put_help(json, report, rule);
	put_address(json, rule);
	put_grade(json, rule);
	jsonw_object_end(json);
}

void sarif_put_tool(struct jsonw *json, const struct ci_report *report)
{
	jsonw_key_object(json, "tool");
	jsonw_key_object(json, "driver");
	jsonw_key_str(json, "name", STR("opcheck"));
	jsonw_key_str(json, "version", report->tool_version);
	jsonw_key_list(json, "rules");
	for (size_t i = 0; i < report->rules.count; i++)
		put_rule(json, report, report->rules.items[i]);
	jsonw_list_end(json);
	jsonw_object_end(json);
	jsonw_object_end(json);
}
