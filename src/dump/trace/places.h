#pragma once
/*
 * Where in the user's program an operator was called: module paths and lines of source, each kept once, by number.
 *
 * A number is from 1; 0 is nowhere. Their number is bounded by limits.places; those beyond are counted in the facts.
 */
#include "dump/common/format.h"
#include "dump/trace/python_frame.h"
#include "json/value.h"

struct trace_places;

struct trace_place {
	uint32_t module, source;
};

struct trace_places *trace_places_new(const struct dump_context *context);
void trace_places_free(struct trace_places *places);

/* A frame of Python; its text by number. */
enum python_frame trace_places_frame(struct trace_places *places, const struct json_value *name, uint32_t *ret_text);

/* A span of the user: a part of its path, or 0. */
uint32_t trace_places_label(struct trace_places *places, const struct json_value *name);

/* A call stack: frames between ';', the innermost first. */
struct trace_place trace_places_stack(struct trace_places *places, const struct json_value *stack);

/* A module hierarchy as the profiler writes it. */
uint32_t trace_places_hierarchy(struct trace_places *places, const struct json_value *hierarchy);

/* The path of a part inside of a module: "outer/part". */
uint32_t trace_places_inside(struct trace_places *places, uint32_t outer, uint32_t part);

struct str trace_places_text(const struct trace_places *places, uint32_t place);
