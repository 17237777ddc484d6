#include "check/site/site_state.h"

#include "check/lookup/lookup_related.h"
#include "opdb/db/lists.h"
#include "opdb/db/names.h"

static void find_releases(struct site *site, size_t newest)
{
	bool wanted[TARGET_COUNT] = { false };
	size_t total, count;

	opdb_releases(site->db, &total);
	site->releases = arena_alloc(&site->arena, (total + 1) * sizeof(site->releases[0]));
	for (size_t i = 0; i < site->targets->count; i++)
		wanted[site->targets->items[i].release->target] = true;
	for (unsigned family = 0; family < TARGET_COUNT; family++) {
		const struct release *releases = opdb_target_releases(site->db, (enum target_kind)family, &count);

		for (size_t i = count > newest ? count - newest : 0; wanted[family] && i < count; i++)
			site->releases[site->release_count++] = target_of(&releases[i]);
	}
}

/* One resolver for a release: it keeps the facts that names share. */
static int judge_column(struct site *site, const struct target *target, size_t column, struct err *err)
{
	struct resolver *resolver = resolver_new(site->db);
	size_t columns = site->targets->count + site->release_count;
	int status = 0;

	resolver_set_texts(resolver, false);
	for (size_t i = 0; i < site->name_count && !status; i++) {
		enum op_status is = OP_UNKNOWN;

		status = lookup_status(resolver, target, site->names[i], &is, err);
		site->statuses[i * columns + column] = (unsigned char)is;
	}
	resolver_free(resolver);
	return status;
}

int site_state_find(struct site *site, size_t newest, struct err *err)
{
	struct name_list names = { 0 };
	int status = opdb_names_with_prefix(site->db, STR(""), &site->arena, &names, err)
			     ?: recipe_list_take(&site->recipes, site->db, &site->arena, NULL, err);

	if (status)
		return status;
	qsort(names.items, names.count, sizeof(names.items[0]), str_order); /* they come by namespace */
	site->names = names.items;
	site->name_count = names.count;
	find_releases(site, newest);
	site->statuses = arena_alloc(
		&site->arena, (site->name_count + 1) * (site->targets->count + site->release_count));
	for (size_t i = 0; i < site->targets->count && !status; i++)
		status = judge_column(site, &site->targets->items[i], i, err);
	for (size_t i = 0; i < site->release_count && !status; i++)
		status = judge_column(site, &site->releases[i], site->targets->count + i, err);
	return status;
}

void site_state_clear(struct site *site)
{
	recipe_list_clear(&site->recipes);
	arena_clear(&site->arena);
}

size_t site_find_name(const struct site *site, struct str name)
{
	const struct str *found = bsearch(&name, site->names, site->name_count, sizeof(site->names[0]), str_order);

	return found ? (size_t)(found - site->names) : site->name_count;
}
