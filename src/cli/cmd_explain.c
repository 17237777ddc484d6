#include "assess/model/rule.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "report/textw.h"

struct explain_options {
	struct common_options common;
	bool list;
};

/* clang-format off */
static const struct option explain_table[] = {
	{ 0, "list", NULL, "print every id", FIELD(explain_options, list) },
	{ 0, "lang", "LANG", "en or zh-CN; both without it", FIELD(common_options, lang) },
	{ 0 },
};
/* clang-format on */

enum { WIDTH = 80 };

/* Whether "op-unsupported.about" and the like has a text. */
static bool has_part(enum lang lang, struct str id, const char *suffix)
{
	char name[128];

	snprintf(name, sizeof(name), "%.*s%s", STR_ARG(id), suffix);
	return catalog_has(lang, str_from(name));
}

static void put_part(struct textw *text, enum lang lang, struct str id, const char *suffix)
{
	CLEANUP(buf_clear) struct buf form = BUF_INIT(1 << 16);
	char name[128];

	snprintf(name, sizeof(name), "%.*s%s", STR_ARG(id), suffix);
	if (has_part(lang, id, suffix)) {
		catalog_put_form(&form, lang, str_from(name));
		buf_add(text->out, STR("  "));
		textw_wrap(text, buf_str(&form), 2, 2);
	}
}

/* Sets of words that reports use: "cpu-fallback" is status.cpu-fallback in the catalogue. */
static const char *const sets[] = { "status", "verdict", "kind", "flag", "effort", "severity" };

/* Takes the set off the id of a word; NULL for an id of its own. */
static const char *cut_set(struct str *id)
{
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		size_t len = strlen(sets[i]);

		if (str_starts(*id, str_from(sets[i])) && id->len > len && id->ptr[len] == '.') {
			*id = str_skip(*id, len + 1);
			return sets[i];
		}
	}
	return NULL;
}

static void put_heading(struct buf *out, enum lang lang, struct str id)
{
	const struct rule *rule = rule_find(id);
	const char *set = cut_set(&id);
	char name[64];

	buf_add(out, id);
	if (rule)
		snprintf(name, sizeof(name), "severity.%.*s", STR_ARG(word_for(&severity_words, rule->severity)));
	else if (set)
		snprintf(name, sizeof(name), "set.%s", set);
	if (rule || set)
		buf_printf(out, " (%.*s)", STR_ARG(catalog_text(lang, str_from(name))));
	buf_byte(out, '\n');
}

static void put_page(struct buf *out, enum lang lang, struct str id)
{
	struct textw text = { .out = out, .width = WIDTH };

	put_heading(out, lang, id);
	put_part(&text, lang, id, "");
	put_part(&text, lang, id, ".about");
	put_part(&text, lang, id, ".advice");
}

/* Pages of everything that a name may mean: "unknown" is a status and a kind of shapes. False when it is nothing. */
static bool put_pages(struct buf *out, enum lang lang, struct str given)
{
	bool found = has_part(LANG_EN, given, ".about");

	if (found)
		put_page(out, lang, given);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		char id[128];

		snprintf(id, sizeof(id), "%s.%.*s", sets[i], STR_ARG(given));
		if (!has_part(LANG_EN, str_from(id), ".about"))
			continue;
		put_page(out, lang, str_from(id));
		found = true;
	}
	return found;
}

/* The names that have a page of their own. */
static bool next_page(size_t *at, struct str *ret)
{
	for (;;) {
		struct str id = catalog_id(LANG_EN, (*at)++);

		if (!id.len)
			return false;
		if (str_ends(id, STR(".about"))) {
			*ret = str_chop(id, strlen(".about"));
			cut_set(ret);
			return true;
		}
	}
}

static int unknown_id(struct str id, struct err *err)
{
	struct nearest nearest = NEAREST_TO(id);
	struct buf names = BUF_INIT(4096);
	struct str known;
	size_t at = 0;

	while (next_page(&at, &known))
		nearest_offer(&nearest, known);
	err_set(err, ERR_RULE, "no rule, error or word '%s'", shown(id).text);
	nearest_put(&names, &nearest);
	if (nearest.count)
		err_hint(err, "did you mean %s?", buf_text(&names));
	else
		err_hint(err, "`opcheck explain --list` prints every id");
	buf_clear(&names);
	return -err->code;
}

static int print_page(const struct common_options *options, struct str id, struct err *err)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 20);

	if (!put_pages(&out, options->lang.len ? options->render.lang : LANG_EN, id))
		return unknown_id(id, err);
	if (!options->lang.len)
		put_pages(&out, LANG_ZH_CN, id);
	return output_print(buf_str(&out), err);
}

static int print_ids(struct err *err)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 20);
	struct str id;
	size_t at = 0;

	while (next_page(&at, &id))
		buf_printf(&out, "%.*s\n", STR_ARG(id));
	return output_print(buf_str(&out), err);
}

static int run_explain(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct explain_options *options = ctx;
	size_t ids = !options->list;
	int status = command_operands(arguments, ids, ids, "a rule, an error code or a word", err);

	if (status)
		return status;
	return options->list ? print_ids(err) : print_page(&options->common, str_from(arguments->items[0]), err);
}

const struct command cmd_explain = {
	.name = "explain",
	.summary = "describe a rule, an error code or a word of the reports",
	.usage = "RULE|CODE|WORD [--lang LANG] | --list",
	.examples = "  opcheck explain op-cpu-fallback\n  opcheck explain inconclusive",
	.options = explain_table,
	.options_size = sizeof(struct explain_options),
	.max_operands = 1,
	.run = run_explain,
};
