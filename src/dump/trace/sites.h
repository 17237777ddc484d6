#pragma once
/*
 * From where operators were called: what was counted of each distinct name in each distinct surrounding, and the links
 * emitted of it.
 *
 * Names are numbers of trace_ops. The number of sites is bounded by limits.links; calls from further ones are counted.
 */
#include "dump/trace/ops.h"
#include "dump/trace/places.h"

#define TRACE_NO_SITE UINT32_MAX

struct trace_sites;

/* What a call ran in; 0: nothing that is known. Names are those of operators and autograd nodes, and one. */
struct trace_surrounding {
	uint32_t name;            /* of the call itself */
	uint32_t parent;          /* the innermost operator or autograd node around it */
	uint32_t forward;         /* the forward operator that an autograd node belongs to */
	struct trace_place place; /* that the call recorded itself */
};

struct trace_sites *trace_sites_new(const struct dump_context *context, struct trace_ops *ops);
void trace_sites_free(struct trace_sites *sites);

/* The number of a site with one call more; TRACE_NO_SITE when there is nothing to link or there are too many. */
uint32_t trace_sites_call(struct trace_sites *sites, const struct trace_surrounding *surrounding);

/* Adds to the times of a site, if it is one. */
void trace_sites_add(struct trace_sites *sites, uint32_t site, int64_t self_ns, int64_t device_ns);

/* Where calls of a site say that they come from. */
struct trace_place trace_sites_place(const struct trace_sites *sites, uint32_t site);

/* Emits all links. places: NULL when no site has one. */
void trace_sites_emit(const struct trace_sites *sites, const struct trace_places *places, unsigned stream);
