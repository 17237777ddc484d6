#pragma once
/* Recipes with their code: those that verdicts name in their advice, or all. */
#include "assess/model/result_operator.h"
#include "opdb/db/recipe.h"
#include "record/record.h"
#include "report/doc/catalog.h"

struct recipe_list {
	struct recipe_item {
		struct recipe recipe;
		struct str code;
	} * items; /* on the heap while it grows */
	size_t count, capacity;
};

/* Appends the recipes that a verdict's advice names, or all (NULL), as far as the list does not have them; their code
   lives in arena. ERR_DB_DAMAGED, ERR_LIMIT. */
int recipe_list_take(struct recipe_list *list, const struct opdb *db, struct arena *arena,
	const struct result_verdict *verdict, struct err *err);

void recipe_list_clear(struct recipe_list *list);

extern const struct record recipe_record; /* struct recipe_item */

struct doc;

/* Each with what it says and its code. */
void recipe_list_build(struct doc *doc, const struct recipe_list *list);
