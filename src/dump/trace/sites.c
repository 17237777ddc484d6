#include "dump/trace/sites.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"

struct site {
	struct trace_surrounding at;
	uint64_t calls;
	int64_t self_ns, device_ns;
};

struct trace_sites {
	const struct dump_context *context;
	struct trace_ops *ops;
	uint64_t seed;
	MEM_LIST(struct site) list;
	struct map by_surrounding;
};

struct trace_sites *trace_sites_new(const struct dump_context *context, struct trace_ops *ops)
{
	return MEM_NEW(struct trace_sites, .context = context, .ops = ops, .seed = hash_seed());
}

void trace_sites_free(struct trace_sites *sites)
{
	free(sites->list.items);
	map_clear(&sites->by_surrounding);
	free(sites);
}

static bool is_same(const struct trace_surrounding *a, const struct trace_surrounding *b)
{
	return a->name == b->name && a->parent == b->parent && a->forward == b->forward &&
	       a->place.module == b->place.module && a->place.source == b->place.source;
}

static uint64_t hash_of(const struct trace_sites *sites, const struct trace_surrounding *at)
{
	uint64_t names = (uint64_t)at->name << 32 | at->parent,
		 places = (uint64_t)at->place.module << 32 | at->place.source;

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
	if (!(surrounding->parent | surrounding->forward | surrounding->place.module | surrounding->place.source))
		return TRACE_NO_SITE;
	if (sites->list.count >= sites->context->limits->links) {
		sites->context->facts->unlinked_calls++;
		return TRACE_NO_SITE;
	}
	map_add(&sites->by_surrounding, hash, (uint32_t)sites->list.count);
	MEM_PUSH(&sites->list, ((struct site){ .at = *surrounding, .calls = 1 }));
	return (uint32_t)sites->list.count - 1;
}

void trace_sites_add(struct trace_sites *sites, uint32_t index, int64_t self_ns, int64_t device_ns)
{
	struct site *site;

	if (index == TRACE_NO_SITE)
		return;
	site = &sites->list.items[index];
	site->self_ns = figure_add(site->self_ns, self_ns);
	site->device_ns = figure_add(site->device_ns, device_ns);
}

void trace_sites_link(
	const struct trace_sites *sites, unsigned stream, enum relation relation, const struct op_link *link)
{
	static const enum dump_detail details[] = { [RELATION_PARENT] = DUMP_LINKS,
		[RELATION_FORWARD] = DUMP_LINKS,
		[RELATION_MODULE] = DUMP_MODULES,
		[RELATION_SOURCE] = DUMP_STACKS };
	const struct event_sink *sink = sites->context->sink;

	sites->context->facts->details |= details[relation];
	if (sink->links)
		sink->links(sink->ctx, stream, relation, link, 1);
}

static void emit_link(const struct trace_sites *sites, unsigned stream, const struct site *site, enum relation relation,
	struct str other)
{
	struct op_link link = { trace_ops_name(sites->ops, site->at.name), other, site->calls, site->self_ns,
		site->device_ns };

	trace_sites_link(sites, stream, relation, &link);
}

struct trace_place trace_sites_place(const struct trace_sites *sites, uint32_t site)
{
	return site == TRACE_NO_SITE ? (struct trace_place){ 0 } : sites->list.items[site].at.place;
}

void trace_sites_emit(const struct trace_sites *sites, const struct trace_places *places, unsigned stream)
{
	if (!sites->context->sink->links)
		return;
	for (size_t i = 0; i < sites->list.count; i++) {
		const struct site *site = &sites->list.items[i];

		if (site->at.parent)
			emit_link(sites, stream, site, RELATION_PARENT, trace_ops_name(sites->ops, site->at.parent));
		if (site->at.forward)
			emit_link(sites, stream, site, RELATION_FORWARD, trace_ops_name(sites->ops, site->at.forward));
		if (site->at.place.module)
			emit_link(
				sites, stream, site, RELATION_MODULE, trace_places_text(places, site->at.place.module));
		if (site->at.place.source)
			emit_link(
				sites, stream, site, RELATION_SOURCE, trace_places_text(places, site->at.place.source));
	}
}
