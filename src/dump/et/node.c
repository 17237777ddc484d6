#include "dump/et/node.h"

#include "base/memory/mem.h"
#include "base/value/words.h"

/* A node while it is read. */
struct reading {
	struct et_node node;
	struct json_value id, parent, sequence, attrs, inputs;
};

/* Where the value under a key goes. */
struct place {
	struct str key;
	size_t offset; /* in what is read: struct reading, or struct attribute */
};

/* {"name": "op_schema", "type": "string", "value": "..."} */
struct attribute {
	struct json_value name, value;
};

#define PLACE_IN(type, text, member)                                                                                   \
	{                                                                                                              \
		STR(text), offsetof(struct type, member)                                                               \
	}

#define PLACE(text, member) PLACE_IN(reading, text, member)

static const struct place node_places[] = {
	PLACE("id", id),
	PLACE("name", node.event.name),
	PLACE("ctrl_deps", parent),
	PLACE("attrs", attrs),
	PLACE("inputs", inputs),
	PLACE("parent", parent),
	PLACE("seq_id", sequence),
	PLACE("op_schema", node.schema),
	PLACE("input_shapes", node.shapes),
	PLACE("input_types", node.types),
	PLACE("input_strides", node.strides),
};

static const struct place input_places[] = {
	PLACE("shapes", node.shapes),
	PLACE("types", node.types),
	PLACE("strides", node.strides),
	PLACE("values", node.values),
};

static const struct place attribute_places[] = {
	PLACE("seq_id", sequence),
	PLACE("op_schema", node.schema),
	PLACE("kernel_backend", node.event.arguments[TRACE_BACKEND]),
	PLACE("collective_name", node.event.arguments[TRACE_COLLECTIVE]),
	PLACE("dtype", node.event.arguments[TRACE_DTYPE]),
	PLACE("pg_name", node.event.arguments[TRACE_GROUP]),
	PLACE("pg_size", node.event.arguments[TRACE_GROUP_SIZE]),
	PLACE("in_msg_nelems", node.event.arguments[TRACE_IN_ELEMENTS]),
	PLACE("out_msg_nelems", node.event.arguments[TRACE_OUT_ELEMENTS]),
};

/* Places in one struct. */
struct places {
	const struct place *items;
	size_t count;
	void *base;
};

static struct json_value *node_slot(const struct places *places, struct str key)
{
	size_t at = STR_POSITION(places->items, places->count, key);

	return at == STR_NONE ? NULL : (struct json_value *)((char *)places->base + places->items[at].offset);
}

static struct json_cursor inside(const struct json_value *container)
{
	return (struct json_cursor){ container->raw.ptr, container->raw.ptr + container->raw.len };
}

/* Puts the values of an object in their places; those of other keys are skipped. */
static enum json_status read_object(struct json_cursor *cursor, struct places places)
{
	enum json_status status = json_open(cursor, '{');
	struct json_value ignored, *value;
	bool closed = false;
	struct str key;

	while (status == JSON_OK) {
		status = json_key(cursor, &key, &closed);
		if (status != JSON_OK || closed)
			break;
		value = node_slot(&places, key);
		status = json_value(cursor, value ? value : &ignored);
	}
	return status;
}

/* --- inputs and attributes, which are there whole */

static enum json_status read_inside(const struct json_value *object, struct places places)
{
	struct json_cursor cursor = inside(object);

	return read_object(&cursor, places);
}

static struct places attributes_of(struct reading *reading)
{
	return (struct places){ attribute_places, ARRAY_SIZE(attribute_places), reading };
}

static enum json_status read_attribute(struct reading *reading, const struct json_value *object)
{
	static const struct place places[] = { PLACE_IN(attribute, "name", name), PLACE_IN(attribute, "value", value) };
	struct attribute attribute = { { .kind = JSON_WORD }, { .kind = JSON_WORD } };
	enum json_status status = read_inside(object, (struct places){ places, ARRAY_SIZE(places), &attribute });
	struct places known = attributes_of(reading);
	struct json_value *to = node_slot(&known, attribute.name.raw);

