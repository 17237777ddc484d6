#include "scan/find/place.h"

#include "base/value/utf8.h"

struct str place_replacement(const struct source_place *place, unsigned target, struct arena *arena)
{
	struct str instead = place->rule->on[target].instead, head = place->rule->name, rest = STR("");

	if (is_served(place, target))
		return STR("");
	if (!str_ends(instead, STR("*")) || !str_ends(head, STR("*")))
		return instead;
	if (place->name.len >= head.len - 1)
		rest = str_skip(place->name, head.len - 1);
	return arena_printf(arena, "%.*s%.*s", STR_ARG(str_chop(instead, 1)), STR_ARG(rest));
}

struct str place_path(struct arena *arena, struct str path)
{
	CLEANUP(buf_clear) struct buf shown = BUF_UNLIMITED;

	utf8_printable(&shown, path);
	return arena_keep(arena, buf_str(&shown));
}

struct str place_text(struct arena *arena, struct str text)
{
	enum { SHOWN_BYTES = 120 };
	CLEANUP(buf_clear) struct buf line = BUF_UNLIMITED;
	bool long_text = text.len > SHOWN_BYTES;

	if (long_text)
		text.len = SHOWN_BYTES;
	while (long_text && text.len && (text.ptr[text.len] & 0xc0) == 0x80)
		text.len--;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\n') { /* the first line says enough */
			text.len = i;
			long_text = true;
		}
	}
	utf8_printable(&line, str_trim(text));
	buf_add(&line, long_text ? STR("...") : STR(""));
	return arena_keep(arena, buf_str(&line));
}

uint32_t place_anchor(const struct source_place *place)
{
	const struct syntax *syntax = &place->script->syntax;
	const struct syntax_node *node = &syntax->items[place->node];

	if (!memchr(syntax->text.ptr + node->from, '\n', node->to - node->from))
		return node->from;
	if (place->to > place->from)
		return place->from;
	for (uint32_t i = place->node; i < node->end; i++) {
		if (syntax->items[i].kind == SYN_IDENTIFIER && str_has(syntax_text(syntax, i), STR("cuda")))
			return syntax->items[i].from;
	}
	return node->from;
}
