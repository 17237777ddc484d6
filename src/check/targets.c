#include "check/targets.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/jsonw.h"
#include "opdb/db/lists.h"

/* --- choosing */

void target_list_clear(struct target_list *list)
{
	free(list->items);
	*list = (struct target_list){ 0 };
}

static bool is_chosen(const struct target_list *list, const struct target *target)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i].id, target->id) == 0)
			return true;
	}
	return false;
}

int targets_choose(const struct opdb *db, const struct str *specs, size_t count, struct str torch,
	struct target_list *ret, struct err *err)
{
	static const struct str usual[] = { { "npu", 3 }, { "musa", 4 } };

	*ret = (struct target_list){ 0 };
	if (!count) {
		specs = usual;
		count = ARRAY_SIZE(usual);
	}
	for (size_t i = 0; i < count; i++) {
		struct target target;
		int status = target_resolve(db, specs[i], torch, &target, err);

		if (status) {
			target_list_clear(ret);
			return status;
		}
		if (!is_chosen(ret, &target))
			MEM_PUSH(ret, target);
	}
	return 0;
}

/* --- listing */

static int put_release(
	const struct opdb *db, const struct release *release, struct arena *arena, struct jsonw *json, struct err *err)
{
	struct alias_list aliases;
	int status = target_aliases(db, release, arena, &aliases, err);

	if (status)
		return status;
	jsonw_object(json);
	jsonw_key_str(json, "id", release->id);
	jsonw_key_str(json, "torch", release->torch);
	jsonw_key_str(json, "plugin", release->plugin);
	jsonw_key_str(json, "cann", release->cann);
	jsonw_key_str(json, "date", release->date);
	jsonw_key_str(json, "fallback", release->fallback);
	jsonw_key_bool(json, "stable", release->kind == RELEASE_FINAL);
	jsonw_key(json, "aliases");
	jsonw_list(json);
	for (size_t i = 0; i < aliases.count; i++)
		jsonw_str(json, aliases.items[i]);
	jsonw_list_end(json);
	jsonw_object_end(json);
	return 0;
}

int targets_put_json(const struct opdb *db, struct buf *out, struct err *err)
{
	struct jsonw json = jsonw_start(out, 2);
	struct arena arena = ARENA_INIT(1 << 24);
	size_t count;
	const struct release *releases = opdb_releases(db, &count);
	int status = 0;

	jsonw_object(&json);
	jsonw_key(&json, "targets");
	jsonw_list(&json);
	for (size_t i = 0; i < count && !status; i++)
		status = put_release(db, &releases[i], &arena, &json, err);
	jsonw_list_end(&json);
	jsonw_object_end(&json);
	arena_clear(&arena);
	return status;
}
