#pragma once
/*
 * The syntax of one Python script as a flat list: every node before those inside it, in the order of the text.
 * All that lies in a node are the nodes up to its end, so a walk needs no recursion and no depth can hurt it. Node 0 is
 * the module. Punctuation and operators are left out.
 */
#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "base/setup/limits.h"

/* clang-format off */
/* The kinds that rules ask for, by the name that the grammar gives them. */
#define SYNTAX_KINDS(KIND) \
	KIND(MODULE, "module") KIND(IMPORT, "import_statement") KIND(IMPORT_FROM, "import_from_statement") \
	KIND(ALIASED_IMPORT, "aliased_import") KIND(DOTTED_NAME, "dotted_name") \
	KIND(RELATIVE_IMPORT, "relative_import") KIND(WILDCARD, "wildcard_import") KIND(IDENTIFIER, "identifier") \
	KIND(ATTRIBUTE, "attribute") KIND(CALL, "call") KIND(ARGUMENTS, "argument_list") \
	KIND(KEYWORD, "keyword_argument") KIND(ASSIGNMENT, "assignment") KIND(WALRUS, "named_expression") \
	KIND(FUNCTION, "function_definition") KIND(CLASS, "class_definition") KIND(LAMBDA, "lambda") \
	KIND(PARAMETERS, "parameters") KIND(LAMBDA_PARAMETERS, "lambda_parameters") \
	KIND(DEFAULT_PARAMETER, "default_parameter") KIND(TYPED_DEFAULT_PARAMETER, "typed_default_parameter") \
	KIND(LIST_COMPREHENSION, "list_comprehension") KIND(SET_COMPREHENSION, "set_comprehension") \
	KIND(DICTIONARY_COMPREHENSION, "dictionary_comprehension") KIND(GENERATOR, "generator_expression") \
	KIND(FOR_IN, "for_in_clause") KIND(FOR, "for_statement") KIND(IF, "if_statement") KIND(ELIF, "elif_clause") \
	KIND(WHILE, "while_statement") KIND(AS_PATTERN, "as_pattern") KIND(GLOBAL, "global_statement") \
	KIND(RETURN, "return_statement") KIND(EXPRESSION_STATEMENT, "expression_statement") \
	KIND(SUBSCRIPT, "subscript") KIND(COMPARISON, "comparison_operator") KIND(BINARY, "binary_operator") \
	KIND(BOOLEAN, "boolean_operator") KIND(CONDITIONAL, "conditional_expression") \
	KIND(PARENTHESES, "parenthesized_expression") KIND(STRING, "string") KIND(STRING_CONTENT, "string_content") \
	KIND(INTERPOLATION, "interpolation") KIND(LIST, "list") KIND(TUPLE, "tuple") KIND(DICTIONARY, "dictionary") \
	KIND(SET, "set") KIND(EXPRESSIONS, "expression_list") KIND(PATTERNS, "pattern_list") KIND(SLICE, "slice") \
	KIND(INTEGER, "integer") KIND(CONCATENATED, "concatenated_string") KIND(MATCH, "match_statement") \
	KIND(CASE, "case_clause") KIND(CASE_PATTERN, "case_pattern") KIND(UNION_PATTERN, "union_pattern") \
	KIND(ASSERT, "assert_statement") KIND(TRY, "try_statement") KIND(EXCEPT, "except_clause") KIND(PAIR, "pair") \
	KIND(COMMENT, "comment") KIND(ERROR, "ERROR")

/* Role of a node in the one around it. */
#define SYNTAX_FIELDS(FIELD) \
	FIELD(NAME, "name") FIELD(MODULE_NAME, "module_name") FIELD(ALIAS, "alias") FIELD(OBJECT, "object") \
	FIELD(ATTRIBUTE, "attribute") FIELD(FUNCTION, "function") FIELD(ARGUMENTS, "arguments") FIELD(VALUE, "value") \
	FIELD(KEY, "key") FIELD(LEFT, "left") FIELD(RIGHT, "right") FIELD(PARAMETERS, "parameters") \
	FIELD(BODY, "body") FIELD(CONDITION, "condition") FIELD(SUBSCRIPT, "subscript") FIELD(SUBJECT, "subject")

#define SYNTAX_KIND_ENUM(kind, name) SYN_##kind,
#define SYNTAX_FIELD_ENUM(field, name) SYN_AS_##field,
/* clang-format on */
enum syntax_kind { SYN_OTHER, SYNTAX_KINDS(SYNTAX_KIND_ENUM) SYN_KINDS };
enum syntax_field { SYN_AS_OTHER, SYNTAX_FIELDS(SYNTAX_FIELD_ENUM) SYN_FIELDS };

struct syntax_node {
	uint32_t from, to;    /* bytes of the text */
	uint32_t parent, end; /* places in the list: the node around it, and the first one behind all that lies in it */
	uint8_t kind, field;
};

/* One script; the text is the caller's, the lists are on the heap. */
struct syntax {
	struct syntax_node *items;
	size_t count, capacity;
	struct str text, file;    /* places are in the file */
	const uint32_t *origin;   /* by byte of the text: that of the file; NULL: the same */
	MEM_LIST(uint32_t) lines; /* where those of the file begin */
	bool broken;              /* part of the text is not Python; the rest was read */
};

void syntax_clear(struct syntax *syntax);
/* Places are those in the file that the text was made from; origin has one for the end of the text, too. */
void syntax_map(struct syntax *syntax, struct str file, const uint32_t *origin);

/* The first direct child with the field, and its text; 0 and "" without one. */
uint32_t syntax_child(const struct syntax *syntax, uint32_t node, enum syntax_field field);
struct str syntax_child_text(const struct syntax *syntax, uint32_t node, enum syntax_field field);

/* The nodes directly inside, comments left out: the first one, the next one, 0 at the end; the sign between both. */
uint32_t syntax_first(const struct syntax *syntax, uint32_t node);
uint32_t syntax_next(const struct syntax *syntax, uint32_t node);
struct str syntax_sign(const struct syntax *syntax, uint32_t node);
struct str syntax_text(const struct syntax *syntax, uint32_t node);
/* Line and column of a byte, both from 1, columns in code points. */
void syntax_place(const struct syntax *syntax, uint32_t byte, uint32_t *ret_line, uint32_t *ret_column);
