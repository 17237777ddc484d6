#include "scan/find/branches.h"

#include "base/view/ascii.h"
#include "opdb/model/release.h"

enum { UP_MOST = 64, NODES_MOST = 2000 }; /* looked at for one place */

struct looking {
	const struct syntax *syntax;
	struct str word; /* "npu" */
	unsigned left;   /* nodes */
};

/* Returns whether it has the word by itself: "is_npu_available", "NPU", but not "input". */
static bool has_part(struct str text, struct str word)
{
	for (size_t i = 0; i + word.len <= text.len; i++) {
		bool begins = !i || !is_alpha(text.ptr[i - 1]);
		bool ends = i + word.len == text.len || !is_alpha(text.ptr[i + word.len]);

		if (begins && ends && str_eq_fold(str_sub(text, i, i + word.len), word))
			return true;
	}
	return false;
}

/* A name that has the word, or a string that is a device: texts for people do not count. */
static bool names_target(struct looking *looking, uint32_t node)
{
	const struct syntax *syntax = looking->syntax;
	struct str text;

	for (uint32_t i = node; i < syntax->items[node].end && looking->left; i++, looking->left--) {
		text = syntax_text(syntax, i);
		if (syntax->items[i].kind == SYN_IDENTIFIER && has_part(text, looking->word))
			return true;
		if (syntax->items[i].kind == SYN_STRING_CONTENT && str_starts(text, looking->word) &&
			(text.len == looking->word.len || text.ptr[looking->word.len] == ':'))
			return true;
	}
	return false;
}

/* Returns whether the node around it chooses between it and others. */
static bool is_choice(enum syntax_kind around)
{
	switch (around) {
	case SYN_IF:
	case SYN_ELIF:
	case SYN_CONDITIONAL:
	case SYN_BOOLEAN:
	case SYN_LIST:
	case SYN_TUPLE:
	case SYN_DICTIONARY:
		return true;
	default:
		return false;
	}
}

/* Returns whether other is the condition of node or an alternative to it, not the body of the condition node. */
static bool is_beside(const struct syntax *syntax, uint32_t node, uint32_t other)
{
	const struct syntax_node *at = &syntax->items[node], *beside = &syntax->items[other];

	switch (syntax->items[at->parent].kind) {
	case SYN_IF:
	case SYN_ELIF:
		return at->field != SYN_AS_CONDITION || beside->kind == SYN_ELIF ||
		       str_starts(syntax_text(syntax, other), STR("else"));
	case SYN_CONDITIONAL:
	case SYN_BOOLEAN:
		return true;
	default:
		return at->kind == beside->kind && (at->kind == SYN_STRING || at->kind == SYN_PAIR);
	}
}

static bool has_branch(struct looking *looking, uint32_t node)
{
	const struct syntax *syntax = looking->syntax;

	for (unsigned i = 0; i < UP_MOST && node; i++, node = syntax->items[node].parent) {
		uint32_t around = syntax->items[node].parent;
		uint32_t other = is_choice(syntax->items[around].kind) ? syntax_first(syntax, around) : 0;

		if (syntax->items[node].kind == SYN_FUNCTION)
			return false;
		for (; other && looking->left; other = syntax_next(syntax, other), looking->left--) {
			if (other != node && is_beside(syntax, node, other) && names_target(looking, other))
				return true;
		}
	}
	return false;
}

void check_branches(struct check *check)
{
	for (size_t i = 0; i < check->places.count; i++) {
		struct source_place *place = &check->places.items[i];

		for (unsigned j = 0; j < SOURCE_TARGETS && place->script->kind == SCRIPT_PYTHON; j++) {
			struct looking looking = { &place->script->syntax, target_kind_name((enum target_kind)j),
				NODES_MOST };

			if (place_action(place, j) == SOURCE_MUST_CHANGE && has_branch(&looking, place->node))
				place->served |= (uint8_t)(1u << j);
		}
	}
}
