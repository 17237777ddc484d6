#include "check/lookup/recipe_list.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "report/doc/doc_build.h"

static bool has_recipe(const struct recipe_list *list, const struct recipe *recipe)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].recipe == recipe)
			return true;
	}
	return false;
}

static bool names(const struct result_verdict *verdict, struct str recipe)
{
	for (size_t i = 0; i < verdict->advice_count; i++) {
		const struct message *advice = &verdict->advice[i];

		if (strcmp(advice->id, "advice-recipe") == 0 && str_eq(advice->params[0].value, recipe))
			return true;
	}
	return false;
}

int recipe_list_take(struct recipe_list *list, const struct opdb *db, struct arena *arena,
	const struct result_verdict *verdict, struct err *err)
{
	size_t count;
	const struct recipe *recipes = opdb_recipes(db, &count);
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		struct recipe_item item = { .recipe = &recipes[i] };

		if ((verdict && !names(verdict, recipes[i].name)) || has_recipe(list, item.recipe))
			continue;
		status = recipe_code(db, item.recipe, arena, &item.code, err);
		if (!status && item.code.ptr)
			MEM_PUSH(list, item);
	}
	return status;
}

void recipe_list_clear(struct recipe_list *list)
{
	free(list->items);
	*list = (struct recipe_list){ 0 };
}

/* --- JSON */

static void put_words(struct jsonw *json, const char *key, struct str words)
{
	struct str word = { 0 };

	jsonw_key_list(json, key);
	while (words.len && str_cut(&words, ' ', &word))
		jsonw_str(json, word);
	jsonw_list_end(json);
}

static void put_item(struct jsonw *json, const struct recipe_item *item)
{
	const struct recipe *recipe = item->recipe;

	jsonw_fill(json, "{'id': $", recipe->name);
	put_words(json, "operators", recipe->operators);
	put_words(json, "when", recipe->fits);
	jsonw_fill(json, "'effort': $, 'torch': $", recipe->effort, recipe->torch);
	jsonw_key_bool(json, "static", recipe->fixed);
	jsonw_key_str(json, "tolerance", recipe->tolerance);
	put_words(json, "sources", recipe->sources);
	jsonw_fill(json, "'cost': {'en': $, 'zh-CN': $}, 'advice': {'en': $, 'zh-CN': $}, 'code': $}", recipe->cost_en,
		recipe->cost_zh, recipe->advice_en, recipe->advice_zh, item->code);
}

void recipe_list_put_json(const struct recipe_list *list, struct jsonw *json)
{
	jsonw_key_list(json, "recipes");
	for (size_t i = 0; i < list->count; i++)
		put_item(json, &list->items[i]);
	jsonw_list_end(json);
}

static void put_recipe(struct doc *doc, const struct recipe_item *item)
{
	const struct recipe *recipe = item->recipe;
	struct str sources = recipe->sources, source = { 0 };
	bool chinese = doc->options.lang == LANG_ZH_CN;

	doc_say_with(doc, BLOCK_PARAGRAPH, "recipe-title", BLANK("recipe", recipe->name),
		BLANK("effort", recipe->effort), BLANK("tolerance", recipe->tolerance), BLANK("torch", recipe->torch));
	doc_say_styled(doc, BLOCK_FIELD, SPAN_PLAIN, chinese ? recipe->advice_zh : recipe->advice_en);
	doc_say_styled(doc, BLOCK_FIELD, SPAN_PLAIN, chinese ? recipe->cost_zh : recipe->cost_en);
	while (sources.len && str_cut(&sources, ' ', &source)) {
		doc_open(doc, BLOCK_FIELD);
		doc_link(doc, SPAN_PLAIN, source, STR(""));
		doc_close(doc);
	}
	doc_code(doc, STR("python"), item->code);
}

void recipe_list_build(struct doc *doc, const struct recipe_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		doc_section(doc, NULL);
		put_recipe(doc, &list->items[i]);
		doc_close(doc);
	}
}
