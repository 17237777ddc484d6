#include "dump/trace_sites.h"

#include <stdlib.h>

#include "base/figure.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

struct site {
	struct trace_surrounding at;
	uint64_t calls;
	int64_t self_ns, device_ns;
};

struct trace_sites {
	const struct dump_context *context;
	struct trace_ops *ops;
	uint64_t seed;
	struct {
		struct site *items;
		size_t count, capacity;
	} list;
	struct map by_surrounding;
};

struct trace_sites *trace_sites_new(const struct dump_context *context, struct trace_ops *ops)
{
	struct trace_sites *sites = mem_zalloc(sizeof(*sites));

	sites->context = context;
	sites->ops = ops;
	sites->seed = hash_seed();
	return sites;
}

void trace_sites_free(struct trace_sites *sites)
{
	if (!sites)
		return;
	free(sites->list.items);
	map_clear(&sites->by_surrounding);
	free(sites);
}

static bool is_same(const struct trace_surrounding *a, const struct trace_surrounding *b)
{
	return a->name == b->name && a->parent == b->parent && a->forward == b->forward && a->module == b->module &&
	       a->source == b->source;
}

static uint64_t hash_of(const struct trace_sites *sites, const struct trace_surrounding *at)
{
	uint64_t names = (uint64_t)at->name << 32 | at->parent, places = (uint64_t)at->module << 32 | at->source;

	return hash_mix(names ^ sites->seed, hash_mix(places ^ 0x9e3779b97f4a7c15u, sites->seed + at->forward));
}

uint32_t trace_sites_call(struct trace_sites *sites, const struct trace_surrounding *surrounding)
{
	uint64_t hash = hash_of(sites, surrounding);
	struct map_cursor at = map_start(&sites->by_surrounding, hash);

	while (map_next(&sites->by_surrounding, &at)) {
		if (is_same(&sites->list.items[at.index].at, surrounding)) {
			sites->list.items[at.index].calls++;
			return at.index;
		}
	}
	if (!(surrounding->parent | surrounding->forward | surrounding->module | surrounding->source))
		return TRACE_NO_SITE;
	if (sites->list.count >= sites->context->limits->links) {
		sites->context->facts->unlinked_calls++;
		return TRACE_NO_SITE;
	}
	map_add(&sites->by_surrounding, hash, (uint32_t)sites->list.count);
	MEM_PUSH(&sites->list, ((struct site){ .at = *surrounding, .calls = 1 }));
	return (uint32_t)sites->list.count - 1;
}

void trace_sites_add_time(struct trace_sites *sites, uint32_t site, int64_t self_ns)
{
	if (site != TRACE_NO_SITE)
		sites->list.items[site].self_ns = figure_add(sites->list.items[site].self_ns, self_ns);
}

void trace_sites_add_device(struct trace_sites *sites, uint32_t site, int64_t ns)
{
	if (site != TRACE_NO_SITE)
		sites->list.items[site].device_ns = figure_add(sites->list.items[site].device_ns, ns);
}

static void tell(const struct trace_sites *sites, unsigned stream, const struct site *site, enum relation relation,
	struct str other)
{
	const struct event_sink *sink = sites->context->sink;
	struct op_link link = { trace_ops_name(sites->ops, site->at.name), other, site->calls, site->self_ns, site->device_ns };

	sites->context->facts->details |= DUMP_LINKS;
	sink->links(sink->ctx, stream, relation, &link, 1);
}

void trace_sites_tell(const struct trace_sites *sites, unsigned stream)
{
	if (!sites->context->sink->links)
		return;
	for (size_t i = 0; i < sites->list.count; i++) {
		const struct site *site = &sites->list.items[i];

		if (site->at.parent)
			tell(sites, stream, site, RELATION_PARENT, trace_ops_name(sites->ops, site->at.parent));
		if (site->at.forward)
			tell(sites, stream, site, RELATION_FORWARD, trace_ops_name(sites->ops, site->at.forward));
	}
}
