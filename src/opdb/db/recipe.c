#include "opdb/db/recipe.h"

#include "opdb/db/queries.h"
#include "opdb/model/dtype.h"

const struct recipe *opdb_recipes(const struct opdb *db, size_t *ret_count)
{
	*ret_count = db->recipes.count;
	return db->recipes.items;
}

bool recipe_is_about(const struct recipe *recipe, struct str name)
{
	struct str rest = recipe->operators, item = { 0 };

	while (rest.len && str_cut(&rest, ' ', &item)) {
		if (str_ends(item, STR("*")) ? str_starts(name, str_sub(item, 0, item.len - 1)) : str_eq(item, name))
			return true;
	}
	return false;
}

bool recipe_holds_on(const struct opdb *db, const struct recipe *recipe, const struct release *release)
{
	size_t index = (size_t)(recipe - db->recipes.items);
	const struct recipe_span *spans = db->recipe_spans.items;

	return ANY(i, db->recipe_spans.count,
		spans[i].recipe == index && spans[i].target == release->target && spans[i].first <= release->place &&
			release->place <= spans[i].last);
}

unsigned recipe_types(const struct recipe *recipe)
{
	struct str rest = recipe->fits, item = { 0 };
	unsigned types = 0, more;

	while (rest.len && str_cut(&rest, ' ', &item))
		types |= dtypes_of_reason(item, &more) ? more : 0;
	return types;
}

int recipe_code(
	const struct opdb *db, const struct recipe *recipe, struct arena *arena, struct str *ret, struct err *err)
{
	struct row row = row_begin(db, QUERY_RECIPE_CODE, arena);
	int more;

	row_bind_number(&row, 1, recipe - db->recipes.items + 1);
	more = row_next(&row, err);
	if (more < 0)
		return more;
	if (!more)
		return db_damaged(err, "a recipe is missing");
	query_row_read(&row, ret);
	row_stop(&row);
	if (row.full)
		return err_set(err, ERR_LIMIT, "the recipes take too much memory");
	return row.damaged ? db_damaged(err, "a recipe is not text") : 0;
}
