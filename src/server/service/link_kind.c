#include "server/service/link_kind.h"

void link_put(struct jsonw *json, const struct field *field, const void *item)
{
	const struct link_kind *link = (const struct link_kind *)(const void *)field->kind;

	jsonw_fill(json, link->pattern, *(const struct str *)field_of(field, item));
}
