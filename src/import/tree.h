#pragma once
/*
 * A YAML document as a tree that knows its lines.
 *
 * One document of lists, maps and plain text, as the vendors write it: aliases, tags and keys that stand twice in a map
 * are errors. Depth and size are bounded.
 */
#include "import/input.h"
#include "op/schema.h"

enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

struct node {
	enum node_kind kind;
	bool quoted;    /* text in quotes: never a boolean or nothing */
	size_t line;    /* from 1 */
	struct str key; /* of this item, when it stands in a map */
	size_t key_line;
	struct str text;
	struct node *first, *next; /* items of a list or a map; the next item of the same parent */
};

enum { TREE_DEPTH = 16, TREE_KEYS = 256 };

/* Reads the document. Everything lives in arena. NULL in *ret for a document without content. ERR_IMPORT with the line,
   ERR_LIMIT. */
int tree_read(const struct input *input, struct arena *arena, struct node **ret, struct err *err);

/* Reads the file at path, and the document in it. The errors of input_read and tree_read. */
int tree_load(const char *path, struct arena *arena, struct input *ret_input, struct node **ret, struct err *err);

/* ERR_IMPORT unless the document is a list ("of operators"); unless every key of a map is among keys, ended by NULL. */
int tree_check_list(const struct input *input, const struct node *root, const char *of, struct err *err);
int tree_check_keys(const struct input *input, const struct node *map, const char *const *keys, struct err *err);

/* The item of a map with this key, or NULL; also NULL when map is NULL. */
const struct node *node_find(const struct node *map, const char *key);

/* Whether the node has no value: absent, "", null or ~. */
bool node_is_empty(const struct node *node);

/* The boolean of a node: *ret and true for a YAML true or false. */
bool node_bool(const struct node *node, bool *ret);

/* "a list", "a map", "text": for messages. */
const char *node_kind_name(enum node_kind kind);

/* schema_parse with an error at that line of a file. */
int schema_read(const struct input *input, size_t line, struct str text, struct schema *ret, struct err *err);

/* The schema under a key of an entry, which has to be a map: "func", "name". */
int schema_read_under(
	const struct input *input, const struct node *entry, const char *key, struct schema *ret, struct err *err);

/* The schema under `func` of an entry, which is a map with no keys but these (ended by NULL). */
int schema_read_entry(const struct input *input, const struct node *entry, const char *const *keys, struct schema *ret,
	struct err *err);
