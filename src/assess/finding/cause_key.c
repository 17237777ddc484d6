#include "assess/finding/cause_key.h"

#include <stdlib.h>

#include "assess/judge/sparse.h"

const struct message *cause_recipe_advice(const struct result_finding *finding)
{
	return FIND(i, finding->advice, finding->advice_count, strcmp(finding->advice[i].id, "advice-recipe") == 0);
}

struct str cause_recipe_of(const struct result_finding *finding)
{
	const struct message *advice = cause_recipe_advice(finding);

	return advice ? message_value(advice, "recipe") : STR("");
}

/* --- recipes */

static const char by_values[] = "shape-data-dependent";

static struct cause_recipe *find_recipe(const struct cause_keys *keys, struct str name)
{
	return FIND(i, keys->recipes.items, keys->recipes.count, str_eq(keys->recipes.items[i].name, name));
}

struct cause_keys cause_keys_of(const struct result_finding *const *findings, size_t count)
{
	struct cause_keys keys = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct cause_recipe fresh = { .name = cause_recipe_of(findings[i]) }, *recipe;

		if (!fresh.name.len)
			continue;
		if (!find_recipe(&keys, fresh.name))
			MEM_PUSH(&keys.recipes, fresh);
		recipe = find_recipe(&keys, fresh.name);
		recipe->grave |= findings[i]->severity != SEVERITY_NOTE;
		recipe->by_values |= strcmp(findings[i]->what.id, by_values) == 0;
	}
	return keys;
}

void cause_keys_clear(struct cause_keys *keys)
{
	free(keys->recipes.items);
	*keys = (struct cause_keys){ 0 };
}

/* --- keys */

/* Rules that ask the same of a reader as another one. */
static const struct {
	const char *rule, *family;
} families[] = {
	{ "op-host-path", "op-aicpu" }, /* slow on the device: measure it there */
	{ "dtype-int64-keys", "op-aicpu" },
	{ "op-compiles", "shape-recompile" },
	{ "op-out-variant", "op-overload" },
	{ "observed-aicpu-kernel", "observed-aicpu" },
};

static const char *family_of(const char *rule)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		if (strcmp(families[i].rule, rule) == 0)
			return families[i].family;
	}
	return rule;
}

/* The first of "fp64, bool" where the finding is about types; those of int64 keys are no types to avoid. */
static struct str type_of(const struct result_finding *finding)
{
	struct str types = message_value(&finding->what, "dtypes");

	if (strcmp(finding->what.id, "dtype-int64-keys") == 0)
		return STR("");
	return str_sub(types, 0, str_find(types, STR(",")) == STR_NONE ? types.len : str_find(types, STR(",")));
}

struct cause_key cause_key_of(const struct cause_keys *keys, const struct result_finding *finding)
{
	const char *rule = finding->what.id;
	struct str package = message_value(&finding->what, "package"), type = type_of(finding);
	const struct cause_recipe *recipe = find_recipe(keys, cause_recipe_of(finding));

	if (package.len)
		return (struct cause_key){ rule, package };
	if (recipe && recipe->grave)
		return (struct cause_key){ "recipe", recipe->name };
	if (type.len)
		return (struct cause_key){ "type", type };
	if (recipe && recipe->by_values)
		return (struct cause_key){ by_values, STR("") };
	return (struct cause_key){ family_of(rule), sparse_by_name(finding->operator_name) ? STR("sparse") : STR("") };
}
