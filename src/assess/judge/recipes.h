#pragma once
/* The recipes that fit a verdict or a finding, as advice: which operator, which release and what is wrong decide. */
#include "assess/model/result.h"
#include "opdb/db/opdb.h"
#include "opdb/db/recipe.h"

/* Problems of an operator, certain or possible. */
struct recipe_case {
	struct str name;               /* "aten::isin" */
	const struct release *release; /* NULL: any */
	bool off_device;               /* it does not run on the device, or may not */
	bool by_shapes;                /* the shape of its result depends on values */
	unsigned types;                /* enum dtype: those that are, or may be, refused; DTYPE_ALL: unknown */
	bool types_alone;              /* it is off the device because of them, and for no other reason */
};

bool recipe_fits_case(const struct opdb *db, const struct recipe *recipe, const struct recipe_case *what);

/* Returns whether the recipe of this name is offered for data types alone. */
bool recipe_is_for_types(const struct opdb *db, struct str name);

/* Puts the recipes that the advice on findings names, with their code. ERR_DB_DAMAGED, ERR_LIMIT. */
int recipes_put(const struct opdb *db, struct result *result, struct err *err);

/* Appends what they say to a list of advice, which moves to new memory in arena. Statements that are there stay. */
void recipes_advise(struct arena *arena, const struct opdb *db, const struct recipe_case *what, struct message **advice,
	size_t *count);
