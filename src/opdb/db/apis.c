#include "opdb/db/apis.h"

#include "base/memory/mem.h"
#include "opdb/db/queries.h"

int opdb_api_support(
	const struct opdb *db, struct str api, const struct release *release, struct api_support *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct row row = row_begin(db, QUERY_API_SUPPORT, &arena);
	int more;

	*ret = (struct api_support){ .is_of_release = release->own_document, .url = STR("") };
	if (!release->has_document)
		return 0;
	ret->url = db->documents.items[release->document].url;
	row_bind_text(&row, 1, api);
	row_bind_number(&row, 2, release->document);
	while ((more = row_next(&row, err)) > 0) {
		struct api_limit limit;

		query_row_read(&row, &limit);
		if (ret->says != API_SUPPORTED && limit.says != API_NOT_SAID)
			ret->says = limit.says;
	}
	return more;
}

int opdb_api_limits(
	const struct opdb *db, struct str api, const struct release *release, struct api_limits *ret, struct err *err)
{
	MEM_LIST(struct api_limit) limits = { 0 };
	struct row row;
	int more;

	*ret = (struct api_limits){ .arena = ret->arena, .url = STR("") };
	if (!release->has_document)
		return 0;
	ret->url = db->documents.items[release->document].url;
	row = row_begin(db, QUERY_API_SUPPORT, ret->arena);
	row_bind_text(&row, 1, api);
	row_bind_number(&row, 2, release->document);
	while ((more = row_next(&row, err)) > 0) {
		struct api_limit limit;

		query_row_read(&row, &limit);
		MEM_PUSH(&limits, limit);
	}
	if (!more && limits.count) {
		ret->items = arena_alloc(ret->arena, limits.count * sizeof(limits.items[0]));
		if (!ret->items)
			more = err_set(err, ERR_LIMIT, "what documents say of an API takes too much memory");
		else
			memcpy(ret->items, limits.items, limits.count * sizeof(limits.items[0]));
		ret->count = ret->items ? limits.count : 0;
	}
	mem_release(&limits.items);
	return more;
}
