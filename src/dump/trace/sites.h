#pragma once
/*
 * Call sites of operators: counts of each distinct name in each distinct surrounding, and the links made from them.
 *
 * Names are numbers of trace_ops. The number of sites is bounded by limits.links; calls from further ones are
 * counted.
 */
#include "dump/trace/ops.h"
#include "dump/trace/places.h"

#define TRACE_NO_SITE UINT32_MAX

struct trace_sites;

/* Surroundings of a call; 0: unknown. Names are numbers of operators and autograd nodes, plus one. */
struct trace_surrounding {
	uint32_t name;            /* of the call itself */
	uint32_t parent;          /* the innermost operator or autograd node around it */
	uint32_t forward;         /* the forward operator that an autograd node belongs to */
	struct trace_place place; /* that the call recorded itself */
};

struct trace_sites *trace_sites_new(const struct dump_context *context, struct trace_ops *ops);
void trace_sites_free(struct trace_sites *sites);

/* Count a call and return its site; TRACE_NO_SITE without surroundings or over the limit. */
uint32_t trace_sites_call(struct trace_sites *sites, const struct trace_surrounding *surrounding);

/* Adds to the times of a site, if it is one. */
void trace_sites_add(struct trace_sites *sites, uint32_t site, int64_t self_ns, int64_t device_ns);

/* Where calls of a site say that they come from. */
struct trace_place trace_sites_place(const struct trace_sites *sites, uint32_t site);

/* Emits one link, and notes that the dump has such. */
void trace_sites_link(
	const struct trace_sites *sites, unsigned stream, enum relation relation, const struct op_link *link);

/* Emits all links. places: NULL when no site has one. */
void trace_sites_emit(const struct trace_sites *sites, const struct trace_places *places, unsigned stream);
