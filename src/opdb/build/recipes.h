#pragma once
/* Recipes: a table that names releases of both targets, and a file of code for each of its rows. */
#include "base/memory/arena.h"
#include "opdb/build/store.h"
#include "opdb/text/fact_text.h"

#define RECIPES_FILE "recipes/recipes.tsv"
#define RECIPES_COLUMNS "recipe operators when npu musa effort torch static tolerance sources cost_en cost_zh en zh"

enum { RECIPE_FILES = 512 };

/* Appends to text->files, which has room for RECIPE_FILES more, the names of the files with the code of the recipes
   that a directory lists. They live in arena. ERR_FACT, ERR_LIMIT. */
int recipe_files(const char *text_dir, struct arena *arena, struct fact_text *text, struct err *err);

/* Stores a recipe with its code, and the spans of releases on which it holds. */
int recipe_store(struct build *build, const struct tsv *tsv, struct err *err);
