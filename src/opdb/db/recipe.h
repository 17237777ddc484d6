#pragma once
/*
 * A replacement of an operator: advice in two languages, and code before and after with the same result.
 *
 * A recipe has its operators, releases and conditions; everything lives in the database handle.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "opdb/model/release.h"

struct opdb;

struct recipe {
	struct str name;      /* "isin" */
	struct str operators; /* full names joined by ' ', each may end in a star; "" for a rule about no operator */
	struct str fits;      /* words of: off-device shapes dtype always; "dtype:fp64,complex": of these types alone */
	struct str effort;    /* flag, config, recipe, package, upgrade, port */
	struct str torch;     /* lowest version that runs the code */
	bool fixed;           /* shapes inside `after` do not depend on values */
	struct str tolerance; /* "exact" or a number */
	struct str sources;   /* addresses, joined by ' '; "" for a general rule */
	struct str cost_en, cost_zh; /* the cost of keeping the operator */
	struct str advice_en, advice_zh;
};

struct recipe_span {
	unsigned recipe; /* position */
	enum target_kind target;
	unsigned first, last; /* places of releases */
};

/* All recipes, by name. */
const struct recipe *opdb_recipes(const struct opdb *db, size_t *ret_count);

/* Returns whether it is about the operator of this full name. */
bool recipe_is_about(const struct recipe *recipe, struct str name);

/* Returns whether it holds on a release. */
bool recipe_holds_on(const struct opdb *db, const struct recipe *recipe, const struct release *release);

/* The data types (enum dtype) whose refusal it is about: DTYPE_ALL where it names none, 0 where it is about none. */
unsigned recipe_types(const struct recipe *recipe);

/* Its code, in arena. ERR_DB_DAMAGED, ERR_LIMIT. */
int recipe_code(
	const struct opdb *db, const struct recipe *recipe, struct arena *arena, struct str *ret, struct err *err);
