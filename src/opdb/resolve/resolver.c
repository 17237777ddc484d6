#include "opdb/resolve/resolver.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "opdb/resolve/question.h"

enum { RESOLVER_BYTES = 512 * 1024 * 1024 };

const struct opdb *resolver_db(const struct resolver *resolver)
{
	return resolver->db;
}

struct resolver *resolver_new(const struct opdb *db)
{
	struct resolver *resolver = mem_zalloc(sizeof(*resolver));

	resolver->db = db;
	resolver->arena = ARENA_INIT(RESOLVER_BYTES);
	resolver->facts = (struct facts){ .db = db, .arena = &resolver->arena };
	resolver->urls = mem_zalloc(db->releases.count * sizeof(resolver->urls[0]));
	return resolver;
}

void resolver_without_reported(struct resolver *resolver)
{
	resolver->without_reported = true;
}

void resolver_without_repository(struct resolver *resolver, struct str repository)
{
	resolver->without_repository = repository;
}

void resolver_set_texts(struct resolver *resolver, bool wanted)
{
	resolver->without_texts = !wanted;
}

void resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	for (size_t i = 0; i < resolver->db->releases.count; i++)
		free(resolver->urls[i]);
	free(resolver->urls);
	free(resolver->scratch);
	free(resolver->walks.items);
	map_clear(&resolver->walks.map);
	facts_clear(&resolver->facts);
	arena_clear(&resolver->arena);
	free(resolver);
}
