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

static const struct option explain_table[] = {
	{ 0, "list", NULL, "every id", FIELD(explain_options, list) },
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	{ 0, "lang", "LANG", "en or zh-CN; both without it", FIELD(common_options, lang) },
	{ 0 },
};

enum { WIDTH = 80 };

/* The text of "op-unsupported.about" and the like; "" where there is none. */
static struct str part_of(struct arena *arena, enum lang lang, struct str id, const char *suffix)
{
	struct str name = arena_printf(arena, "%.*s%s", STR_ARG(id), suffix);

	return catalog_has(lang, name) ? catalog_form(arena, lang, name) : STR("");
}

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
	static const char *const suffixes[] = { "", ".about", ".advice" };
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct textw text = { .out = out, .width = WIDTH };

	put_heading(out, lang, id);
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		struct str part = part_of(&arena, lang, id, suffixes[i]);

		if (!part.len)
			continue;
		buf_add(out, STR("  "));
		textw_wrap(&text, part, 2, 2);
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

/* The next one that is asked for: every id, or those that a name may mean. */
static bool next_asked(const struct explain_options *options, size_t *at, struct str *ret)
{
	while (next_id(at, ret)) {
		if (options->list || is_meant(*ret, options->id))
			return true;
	}
	return false;
}

/* Pages of everything that a name may mean: "unknown" is a status and a kind of shapes. */
static void put_pages(struct buf *out, enum lang lang, const struct explain_options *options)
{
	for (size_t i = 0; i <= ARRAY_SIZE(sets); i++) { /* ids of their own, then set by set */
		struct str id;

		for (size_t at = 0; next_asked(options, &at, &id);) {
			if (cut_set(&(struct str){ id.ptr, id.len }) == (i ? sets[i - 1] : NULL))
				put_page(out, lang, id);
		}
	}
}

static int unknown_id(struct str id, struct err *err)
{
	struct nearest nearest = NEAREST_TO(id);
	CLEANUP(buf_clear) struct buf names = BUF_INIT(4096);
	struct str known;

	for (size_t at = 0; next_id(&at, &known);) {
		cut_set(&known); /* users leave the set out */
		nearest_offer(&nearest, known);
	}
	err_set(err, ERR_RULE, "no rule, error or word '%s'", shown(id).text);
	nearest_put(&names, &nearest);
	if (nearest.count)
		return err_hint(err, "did you mean %s?", buf_text(&names));
	return err_hint(err, "`opcheck explain --list` prints every id");
}

/* --- formats */

struct entry {
	struct str word, set, severity; /* the last two may be "" */
	struct str text, about, advice;
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

static void put_entries(const void *answer, struct sheet *sheet)
{
	const struct explain_options *options = answer;
	enum lang lang = options->common.render.lang;
	struct str id;

	for (size_t at = 0; next_asked(options, &at, &id);) {
		CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		const struct rule *rule = rule_find(id);
		struct entry entry = { .word = id,
			.severity = rule ? word_for(&severity_words, rule->severity) : STR(""),
			.text = part_of(&arena, lang, id, ""),
			.about = part_of(&arena, lang, id, ".about"),
			.advice = part_of(&arena, lang, id, ".advice") };
		const char *set = cut_set(&entry.word);

		entry.set = str_from(set ? set : "");
		sheet_row(sheet, &entry);
	}
}

/* The list of ids is for other programs. */
static void put_rule_text(const void *answer, struct buf *out)
{
	const struct explain_options *options = answer;
	struct str id;

	for (size_t at = 0; options->list && next_id(&at, &id);) {
		cut_set(&id);
		buf_printf(out, "%.*s\n", STR_ARG(id));
	}
	if (options->list)
		return;
	put_pages(out, options->common.lang.len ? options->common.render.lang : LANG_EN, options);
	if (!options->common.lang.len)
		put_pages(out, LANG_ZH_CN, options);
}

/* --- the command */

static int run_explain(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct explain_options *options = ctx;
	size_t ids = !options->list;
	int status = command_operands(arguments, ids, ids, "a rule, an error code or a word", err);

	if (status)
		return status;
	options->id = options->list ? STR("") : str_from(arguments->items[0]);
	if (!next_asked(options, &(size_t){ 0 }, &(struct str){ 0 }))
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
