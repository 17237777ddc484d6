#include "assess/model/rule.h"
#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/nearest.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "cli/shared/command.h"
#include "record/kinds.h"
#include "report/doc/textw.h"

struct explain_options {
	struct common_options common;
	bool list;
	struct str id; /* without list */
};

/* clang-format off */
static const struct option explain_table[] = {
	{ 0, "list", NULL, "every id", FIELD(explain_options, list) },
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	{ 0, "lang", "LANG", "en or zh-CN; both without it", FIELD(common_options, lang) },
	{ 0 },
};
/* clang-format on */

enum { WIDTH = 80 };

/* The text of "op-unsupported.about" and the like; "" where there is none. */
static void put_part(struct buf *out, enum lang lang, struct str id, const char *suffix)
{
	char name[128];

	snprintf(name, sizeof(name), "%.*s%s", STR_ARG(id), suffix);
	if (catalog_has(lang, str_from(name)))
		catalog_put_form(out, lang, str_from(name));
}

static const char *const part_suffixes[] = { "", ".about", ".advice" };

/* Sets of words that reports use: "cpu-fallback" is status.cpu-fallback in the catalogue. */
static const char *const sets[] = { "word", "status", "verdict", "kind", "flag", "effort", "severity", "action",
	"section" };

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
	for (size_t i = 0; i < ARRAY_SIZE(part_suffixes); i++) {
		CLEANUP(buf_clear) struct buf part = BUF_INIT(1 << 16);

		put_part(&part, lang, id, part_suffixes[i]);
		if (!part.len)
			continue;
		buf_add(out, STR("  "));
		textw_wrap(&text, buf_str(&part), 2, 2);
	}
}

/* The id of the next page, with the set of a word: "status.native". */
static bool next_id(size_t *at, struct str *ret)
{
	for (;;) {
		struct str id = catalog_id(LANG_EN, (*at)++);

		if (!id.len)
			return false;
		if (str_ends(id, STR(".about"))) {
			*ret = str_chop(id, strlen(".about"));
			return true;
		}
	}
}

/* Returns whether a name may mean this id: the id, its word in JSON or in the language, or its whole set. */
static bool is_meant(struct str id, struct str name)
{
	struct str word = id;
	const char *set = cut_set(&word);

	if (str_eq(id, name) || str_eq(word, name) || (set && str_eq(str_from(set), name)))
		return true;
	for (unsigned lang = 0; set && lang < LANG_COUNT; lang++) {
		if (str_eq_fold(catalog_text(lang, id), name))
			return true;
	}
	return false;
}

/* Pages of everything that a name may mean: "unknown" is a status and a kind of shapes. */
static void put_pages(struct buf *out, enum lang lang, struct str name)
{
	for (size_t i = 0; i <= ARRAY_SIZE(sets); i++) { /* ids of their own, then set by set */
		struct str id, word;

		for (size_t at = 0; next_id(&at, &id);) {
			word = id;
			if (cut_set(&word) == (i ? sets[i - 1] : NULL) && is_meant(id, name))
				put_page(out, lang, id);
		}
	}
}

/* The same as people write it. */
static bool next_page(size_t *at, struct str *ret)
{
	bool found = next_id(at, ret);

	if (found)
		cut_set(ret);
	return found;
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

/* --- as text: what people read; a list of ids for other programs */

/* --- as a table: all pages, or those of a name */

struct entry {
	struct str word, set, severity; /* the last two may be "" */
	struct str text, about, advice; /* of parts */
	struct buf parts[3];
};

static const struct field entry_fields[] = {
	{ "id", &kind_text, AT(entry, word) },
	{ "set", &kind_text, AT(entry, set) },
	{ "severity", &kind_text, AT(entry, severity) },
	{ "text", &kind_text, AT(entry, text) },
	{ "about", &kind_text, AT(entry, about) },
	{ "advice", &kind_text, AT(entry, advice) },
	{ 0 },
};
static const struct record entry_record = { sizeof(struct entry), entry_fields };
static const struct sheet_shape entry_shape = { "explain.title", &entry_record, "entries" };

/* The next one that is asked for. */
static bool next_entry(const struct explain_options *options, enum lang lang, size_t *at, struct entry *ret)
{
	struct str id;

	while (next_id(at, &id)) {
		const struct rule *rule = rule_find(id);
		struct str word = id;
		const char *set = cut_set(&word);

		if (!options->list && !is_meant(id, options->id))
			continue;
		ret->word = word;
		ret->set = str_from(set ? set : "");
		ret->severity = rule ? word_for(&severity_words, rule->severity) : STR("");
		for (size_t i = 0; i < ARRAY_SIZE(part_suffixes); i++) {
			buf_reset(&ret->parts[i]);
			put_part(&ret->parts[i], lang, id, part_suffixes[i]);
		}
		ret->text = buf_str(&ret->parts[0]);
		ret->about = buf_str(&ret->parts[1]);
		ret->advice = buf_str(&ret->parts[2]);
		return true;
	}
	return false;
}

static void put_entries(const void *answer, struct sheet *sheet)
{
	const struct explain_options *options = answer;
	struct entry entry = { .parts = { BUF_UNLIMITED, BUF_UNLIMITED, BUF_UNLIMITED } };
	size_t at = 0;

	while (next_entry(options, options->common.render.lang, &at, &entry))
		sheet_row(sheet, &entry);
	for (size_t i = 0; i < ARRAY_SIZE(entry.parts); i++)
		buf_clear(&entry.parts[i]);
}

static void put_rule_text(const void *answer, struct buf *out)
{
	const struct explain_options *options = answer;
	struct str id;

	for (size_t at = 0; options->list && next_page(&at, &id);)
		buf_printf(out, "%.*s\n", STR_ARG(id));
	if (options->list)
		return;
	put_pages(out, options->common.lang.len ? options->common.render.lang : LANG_EN, options->id);
	if (!options->common.lang.len)
		put_pages(out, LANG_ZH_CN, options->id);
}

/* --- the command */

static bool is_known(struct str wanted)
{
	struct str id;
	size_t at = 0;

	while (next_id(&at, &id)) {
		if (is_meant(id, wanted))
			return true;
	}
	return false;
}

static int run_explain(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct explain_options *options = ctx;
	size_t ids = !options->list;
	int status = command_operands(arguments, ids, ids, "a rule, an error code or a word", err);

	if (status)
		return status;
	options->id = options->list ? STR("") : str_from(arguments->items[0]);
	if (!options->list && !is_known(options->id))
		return unknown_id(options->id, err);
	return common_write(&options->common, put_table,
		&(struct table_answer){ options, &entry_shape, put_entries, put_rule_text }, err);
}

const struct command cmd_explain = {
	.name = "explain",
	.summary = "describe a rule, an error code or a word of the reports",
	.usage = "RULE|CODE|WORD [OPTION]... | --list [OPTION]...",
	.examples = "  opcheck explain op-cpu-fallback\n  opcheck explain inconclusive",
	.options = explain_table,
	.options_size = sizeof(struct explain_options),
	.formats = "text json csv md html",
	.max_operands = 1,
	.run = run_explain,
};
