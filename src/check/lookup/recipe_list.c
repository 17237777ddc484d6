#include "check/lookup/recipe_list.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/doc/doc_build.h"

static bool names(const struct result_verdict *verdict, struct str recipe)
{
	const struct message *advice = verdict->advice;

	return ANY(i, verdict->advice_count,
		strcmp(advice[i].id, "advice-recipe") == 0 && str_eq(advice[i].params[0].value, recipe));
}

int recipe_list_take(struct recipe_list *list, const struct opdb *db, struct arena *arena,
	const struct result_verdict *verdict, struct err *err)
{
	size_t count;
	const struct recipe *recipes = opdb_recipes(db, &count);
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		struct recipe_item item = { .recipe = recipes[i] };

		if ((verdict && !names(verdict, recipes[i].name)) ||
			ANY(j, list->count, str_eq(list->items[j].recipe.name, recipes[i].name)))
			continue;
		status = recipe_code(db, &recipes[i], arena, &item.code, err);
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

/* clang-format off */
static const struct record cost_record = { sizeof(struct recipe), (const struct field[]){
	{ "en", &kind_text, AT(recipe, cost_en) },
	{ "zh-CN", &kind_text, AT(recipe, cost_zh) },
	{ 0 } } };

static const struct record advice_record = { sizeof(struct recipe), (const struct field[]){
	{ "en", &kind_text, AT(recipe, advice_en) },
	{ "zh-CN", &kind_text, AT(recipe, advice_zh) },
	{ 0 } } };

const struct record recipe_record = { sizeof(struct recipe_item), (const struct field[]){
	{ "id", &kind_text, AT(recipe_item, recipe.name) },
	{ "operators", &kind_joined, AT(recipe_item, recipe.operators) },
	{ "when", &kind_joined, AT(recipe_item, recipe.fits) },
	{ "effort", &kind_text, AT(recipe_item, recipe.effort) },
	{ "torch", &kind_text, AT(recipe_item, recipe.torch) },
	{ "static", &kind_bool, AT(recipe_item, recipe.fixed) },
	{ "tolerance", &kind_text, AT(recipe_item, recipe.tolerance) },
	{ "sources", &kind_joined, AT(recipe_item, recipe.sources) },
	{ "cost", &kind_object, AT(recipe_item, recipe), .record = &cost_record },
	{ "advice", &kind_object, AT(recipe_item, recipe), .record = &advice_record },
	{ "code", &kind_text, AT(recipe_item, code) },
	{ 0 } } };
/* clang-format on */

/* --- the document */

static void put_recipe(struct doc *doc, const struct recipe_item *item)
{
	const struct recipe *recipe = &item->recipe;
	struct str sources = recipe->sources, source = { 0 };
	bool chinese = doc->options.lang == LANG_ZH_CN;

	doc_say_with(doc, BLOCK_PARAGRAPH, "recipe-title", BLANK("recipe", recipe->name),
		BLANK("effort", recipe->effort), BLANK("tolerance", recipe->tolerance), BLANK("torch", recipe->torch));
	doc_say_styled(doc, BLOCK_FIELD, SPAN_PLAIN, chinese ? recipe->advice_zh : recipe->advice_en);
	doc_say_styled(doc, BLOCK_FIELD, SPAN_PLAIN, chinese ? recipe->cost_zh : recipe->cost_en);
	while (sources.len && str_cut(&sources, ' ', &source)) {
		doc_say_link(doc, BLOCK_FIELD, SPAN_PLAIN, source, STR(""));
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