	if (status == JSON_OK && to)
		*to = attribute.value;
	return status;
}

static enum json_status read_attribute_list(struct reading *reading)
{
	struct json_cursor cursor = inside(&reading->attrs);
	enum json_status status = json_open(&cursor, '[');
	struct json_value item;
	bool closed = false;

	while (status == JSON_OK) {
		status = json_item(&cursor, &item, &closed);
		if (status != JSON_OK || closed)
			break;
		if (item.kind == JSON_OBJECT)
			status = read_attribute(reading, &item);
	}
	return status;
}

/* --- the node */

/* Members that have come whole, in whatever form. */
static enum json_status read_parts(struct reading *reading)
{
	enum json_status status = JSON_OK;

	if (reading->inputs.kind == JSON_OBJECT)
		status = read_inside(
			&reading->inputs, (struct places){ input_places, ARRAY_SIZE(input_places), reading });
	else
		reading->node.values = reading->inputs; /* of schema 1.0.1 */
	if (status == JSON_OK && reading->attrs.kind == JSON_LIST)
		status = read_attribute_list(reading);
	else if (status == JSON_OK && reading->attrs.kind == JSON_OBJECT)
		status = read_inside(&reading->attrs, attributes_of(reading)); /* {"op_schema": "..."} */
	return status == JSON_OK ? JSON_OK : JSON_BROKEN;
}

/* A whole number, or the first one of a list. */
static bool number_of(const struct json_value *value, int64_t *ret)
{
	struct json_cursor cursor;
	struct json_value first;
	bool closed;

	if (!value->raw.ptr)
		return false;
	if (value->kind != JSON_LIST)
		return json_scaled(value, 1, ret);
	cursor = inside(value);
	cursor.at++;
	return json_item(&cursor, &first, &closed) == JSON_OK && !closed && first.kind != JSON_LIST &&
	       json_scaled(&first, 1, ret);
}

static bool is_id(int64_t number)
{
	return number >= 0 && number <= INT64_MAX / 2;
}

static bool take_numbers(struct reading *reading)
{
	int64_t id, parent, sequence;

	if (!number_of(&reading->id, &id) || !is_id(id))
		return false;
	reading->node.id = (uint64_t)id;
	reading->node.parent = number_of(&reading->parent, &parent) && is_id(parent) ? (uint64_t)parent : 0;
	reading->node.sequence = number_of(&reading->sequence, &sequence) && is_id(sequence) ? sequence : -1;
	return true;
}

enum json_status et_node_read(struct json_cursor *cursor, struct et_node *ret)
{
	const struct json_value none = { .kind = JSON_WORD };
	struct reading reading = { .id = none, .parent = none, .sequence = none, .attrs = none, .inputs = none };
	enum json_status status;

	reading.node = (struct et_node){ .event = { .kind = TRACE_OPERATOR, .known = NAME_OPERATOR, .name = none },
		.schema = none,
		.shapes = none,
		.types = none,
		.strides = none,
		.values = none };
	status = read_object(cursor, (struct places){ node_places, ARRAY_SIZE(node_places), &reading });
	if (status == JSON_OK)
		status = read_parts(&reading);
	if (status == JSON_OK && (reading.node.event.name.kind != JSON_STRING || !take_numbers(&reading)))
		status = JSON_BROKEN;
	*ret = reading.node;
	return status;
}

bool et_node_operator(const struct et_node *node, struct str *ret)
{
	struct str rest = node->schema.raw, name;

	if (node->schema.kind != JSON_STRING || !str_cut(&rest, '(', &name) || !rest.ptr)
		return false;
	if (!str_starts(name, node->event.name.raw) ||
		(name.len > node->event.name.raw.len && name.ptr[node->event.name.raw.len] != '.'))
		return false;
	*ret = name;
	return node->event.name.raw.len > 0;
}
