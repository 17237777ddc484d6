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
	static const uint8_t kinds[] = { SYN_IF, SYN_ELIF, SYN_CONDITIONAL, SYN_BOOLEAN, SYN_LIST, SYN_TUPLE,
		SYN_DICTIONARY };

	return memchr(kinds, around, sizeof(kinds));
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

/* "a = torch.npu.is_available()" for "a = torch.cuda.is_available()": the same with another name in it. */
static bool is_same_for_target(struct str text, struct str other, struct str target)
{
	bool differs = false;

	while (text.len && other.len) {
		size_t step = 1, other_step = 1;

		if (str_starts(text, STR("cuda")) && str_starts(other, target)) {
			step = 4;
			other_step = target.len;
			differs = true;
		} else if (text.ptr[0] != other.ptr[0]) {
			return false;
		}
		text = str_skip(text, step);
		other = str_skip(other, other_step);
	}
	return differs && !text.len && !other.len;
}

/* A statement beside the one that has the node: the same for the target, or an if of its own: "if cuda: return ..." and
   "if npu: return ..." below. */
static bool has_statement(struct looking *looking, uint32_t statement)
{
	const struct syntax *syntax = looking->syntax;
	uint32_t around = syntax->items[statement].parent;
	enum syntax_kind kind = syntax->items[statement].kind;
	struct str text = syntax_text(syntax, statement);
	bool chooses = kind == SYN_IF && str_has(syntax_child_text(syntax, statement, SYN_AS_CONDITION), STR("cuda"));
	uint32_t other = chooses || kind == SYN_EXPRESSION_STATEMENT ? syntax_first(syntax, around) : 0;

	for (; other && looking->left; other = syntax_next(syntax, other), looking->left--) {
		uint32_t condition = chooses && syntax->items[other].kind == SYN_IF
					     ? syntax_child(syntax, other, SYN_AS_CONDITION)
					     : 0;

		if (other == statement)
			continue;
		if (condition && names_target(looking, condition))
			return true;
		if (!chooses && syntax->items[other].kind == kind &&
			is_same_for_target(text, syntax_text(syntax, other), looking->word))
			return true;
	}
	return false;
}

static bool has_branch(struct looking *looking, uint32_t node)
{
	const struct syntax *syntax = looking->syntax;

	for (unsigned i = 0; i < UP_MOST && node; i++, node = syntax->items[node].parent) {
		uint32_t around = syntax->items[node].parent;
		uint32_t other = is_choice(syntax->items[around].kind) ? syntax_first(syntax, around) : 0;

		if (syntax->items[node].kind == SYN_FUNCTION)
			return false;
		if (has_statement(looking, node))
			return true;
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
