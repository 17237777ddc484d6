#include "opdb/db/apis.h"

#include "base/memory/mem.h"
#include "opdb/db/queries.h"

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
	ret->items = row_list(&row, limits.items, limits.count * sizeof(limits.items[0]), &more, err);
	ret->count = ret->items ? limits.count : 0;
	return more;
}

int opdb_api_support(
	const struct opdb *db, struct str api, const struct release *release, struct api_support *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct api_limits limits = { .arena = &arena };
	int code = opdb_api_limits(db, api, release, &limits, err);

	*ret = (struct api_support){ .is_of_release = release->own_document, .url = limits.url };
	for (size_t i = 0; i < limits.count && ret->says != API_SUPPORTED; i++)
		ret->says = limits.items[i].says == API_NOT_SAID ? ret->says : limits.items[i].says;
	return code;
}
