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

static void put_page(struct buf *out, enum lang lang, struct str id)
{
	struct textw text = { .out = out, .width = WIDTH };
	const struct rule *rule = rule_find(id);

	buf_printf(out, "%.*s", STR_ARG(id));
	if (rule) {
		char name[64];

		snprintf(name, sizeof(name), "severity.%.*s", STR_ARG(word_for(&severity_words, rule->severity)));
		buf_printf(out, " (%.*s)", STR_ARG(catalog_text(lang, str_from(name))));
	}
	buf_byte(out, '\n');
	put_part(&text, lang, id, "");
	put_part(&text, lang, id, ".about");
	put_part(&text, lang, id, ".advice");
}

static bool has_page(struct str id)
{
	return has_part(LANG_EN, id, ".about");
}

/* The ids that have a page of their own. */
static bool next_page(size_t *at, struct str *ret)
{
	for (;;) {
		struct str id = catalog_id(LANG_EN, (*at)++);

		if (!id.len)
			return false;
		if (str_ends(id, STR(".about")) && !str_starts(id, STR("status."))) {
			*ret = str_chop(id, strlen(".about"));
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

	if (!has_page(id))
		return unknown_id(id, err);
	put_page(&out, options->lang.len ? options->render.lang : LANG_EN, id);
	if (!options->lang.len)
		put_page(&out, LANG_ZH_CN, id);
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
	int status = command_operands(arguments, ids, ids, "a rule or an error code", err);

	if (status)
		return status;
	return options->list ? print_ids(err) : print_page(&options->common, str_from(arguments->items[0]), err);
}

const struct command cmd_explain = {
	.name = "explain",
	.summary = "describe a rule or an error code, in English and Chinese",
	.usage = "RULE [--lang LANG] | --list",
	.examples = "  opcheck explain op-cpu-fallback\n  opcheck explain OPC-3005",
	.options = explain_table,
	.options_size = sizeof(struct explain_options),
	.max_operands = 1,
	.run = run_explain,
};
