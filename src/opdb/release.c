#include "opdb/release.h"

#include "base/mem.h"
#include "opdb/db.h"

static const struct {
	struct str name, plugin;
} targets[TARGET_COUNT] = {
	[TARGET_NPU] = { STR("npu"), STR("torch_npu") },
	[TARGET_MUSA] = { STR("musa"), STR("torch_musa") },
};

struct str target_kind_name(enum target_kind target)
{
	return targets[target].name;
}

struct str target_plugin_name(enum target_kind target)
{
	return targets[target].plugin;
}

bool target_kind_from(struct str text, enum target_kind *ret)
{
	for (unsigned i = 0; i < TARGET_COUNT; i++) {
		if (str_eq(text, targets[i].name)) {
			*ret = i;
			return true;
		}
	}
	return false;
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
