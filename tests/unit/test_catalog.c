/* The texts that people read: each in both languages, with the same blanks, for every rule, error and word. */
#include "assess/model/rule.h"
#include "base/setup/err.h"
#include "opdb/model/answer.h"
#include "op/name.h"
#include "report/doc/catalog.h"
#include "tests/unit/check.h"

static void languages_are_known_by_many_names(void **state)
{
	static const struct {
		const char *text;
		bool known;
		enum lang lang;
	} cases[] = {
		{ "en", true, LANG_EN },
		{ "en_US.UTF-8", true, LANG_EN },
		{ "en-GB", true, LANG_EN },
		{ "zh", true, LANG_ZH_CN },
		{ "zh_CN.UTF-8", true, LANG_ZH_CN },
		{ "zh-Hans", true, LANG_ZH_CN },
		{ "zh-TW", true, LANG_ZH_CN },
		{ "", false, LANG_COUNT },
		{ "C", false, LANG_COUNT },
		{ "eng", false, LANG_COUNT },
		{ "de", false, LANG_COUNT },
		{ "e", false, LANG_COUNT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		enum lang lang = LANG_COUNT;

		assert_int_equal(lang_from(str_from(cases[i].text), &lang), cases[i].known);
		assert_int_equal(lang, cases[i].lang);
	}
	assert_str(lang_name(LANG_EN), "en");
	assert_str(lang_name(LANG_ZH_CN), "zh-CN");
}

static void every_id_is_there_once_in_both_languages(void **state)
{
	for (int lang = 0; lang < LANG_COUNT; lang++) {
		struct str last = STR(""), id;
		size_t count = 0;

		for (; (id = catalog_id((enum lang)lang, count)).len; count++) {
			if (str_cmp(last, id) >= 0)
				fail_msg("%.*s stands twice", STR_ARG(id));
			if (!catalog_has(lang ? LANG_EN : LANG_ZH_CN, id))
				fail_msg("%.*s has no text in %s", STR_ARG(id), lang ? "en" : "zh-CN");
			if (!str_trim(catalog_text((enum lang)lang, id)).len)
				fail_msg("%.*s is empty", STR_ARG(id));
			last = id;
		}
		assert_true(count > 100);
		assert_str(catalog_id((enum lang)lang, SIZE_MAX), "");
	}
}

/* What must stand in the other language, too: "{steps" of "{steps}" and of "{steps:step|steps}", and "{advice_" of
   "{advice_en}", which has a text of its own in each language. */
static struct str blank_of(struct str text)
{
	bool of_language = str_ends(text, STR("_en}")) || str_ends(text, STR("_zh}"));

	if (str_has(text, STR(":")))
		return str_sub(text, 0, str_find(text, STR(":")));
	return of_language ? str_chop(text, strlen("en}")) : str_chop(text, strlen("}"));
}

/* Whether the blanks of one text all stand in the other. */
static void assert_blanks(struct str id, struct str from, struct str to)
{
	while (from.len) {
		size_t open = str_find(from, STR("{")), close;

		if (open == STR_NONE)
			return;
		from = str_skip(from, open);
		close = str_find(from, STR("}"));
		assert_int_not_equal(close, STR_NONE);
		if (!str_has(to, blank_of(str_sub(from, 0, close + 1))))
			fail_msg("%.*s: %.*s is missing", STR_ARG(id), STR_ARG(str_sub(from, 0, close + 1)));
		from = str_skip(from, close + 1);
	}
}

static void both_languages_have_the_same_blanks(void **state)
{
	struct str id;

	for (size_t i = 0; (id = catalog_id(LANG_EN, i)).len; i++) {
		assert_blanks(id, catalog_text(LANG_EN, id), catalog_text(LANG_ZH_CN, id));
		assert_blanks(id, catalog_text(LANG_ZH_CN, id), catalog_text(LANG_EN, id));
	}
}

static void assert_text(const char *id, const char *tail)
{
	CLEANUP(buf_clear) struct buf whole = BUF_INIT(200);

	buf_printf(&whole, "%s%s", id, tail);
	if (!catalog_has(LANG_EN, buf_str(&whole)))
		fail_msg("%s has no text", buf_text(&whole));
}

static void every_rule_has_a_text_what_it_means_and_what_to_do(void **state)
{
	for (size_t i = 0; i < rule_count; i++) {
		assert_text(rules[i].id, "");
		assert_text(rules[i].id, ".about");
		assert_text(rules[i].id, ".advice");
	}
}

static void every_error_has_a_page(void **state)
{
	for (size_t i = 0; err_code_at(i); i++)
		assert_text(err_name(err_code_at(i)), ".about");
}

static void every_word_of_a_closed_set_has_a_text(void **state)
{
	static const char *const ids[] = { "verdict.ready", "verdict.ready-with-warnings", "verdict.inconclusive",
		"verdict.blocked", "severity.error", "severity.warning", "severity.note", "kind.static", "kind.warm-up",
		"kind.late", "kind.last-batch", "kind.bounded", "kind.unbounded", "kind.data-dependent", "kind.unknown",
		"basis.self_device_time", "basis.self_cpu_time", "basis.calls" };

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		assert_text(ids[i], "");
	for (int i = 0; i < OP_STATUS_COUNT; i++) {
		CLEANUP(buf_clear) struct buf id = BUF_INIT(100);

		buf_printf(&id, "status.%s", op_status_name((enum op_status)i).ptr);
		assert_text(buf_text(&id), "");
	}
	for (int i = 0; i < NAME_CLASS_COUNT; i++) {
		CLEANUP(buf_clear) struct buf id = BUF_INIT(100);

		if (i == NAME_OPERATOR)
			continue;
		buf_printf(&id, "class.%s", name_class_text((enum name_class)i));
		assert_text(buf_text(&id), "");
	}
}

static void a_text_falls_back_to_its_id(void **state)
{
	assert_str(catalog_text(LANG_ZH_CN, STR("no-such-id")), "no-such-id");
	assert_false(catalog_has(LANG_EN, STR("no-such-id")));
	assert_false(catalog_has(LANG_EN, STR("")));
}

static void blanks_are_filled_and_missing_values_show(void **state)
{
	static const struct {
		const char *id, *name, *value, *text;
	} cases[] = {
		{ "op-unsupported", "operator", "aten::x", "aten::x does not run on ?" },
		{ "op-unsupported", "other", "x", "? does not run on ?" },
		/* a value is no template */
		{ "op-unsupported", "operator", "{target}", "{target} does not run on ?" },
		{ "an id {of} nobody", "of", "x", "an id x nobody" },
		{ "an id {of nobody", "of", "x", "an id {of nobody" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);
		struct message message = message_of(cases[i].id);

		message_add(&message, cases[i].name, str_from(cases[i].value));
		catalog_put(&out, LANG_EN, &message);
		assert_str(buf_str(&out), cases[i].text);
	}
}

static void one_and_many_have_forms_of_their_own(void **state)
{
	static const struct {
		enum lang lang;
		const char *id, *name, *value, *text;
	} cases[] = {
		{ LANG_EN, "{n} {n:table is|tables are} cut", "n", "1", "1 table is cut" },
		{ LANG_EN, "{n} {n:table is|tables are} cut", "n", "2", "2 tables are cut" },
		{ LANG_EN, "{n} {n:table is|tables are} cut", "n", "11", "11 tables are cut" },
		{ LANG_EN, "{n} {n:table is|tables are} cut", "m", "1", "? tables are cut" },
		{ LANG_EN, "{n:odd} end", "n", "1", "odd end" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);
		struct message message = message_of(cases[i].id);

		message_add(&message, cases[i].name, str_from(cases[i].value));
		catalog_put(&out, cases[i].lang, &message);
		assert_str(buf_str(&out), cases[i].text);
	}
}

static void words_of_a_closed_set_appear_in_the_language_of_the_text(void **state)
{
	static const struct {
		enum lang lang;
		const char *id, *name, *value, *text;
	} cases[] = {
		{ LANG_EN, "is {status}", "status", "cpu-fallback", "is cpu-fallback" },
		{ LANG_ZH_CN, "is {status}", "status", "cpu-fallback", "is 算子回退（CPU）" },
		{ LANG_ZH_CN, "is {status}", "status", "of a later version", "is of a later version" },
		{ LANG_ZH_CN, "is {kind}", "kind", "unbounded", "is 持续变化" },
		{ LANG_EN, "takes a {effort}", "effort", "recipe", "takes a small code change" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);
		struct message message = message_of(cases[i].id);

		message_add(&message, cases[i].name, str_from(cases[i].value));
		catalog_put(&out, cases[i].lang, &message);
		assert_str(buf_str(&out), cases[i].text);
	}
}

static void a_text_without_values_names_its_blanks(void **state)
{
	static const struct {
		const char *id, *text;
	} cases[] = {
		{ "op-unsupported", "OPERATOR does not run on TARGET" },
		{ "{forward_status} of {n} {n:table|tables}", "FORWARD STATUS of N tables" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

		assert_str(catalog_form(&arena, LANG_EN, str_from(cases[i].id)), cases[i].text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(languages_are_known_by_many_names),
		cmocka_unit_test(every_id_is_there_once_in_both_languages),
		cmocka_unit_test(both_languages_have_the_same_blanks),
		cmocka_unit_test(every_rule_has_a_text_what_it_means_and_what_to_do),
		cmocka_unit_test(every_error_has_a_page),
		cmocka_unit_test(every_word_of_a_closed_set_has_a_text),
		cmocka_unit_test(a_text_falls_back_to_its_id),
		cmocka_unit_test(blanks_are_filled_and_missing_values_show),
		cmocka_unit_test(one_and_many_have_forms_of_their_own),
		cmocka_unit_test(words_of_a_closed_set_appear_in_the_language_of_the_text),
		cmocka_unit_test(a_text_without_values_names_its_blanks),
	};

	return run_group(tests);
}
