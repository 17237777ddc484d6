#include "report/doc/catalog.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"

extern const char catalog_en[], catalog_zh_cn[];

struct entry {
	struct str id, text;
};

static struct catalog {
	struct entry *items;
	size_t count, capacity;
} catalogs[LANG_COUNT];

static const char *const names[LANG_COUNT] = { [LANG_EN] = "en", [LANG_ZH_CN] = "zh-CN" };

struct str lang_name(enum lang lang)
{
	return str_from(names[lang]);
}

bool lang_from(struct str text, enum lang *ret)
{
	bool boundary = text.len == 2 || (text.len > 2 && !is_alpha(text.ptr[2]));

	if (!boundary)
		return false;
	if (str_starts(text, STR("zh")))
		*ret = LANG_ZH_CN;
	else if (str_starts(text, STR("en")))
		*ret = LANG_EN;
	else
		return false;
	return true;
}

enum lang lang_of_locale(void)
{
	static const char *const variables[] = { "OPCHECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG" };
	enum lang lang = LANG_EN;

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && value[0]) {
			lang_from(str_from(value), &lang);
			break;
		}
	}
	return lang;
}

static int by_id(const void *a, const void *b)
{
	return str_cmp(((const struct entry *)a)->id, ((const struct entry *)b)->id);
}

static void parse_catalog(struct catalog *catalog, struct str source)
{
	struct str line;

	while (str_cut(&source, '\n', &line)) {
		size_t colon = str_find(line, STR(": "));

		if (colon != STR_NONE && line.ptr[0] != '#')
			MEM_PUSH(catalog, ((struct entry){ str_sub(line, 0, colon), str_skip(line, colon + 2) }));
	}
	qsort(catalog->items, catalog->count, sizeof(catalog->items[0]), by_id);
}

static void parse_en(void)
{
	parse_catalog(&catalogs[LANG_EN], str_from(catalog_en));
}

static void parse_zh_cn(void)
{
	parse_catalog(&catalogs[LANG_ZH_CN], str_from(catalog_zh_cn));
}

/* Parsed when it is first asked for: most programs show one language. */
static const struct catalog *catalog_of(enum lang lang)
{
	static pthread_once_t once[LANG_COUNT] = { PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT };
	static void (*const parsers[LANG_COUNT])(void) = { [LANG_EN] = parse_en, [LANG_ZH_CN] = parse_zh_cn };

	pthread_once(&once[lang], parsers[lang]);
	return &catalogs[lang];
}

__attribute__((destructor)) static void free_all(void)
{
	for (size_t i = 0; i < LANG_COUNT; i++)
		free(catalogs[i].items);
}

static const struct entry *find_entry(enum lang lang, struct str id)
{
	const struct catalog *catalog = catalog_of(lang);
	struct entry key = { .id = id };

	return bsearch(&key, catalog->items, catalog->count, sizeof(key), by_id);
}

bool catalog_has(enum lang lang, struct str id)
{
	return find_entry(lang, id);
}

struct str catalog_text(enum lang lang, struct str id)
{
	const struct entry *entry = find_entry(lang, id);

	if (!entry)
		entry = find_entry(LANG_EN, id);
	return entry ? entry->text : id;
}

struct str catalog_word(enum lang lang, const char *set, struct str value)
{
	char id[320];
	const struct entry *entry;

	snprintf(id, sizeof(id), "%s.%.*s", set, STR_ARG(value));
	entry = find_entry(LANG_EN, str_from(id));
	return entry ? catalog_text(lang, entry->id) : value;
}

struct str catalog_id(enum lang lang, size_t index)
{
	const struct catalog *catalog = catalog_of(lang);

	return index < catalog->count ? catalog->items[index].id : STR("");
}

/* Parameters whose values are words of a closed set, and where the texts of these words are. */
static const struct {
	const char *param, *family;
	bool in_english; /* elsewhere English shows the word itself, as JSON and options spell it */
} word_params[] = {
	{ "status", "status", false },
	{ "forward_status", "status", false },
	{ "backward_status", "status", false },
	{ "predicted", "status", false },
	{ "kind", "kind", false },
	{ "training", "verdict", false },
	{ "inference", "verdict", false },
	{ "verdict", "verdict", false },
	{ "effort", "effort", true },
	{ "cause", "cause", true },
	{ "often", "often", true },
};

static struct str word_of(enum lang lang, struct str param, struct str value)
{
	for (size_t i = 0; i < ARRAY_SIZE(word_params); i++) {
		if (str_eq(param, str_from(word_params[i].param)) && (lang != LANG_EN || word_params[i].in_english))
			return catalog_word(lang, word_params[i].family, value);
	}
	return value;
}

/* A blank is a parameter, "count", or the word that fits its number, "count:table|tables". */
struct blank {
	struct str param, one, many; /* one.ptr is NULL where the value itself is wanted */
};

/* Without a message, a blank shows its own name: OPERATOR. */
static void put_name(struct buf *buf, struct str param)
{
	for (size_t i = 0; i < param.len; i++)
		buf_byte(buf, param.ptr[i] == '_' ? ' ' : (char)toupper((unsigned char)param.ptr[i]));
}

static void put_blank(struct buf *buf, enum lang lang, const struct message *message, struct blank blank)
{
	const struct message_param *param = message ? FIND(i, message->params, message->count,
							      str_eq(str_from(message->params[i].name), blank.param))
						    : NULL;
	const struct str *value = param ? &param->value : NULL;
	struct str absent = value ? STR("absent") : word_of(lang, blank.param, STR("absent"));

	if (blank.one.ptr)
		buf_add(buf, value && str_eq(*value, STR("1")) ? blank.one : blank.many);
	else if (value)
		buf_add(buf, word_of(lang, blank.param, *value));
	else if (!str_eq(absent, STR("absent")))
		buf_add(buf, absent);
	else if (message)
		buf_byte(buf, '?');
	else
		put_name(buf, blank.param);
}

static void put_catalog_text(struct buf *buf, enum lang lang, struct str text, const struct message *message)
{
	for (;;) {
		size_t open = str_find(text, STR("{")), close;
		struct blank blank = { 0 };
		struct str inside;

		if (open == STR_NONE)
			break;
		close = str_find(str_skip(text, open), STR("}"));
		if (close == STR_NONE)
			break;
		buf_add(buf, str_sub(text, 0, open));
		inside = str_sub(text, open + 1, open + close);
		str_cut(&inside, ':', &blank.param);
		if (str_cut(&inside, '|', &blank.one))
			blank.many = inside.ptr ? inside : blank.one;
		put_blank(buf, lang, message, blank);
		text = str_skip(text, open + close + 1);
	}
	buf_add(buf, text);
}

void catalog_put(struct buf *buf, enum lang lang, const struct message *message)
{
	put_catalog_text(buf, lang, catalog_text(lang, str_from(message->id)), message);
}

struct str catalog_keep(struct arena *arena, enum lang lang, const struct message *message)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (message->id)
		catalog_put(&text, lang, message);
	return arena_keep(arena, buf_str(&text));
}

struct str catalog_form(struct arena *arena, enum lang lang, struct str id)
{
	CLEANUP(buf_clear) struct buf form = BUF_UNLIMITED;

	put_catalog_text(&form, lang, catalog_text(lang, id), NULL);
	return arena_keep(arena, buf_str(&form));
}
