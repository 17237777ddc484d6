#include "report/catalog.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

extern const char catalog_en[], catalog_zh_cn[];

struct entry {
	struct str id, text;
};

static struct catalog {
	struct entry *items;
	size_t count, capacity;
} catalogs[LANG_COUNT];
static pthread_once_t parsed = PTHREAD_ONCE_INIT;

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

static int by_id(const void *a, const void *b)
{
	return str_cmp(((const struct entry *)a)->id, ((const struct entry *)b)->id);
}

static void parse(struct catalog *catalog, struct str source)
{
	struct str line;

	while (str_cut(&source, '\n', &line)) {
		size_t colon = str_find(line, STR(": "));

		if (colon != STR_NONE && line.ptr[0] != '#')
			MEM_PUSH(catalog, ((struct entry){ str_sub(line, 0, colon), str_skip(line, colon + 2) }));
	}
	qsort(catalog->items, catalog->count, sizeof(catalog->items[0]), by_id);
}

static void parse_all(void)
{
	parse(&catalogs[LANG_EN], str_from(catalog_en));
	parse(&catalogs[LANG_ZH_CN], str_from(catalog_zh_cn));
}

__attribute__((destructor)) static void free_all(void)
{
	for (size_t i = 0; i < LANG_COUNT; i++)
		free(catalogs[i].items);
}

static const struct entry *find(enum lang lang, struct str id)
{
	struct entry key = { .id = id };

	pthread_once(&parsed, parse_all);
	return bsearch(&key, catalogs[lang].items, catalogs[lang].count, sizeof(key), by_id);
}

bool catalog_has(enum lang lang, struct str id)
{
	return find(lang, id);
}

struct str catalog_text(enum lang lang, struct str id)
{
	const struct entry *entry = find(lang, id);

	if (!entry)
		entry = find(LANG_EN, id);
	return entry ? entry->text : id;
}

struct str catalog_id(enum lang lang, size_t index)
{
	pthread_once(&parsed, parse_all);
	return index < catalogs[lang].count ? catalogs[lang].items[index].id : STR("");
}

static struct str value_of(const struct message *message, struct str name)
{
	for (size_t i = 0; i < message->count; i++) {
		if (str_eq(str_from(message->params[i].name), name))
			return message->params[i].value;
	}
	return STR("?");
}

void catalog_put(struct buf *buf, enum lang lang, const struct message *message)
{
	struct str text = catalog_text(lang, str_from(message->id));

	for (;;) {
		size_t open = str_find(text, STR("{")), close;

		if (open == STR_NONE)
			break;
		close = str_find(str_skip(text, open), STR("}"));
		if (close == STR_NONE)
			break;
		buf_add(buf, str_sub(text, 0, open));
		buf_add(buf, value_of(message, str_sub(text, open + 1, open + close)));
		text = str_skip(text, open + close + 1);
	}
	buf_add(buf, text);
}
