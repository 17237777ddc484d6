#include "import/tree.h"

#include <yaml.h>

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"

struct reader {
	const struct input *input;
	struct arena *arena;
	yaml_parser_t parser;
	yaml_event_t event; /* the one at hand */
	struct err *err;
};

static int read_node(struct reader *reader, unsigned depth, struct node **ret);

static size_t event_line(const struct reader *reader)
{
	return reader->event.start_mark.line + 1;
}

/* Moves to the next event. */
static int next_event(struct reader *reader)
{
	yaml_event_delete(&reader->event);
	if (yaml_parser_parse(&reader->parser, &reader->event))
		return 0;
	return input_error(reader->input, reader->parser.problem_mark.line + 1, reader->err, "this is no YAML: %s",
		reader->parser.problem ? reader->parser.problem : "it cannot be read");
}

static int no_tags(struct reader *reader, const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor)
		return input_error(
			reader->input, event_line(reader), reader->err, "an anchor (&) is not expected here");
	if (tag)
		return input_error(reader->input, event_line(reader), reader->err, "a tag (!) is not expected here");
	return 0;
}

static int read_text(struct reader *reader, struct node *node)
{
	struct str text = { (const char *)reader->event.data.scalar.value, reader->event.data.scalar.length };
	int code = no_tags(reader, reader->event.data.scalar.anchor, reader->event.data.scalar.tag);

	if (code)
		return code;
	node->kind = NODE_TEXT;
	node->quoted = reader->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	if (!arena_copy(reader->arena, str_trim(text), &node->text))
		return input_full(reader->input, reader->err);
	return next_event(reader);
}

static int read_list(struct reader *reader, unsigned depth, struct node *node)
{
	struct node **end = &node->first;
	int code = no_tags(reader, reader->event.data.sequence_start.anchor, reader->event.data.sequence_start.tag);

	node->kind = NODE_LIST;
	if (!code)
		code = next_event(reader);
	while (!code && reader->event.type != YAML_SEQUENCE_END_EVENT) {
		code = read_node(reader, depth + 1, end);
		if (!code)
			end = &(*end)->next;
	}
	return code ? code : next_event(reader);
}

/* A key must be new in its map. */
static int check_key(struct reader *reader, const struct node *map, struct str key, size_t line)
{
	size_t count = 0;

	for (const struct node *item = map->first; item; item = item->next, count++) {
		if (str_eq(item->key, key))
			return input_error(reader->input, line, reader->err, "key \"%s\" is there already, in line %zu",
				shown(key).text, item->key_line);
	}
	if (count == TREE_KEYS)
		return input_error(reader->input, line, reader->err, "more than %d keys in one map", TREE_KEYS);
	return 0;
}

static int read_item(struct reader *reader, unsigned depth, struct node *map, struct node **ret)
{
	struct node key = { 0 };
	size_t line = event_line(reader);
	int code;

	if (reader->event.type != YAML_SCALAR_EVENT)
		return input_error(reader->input, line, reader->err, "a key must be text");
	code = read_text(reader, &key);
	if (!code)
		code = check_key(reader, map, key.text, line);
	if (!code)
		code = read_node(reader, depth + 1, ret);
	if (code)
		return code;
	(*ret)->key = key.text;
	(*ret)->key_line = line;
	return 0;
}

static int read_map(struct reader *reader, unsigned depth, struct node *node)
{
	struct node **end = &node->first;
	int code = no_tags(reader, reader->event.data.mapping_start.anchor, reader->event.data.mapping_start.tag);

	node->kind = NODE_MAP;
	if (!code)
		code = next_event(reader);
	while (!code && reader->event.type != YAML_MAPPING_END_EVENT) {
		struct node *item = NULL;

		code = read_item(reader, depth, node, &item);
		*end = code ? NULL : item;
		if (!code)
			end = &item->next;
	}
	return code ? code : next_event(reader);
}

static int read_node(struct reader *reader, unsigned depth, struct node **ret)
{
	struct node *node = arena_alloc(reader->arena, sizeof(*node));

	if (!node)
		return input_full(reader->input, reader->err);
	if (depth > TREE_DEPTH)
		return input_error(
			reader->input, event_line(reader), reader->err, "nested more than %d levels deep", TREE_DEPTH);
	node->line = event_line(reader);
	*ret = node;
	switch (reader->event.type) {
	case YAML_SCALAR_EVENT:
		return read_text(reader, node);
	case YAML_SEQUENCE_START_EVENT:
		return read_list(reader, depth, node);
	case YAML_MAPPING_START_EVENT:
		return read_map(reader, depth, node);
	default:
		return input_error(reader->input, node->line, reader->err, "an alias (*) is not expected here");
	}
}

