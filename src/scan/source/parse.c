#include "scan/source/parse.h"

#include <stdlib.h>
#include <tree_sitter/api.h>

#include "scan/source/chunks.h"

const TSLanguage *tree_sitter_python(void);

/* The grammar's numbers of what rules ask for; others are 0. */
struct vocabulary {
	uint8_t *kinds, *fields;
	uint32_t kind_count, field_count;
};

static const char *const kind_names[] = {
#define KIND_NAME(kind, name) name,
	"", SYNTAX_KINDS(KIND_NAME)
};
static const char *const field_names[] = {
#define FIELD_NAME(field, name) name,
	"", SYNTAX_FIELDS(FIELD_NAME)
};

static uint8_t name_position(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 1; name && i < count; i++) {
		if (strcmp(names[i], name) == 0)
			return (uint8_t)i;
	}
	return 0;
}

static struct vocabulary vocabulary_of(const TSLanguage *language)
{
	struct vocabulary words = { .kind_count = ts_language_symbol_count(language),
		.field_count = ts_language_field_count(language) + 1 };

	words.kinds = mem_zalloc(words.kind_count);
	words.fields = mem_zalloc(words.field_count);
	for (uint32_t i = 0; i < words.kind_count; i++) {
		if (ts_language_symbol_type(language, (TSSymbol)i) == TSSymbolTypeRegular)
			words.kinds[i] = name_position(
				kind_names, ARRAY_SIZE(kind_names), ts_language_symbol_name(language, (TSSymbol)i));
	}
	for (uint32_t i = 1; i < words.field_count; i++)
		words.fields[i] = name_position(
			field_names, ARRAY_SIZE(field_names), ts_language_field_name_for_id(language, (TSFieldId)i));
	return words;
}

static struct syntax_node node_at(const TSTreeCursor *cursor, const struct vocabulary *words, uint32_t offset)
{
	TSNode node = ts_tree_cursor_current_node(cursor);
	TSFieldId field = ts_tree_cursor_current_field_id(cursor);
	TSSymbol symbol = ts_node_symbol(node);

	return (struct syntax_node){ .from = ts_node_start_byte(node) + offset,
		.to = ts_node_end_byte(node) + offset,
		.kind = symbol == (TSSymbol)-1       ? SYN_ERROR
			: symbol < words->kind_count ? words->kinds[symbol]
						     : SYN_OTHER,
		.field = field < words->field_count ? words->fields[field] : 0 };
}

/* The named nodes of a tree, outermost first; its root is the one of the list. */
static void list_nodes(TSTreeCursor *cursor, const struct vocabulary *words, uint32_t offset, struct syntax *syntax)
{
	uint32_t around = 0, place = 0;

	if (!ts_tree_cursor_goto_first_child(cursor))
		return;
	for (;;) {
		bool listed = ts_node_is_named(ts_tree_cursor_current_node(cursor));

		if (listed) {
			struct syntax_node node = node_at(cursor, words, offset);

			place = (uint32_t)syntax->count;
			node.parent = around;
			node.end = place + 1;
			MEM_PUSH(syntax, node);
		}
		if (listed && ts_tree_cursor_goto_first_child(cursor)) {
			around = place;
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(cursor)) {
			if (!around)
				return;
			ts_tree_cursor_goto_parent(cursor);
			syntax->items[around].end = (uint32_t)syntax->count;
			around = syntax->items[around].parent;
		}
	}
}

bool syntax_available(void)
{
	return true;
}

static int parse_chunk(
	TSParser *parser, const struct vocabulary *words, struct str chunk, struct syntax *ret, struct err *err)
{
	uint32_t offset = (uint32_t)(chunk.ptr - ret->text.ptr);
	TSTree *tree = ts_parser_parse_string(parser, NULL, chunk.ptr, (uint32_t)chunk.len);
	TSTreeCursor cursor;

	if (!tree)
		return err_set(err, ERR_LIMIT, "it took longer than script-seconds");
	ret->broken |= ts_node_has_error(ts_tree_root_node(tree));
	cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	list_nodes(&cursor, words, offset, ret);
	ts_tree_cursor_delete(&cursor);
	ts_tree_delete(tree);
	return 0;
}

static int parse_chunks(TSParser *parser, const struct vocabulary *words, struct syntax *ret, struct err *err)
{
	struct syntax_node root = { .to = (uint32_t)ret->text.len, .kind = SYN_MODULE };
	struct str rest = ret->text, chunk;
	int status = 0;

	MEM_PUSH(ret, root);
	while (!status && chunk_next(&rest, &chunk))
		status = parse_chunk(parser, words, chunk, ret, err);
	if (!status && rest.len)
		status = err_set(err, ERR_LIMIT, "one of its statements has more than %d tokens", CHUNK_TOKENS);
	ret->items[0].end = (uint32_t)ret->count;
	syntax_map(ret, ret->text, NULL);
	return status;
}

int syntax_parse(struct str text, const struct limits *limits, struct syntax *ret, struct err *err)
{
	TSParser *parser = ts_parser_new();
	struct vocabulary words = vocabulary_of(tree_sitter_python());
	int status;

	*ret = (struct syntax){ .text = text };
	ts_parser_set_timeout_micros(parser, limits->script_seconds * 1000000);
	if (ts_parser_set_language(parser, tree_sitter_python()))
		status = parse_chunks(parser, &words, ret, err);
	else
		status = err_set(err, ERR_INTERNAL, "libtree-sitter does not take the grammar: it is of another ABI");
	ts_parser_delete(parser);
	free(words.kinds);
	free(words.fields);
	return status;
}
