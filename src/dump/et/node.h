#pragma once
/*
 * One node of an execution trace: what of it matters, still in the bytes it came in.
 *
 * Schema 1.0.1 writes flat keys (op_schema, input_shapes, input_types); since 1.0.2 the inputs are an object and
 * op_schema and the like stand in a list of attributes, {"name", "type", "value"}; attributes in one object are read,
 * too (FORMATS 4 and 9).
 */
#include "dump/trace/event.h"

struct et_node {
	struct trace_event event; /* its name, and what record_param_comms says of a collective */
	uint64_t id;              /* given in the order in which nodes began */
	uint64_t parent;          /* 0 when missing */
	int64_t sequence;         /* of autograd, or -1 */
	struct json_value schema; /* "aten::add.Tensor(...) -> Tensor"; "" for what is no operator */
	struct json_value shapes, types, strides, values; /* of the inputs */
							  /* raw.ptr is NULL where something is missing */
};

/* Reads one node and moves the cursor behind it. JSON_BROKEN for what has no name or no id, too: it is none. */
enum json_status et_node_read(struct json_cursor *cursor, struct et_node *ret);

/* The name with its overload as the schema tells it, "aten::add.Tensor". False when there is no schema of that name. */
bool et_node_operator(const struct et_node *node, struct str *ret);
