#include "opdb/db/lists.h"

#include "base/memory/hash.h"
#include "base/view/ascii.h"
#include "opdb/db/handle.h"

const struct opdb_info *opdb_info(const struct opdb *db)
{
	return &db->info;
}

const struct release *opdb_releases(const struct opdb *db, size_t *ret_count)
{
	*ret_count = db->releases.count;
	return db->releases.items;
}

const struct release *opdb_target_releases(const struct opdb *db, enum target_kind target, size_t *ret_count)
{
	size_t first = 0, count = 0;

	while (first < db->releases.count && db->releases.items[first].target != target)
		first++;
	while (first + count < db->releases.count && db->releases.items[first + count].target == target)
		count++;
	*ret_count = count;
	return count ? &db->releases.items[first] : NULL;
}

/* Final releases before candidates, then by plugin, then by torch. Among candidates the place tells. */
static bool is_newer(const struct release *a, const struct release *b)
{
	int order;

	if (a->kind != b->kind)
		return a->kind == RELEASE_FINAL;
	if (a->kind == RELEASE_CANDIDATE)
		return a->place > b->place;
	order = str_natural_cmp(a->plugin, b->plugin);
	return order ? order > 0 : a->torch_place > b->torch_place;
}

const struct release *opdb_newest(const struct opdb *db, enum target_kind target, struct str torch)
{
	size_t count;
	const struct release *releases = opdb_target_releases(db, target, &count), *newest = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct release *release = &releases[i];

		if (release->kind == RELEASE_DEVELOPMENT || (torch.len && !str_eq(torch, release->torch)))
			continue;
		if (!newest || is_newer(release, newest))
			newest = release;
	}
	return newest;
}

const struct source *opdb_sources(const struct opdb *db, size_t *ret_count)
{
	*ret_count = db->sources.count;
	return db->sources.items;
}

const struct implied_rule *opdb_implied(const struct opdb *db, size_t *ret_count)
{
	*ret_count = db->implied.count;
	return db->implied.items;
}

const struct special *special_find(const struct opdb *db, struct str base)
{
	uint32_t at = MAP_FIND(&db->special_map, db->specials.items, base);

	return at == MAP_NONE ? NULL : &db->specials.items[at];
}

/* "vllm::rocm_*" fits what begins so. */
static bool is_part(struct str rule, struct str ns, struct str base)
{
	return rule.len > ns.len + 2 && str_starts(rule, ns) && str_starts(str_skip(rule, ns.len), STR("::")) &&
	       str_starts(base, str_chop(str_skip(rule, ns.len + 2), 1));
}

const struct namespace_rule *namespace_find(const struct opdb *db, struct str ns, struct str base)
{
	const struct namespace_rule *whole = NULL;

	for (size_t i = 0; i < db->namespaces.count; i++) {
		const struct namespace_rule *rule = &db->namespaces.items[i];

		if (base.len && is_part(rule->ns, ns, base))
			return rule;
		whole = str_eq(rule->ns, ns) ? rule : whole;
	}
	return whole;
}