static int read_document(struct reader *reader, struct node **ret)
{
	int code = next_event(reader); /* the start of the stream */

	if (!code)
		code = next_event(reader);
	if (code || reader->event.type == YAML_STREAM_END_EVENT)
		return code;
	code = next_event(reader);
	if (!code)
		code = read_node(reader, 0, ret);
	if (!code)
		code = next_event(reader);
	if (!code && reader->event.type != YAML_STREAM_END_EVENT)
		code = input_error(reader->input, event_line(reader), reader->err, "a second document begins here");
	return code;
}

int tree_read(const struct input *input, struct arena *arena, struct node **ret, struct err *err)
{
	struct reader reader = { .input = input, .arena = arena, .err = err };
	struct node *root = NULL;
	int code;

	if (!yaml_parser_initialize(&reader.parser))
		return input_full(input, err);
	yaml_parser_set_input_string(&reader.parser, (const unsigned char *)input->text.ptr, input->text.len);
	yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
	code = read_document(&reader, &root);
	yaml_event_delete(&reader.event);
	yaml_parser_delete(&reader.parser);
	if (!code)
		*ret = root;
	return code;
}

int tree_load(const char *path, struct arena *arena, struct input *ret_input, struct node **ret, struct err *err)
{
	int code = input_read(path, arena, ret_input, err);

	return code ? code : tree_read(ret_input, arena, ret, err);
}

int tree_check_list(const struct input *input, const struct node *root, const char *of, struct err *err)
{
	if (root && root->kind == NODE_LIST)
		return 0;
	return input_error(input, root ? root->line : 0, err, "expected a list %s", of);
}

int tree_check_keys(const struct input *input, const struct node *map, const char *const *keys, struct err *err)
{
	for (const struct node *item = map->first; item; item = item->next) {
		const char *const *key = keys;

		while (*key && !str_eq(item->key, str_from(*key)))
			key++;
		if (!*key)
			return input_error(input, item->key_line, err, "unknown key \"%s\"", shown(item->key).text);
	}
	return 0;
}

const struct node *node_find(const struct node *map, const char *key)
{
	const struct node *item = map ? map->first : NULL;

	while (item && !str_eq(item->key, str_from(key)))
		item = item->next;
	return item;
}

bool node_is_empty(const struct node *node)
{
	if (!node)
		return true;
	if (node->kind != NODE_TEXT)
		return !node->first;
	return !node->quoted &&
	       (!node->text.len || str_eq(node->text, STR("~")) || str_eq_fold(node->text, STR("null")));
}

bool node_bool(const struct node *node, bool *ret)
{
	bool is_true = node && node->kind == NODE_TEXT && !node->quoted && str_eq_fold(node->text, STR("true"));
	bool is_false = node && node->kind == NODE_TEXT && !node->quoted && str_eq_fold(node->text, STR("false"));

	if (is_true || is_false)
		*ret = is_true;
	return is_true || is_false;
}

const char *node_kind_name(enum node_kind kind)
{
	static const char *const names[] = { [NODE_TEXT] = "text", [NODE_LIST] = "a list", [NODE_MAP] = "a map" };

	return names[kind];
}

int schema_read(const struct input *input, size_t line, struct str text, struct schema *ret, struct err *err)
{
	const char *wrong;
	size_t at;

	if (schema_parse(text, ret, &wrong, &at))
		return 0;
	return input_error(input, line, err, "%s: \"%s\"", wrong, shown(str_skip(text, at)).text);
}

int schema_read_under(
	const struct input *input, const struct node *entry, const char *key, struct schema *ret, struct err *err)
{
	const struct node *text = entry->kind == NODE_MAP ? node_find(entry, key) : NULL;

	if (!text || text->kind != NODE_TEXT)
		return input_error(input, entry->line, err, "an entry needs a %s", key);
	return schema_read(input, text->line, text->text, ret, err);
}

int schema_read_entry(const struct input *input, const struct node *entry, const char *const *keys, struct schema *ret,
	struct err *err)
{
	int code = schema_read_under(input, entry, "func", ret, err);

	return code ? code : tree_check_keys(input, entry, keys, err);
}
