#include "check/lookup/search.h"

#include "base/view/ascii.h"
#include "opdb/db/names.h"

static bool name_holds(struct str name, struct str word)
{
	for (size_t at = 0; at + word.len <= name.len; at++) {
		if (str_eq_fold(str_sub(name, at, at + word.len), word))
			return true;
	}
	return false;
}

static bool name_fits(struct str name, struct str words)
{
	struct str word;

	while (str_cut(&words, ' ', &word)) {
		if (!name_holds(name, word))
			return false;
	}
	return true;
}

int search_operators(const struct opdb *db, const struct search *search, struct arena *arena, struct search_result *ret,
	struct err *err)
{
	struct name_list all = { 0 };
	int status = opdb_names_with_prefix(db, STR(""), arena, &all, err);

	if (status)
		return status;
	*ret = (struct search_result){ .names = arena_alloc(arena, (all.count + 1) * sizeof(ret->names[0])) };
	if (!ret->names)
		return err_set(err, ERR_LIMIT, "the list of names takes too much memory");
	for (size_t i = 0; i < all.count; i++) {
		if (!name_fits(all.items[i], search->words))
			continue;
		ret->total++;
		if (str_cmp(all.items[i], search->after) <= 0)
			continue;
		if (ret->count < search->max)
			ret->names[ret->count++] = all.items[i];
		else
			ret->more = true;
	}
	return 0;
}
