#include "assess/judge/recipes.h"

#include "base/view/ascii.h"

/* More on one operator than a reader needs. */
enum { MOST_RECIPES = 8 };

bool recipe_fits_case(const struct opdb *db, const struct recipe *recipe, const struct recipe_case *what)
{
	unsigned types;
	bool other_types;

	if (!recipe_is_about(recipe, what->name) || (what->release && !recipe_holds_on(db, recipe, what->release)))
		return false;
	types = recipe_types(recipe);
	other_types = what->types_alone && types && !(types & what->types);
	return str_has_word(recipe->fits, STR("always")) ||
	       (what->off_device && !other_types && str_has_word(recipe->fits, STR("off-device"))) ||
	       (what->by_shapes && str_has_word(recipe->fits, STR("shapes"))) || (types & what->types);
}

bool recipe_is_for_types(const struct opdb *db, struct str name)
{
	size_t count;
	const struct recipe *recipes = opdb_recipes(db, &count);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(recipes[i].name, name))
			return recipe_types(&recipes[i]) && !str_has_word(recipes[i].fits, STR("off-device")) &&
			       !str_has_word(recipes[i].fits, STR("always"));
	}
	return false;
}

static bool is_there(const struct message *advice, size_t count, struct str recipe)
{
	return ANY(i, count,
		advice[i].count && str_eq(advice[i].params[0].value, recipe) &&
			str_eq(str_from(advice[i].id), STR("advice-recipe")));
}

void recipes_advise(struct arena *arena, const struct opdb *db, const struct recipe_case *what, struct message **advice,
	size_t *count)
{
	const struct recipe *fitting[MOST_RECIPES];
	struct message *list;
	size_t all, found = 0;
	const struct recipe *recipes = opdb_recipes(db, &all);

	for (size_t i = 0; i < all && found < MOST_RECIPES; i++) {
		if (recipe_fits_case(db, &recipes[i], what) && !is_there(*advice, *count, recipes[i].name))
			fitting[found++] = &recipes[i];
	}
	if (!found)
		return;
	list = arena_alloc(arena, (*count + found) * sizeof(list[0]));
	if (*count)
		memcpy(list, *advice, *count * sizeof(list[0]));
	/* both languages go along: a report is rendered in either without the database */
	for (size_t i = 0; i < found; i++)
		list[*count + i] = *MESSAGE(arena, "advice-recipe", COPY("recipe", fitting[i]->name),
			COPY("effort", fitting[i]->effort), COPY("advice_en", fitting[i]->advice_en),
			COPY("advice_zh", fitting[i]->advice_zh), COPY("cost_en", fitting[i]->cost_en),
			COPY("cost_zh", fitting[i]->cost_zh));
	*advice = list;
	*count += found;
}

int recipes_put(const struct opdb *db, struct result *result, struct err *err)
{
	size_t all;
	const struct recipe *recipes = opdb_recipes(db, &all);
	int status = 0;

	result->recipes = arena_alloc(&result->arena, (all + 1) * sizeof(result->recipes[0]));
	for (size_t i = 0; i < all && !status; i++) {
		struct result_recipe *ret = &result->recipes[result->recipe_count];

		if (!ANY(f, result->finding_count,
			    is_there(result->findings[f].advice, result->findings[f].advice_count, recipes[i].name)))
			continue;
		*ret = (struct result_recipe){ arena_keep(&result->arena, recipes[i].name),
			arena_keep(&result->arena, recipes[i].torch), arena_keep(&result->arena, recipes[i].tolerance),
			STR("") };
		status = recipe_code(db, &recipes[i], &result->arena, &ret->code, err);
		result->recipe_count++;
	}
	return status;
}
