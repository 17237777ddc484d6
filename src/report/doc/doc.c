#include "report/doc/doc.h"

#include "report/doc/references.h"

struct doc_node *doc_add(struct doc *doc, enum doc_kind kind, unsigned style)
{
	struct doc_node *node = arena_alloc(&doc->arena, sizeof(*node)), *parent = doc->open;

	node->kind = kind;
	node->style = (unsigned char)style;
	node->parent = parent;
	node->text = node->extra = STR("");
	if (parent && (!doc->only || doc->only & doc->format)) {
		*(parent->last ? &parent->last->next : &parent->first) = node;
		parent->last = node;
	}
	doc->only = 0;
	return node;
}

struct doc_node *doc_add_texts(struct doc *doc, enum doc_kind kind, unsigned style, struct str text, struct str extra)
{
	struct doc_node *node = doc_add(doc, kind, style);

	node->text = text;
	node->extra = extra;
	return node;
}

struct doc_node *doc_open_node(struct doc *doc, enum doc_kind kind, unsigned style)
{
	return doc->open = doc_add(doc, kind, style);
}

enum doc_format doc_format_of_name(struct str name)
{
	return str_eq(name, STR("html")) ? DOC_HTML : str_eq(name, STR("md")) ? DOC_MD : DOC_TEXT;
}

struct doc doc_new(enum doc_format format, const struct render_options *options)
{
	struct doc doc = { .arena = ARENA_INIT(ARENA_UNLIMITED),
		.format = format,
		.title_level = 2,
		.options = *options,
		.line = BUF_UNLIMITED };

	doc.root = doc_open_node(&doc, DOC_BLOCK, BLOCK_GROUP);
	return doc;
}

void doc_clear(struct doc *doc)
{
	references_clear(doc->references);
	arena_clear(&doc->arena);
	buf_clear(&doc->line);
}

struct doc *doc_in(struct doc *doc, unsigned formats)
{
	doc->only = formats;
	return doc;
}

void doc_close(struct doc *doc)
{
	doc->open = doc->open->parent;
}
