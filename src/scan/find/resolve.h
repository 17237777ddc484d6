#pragma once
/*
 * Values of an expression: followed through names, imports, assignments, attributes and calls, also into other
 * modules of the project. Bounded: deeper ones, or those with more than a few values, are unknown.
 */
#include "assess/model/result_source.h"
#include "scan/find/bind.h"

enum meaning_kind {
	MEANING_NAME,     /* a qualified name outside the project: a module, a class, a function */
	MEANING_RESULT,   /* the result of a call of that */
	MEANING_TEXT,     /* a string literal */
	MEANING_CLASS,    /* of the project */
	MEANING_INSTANCE, /* of that class */
	MEANING_FUNCTION, /* of the project */
};

struct meaning {
	enum meaning_kind kind;
	const struct script *script; /* of the node */
	uint32_t node;               /* of the literal or the definition */
	uint32_t name_len;
	char name[SOURCE_NAME_BYTES]; /* of MEANING_NAME, MEANING_RESULT */
};

enum { MEANINGS_MOST = 4 };
struct meanings {
	struct meaning items[MEANINGS_MOST];
	size_t count; /* 0: unknown */
};

static inline struct str meaning_name(const struct meaning *value)
{
	return (struct str){ value->name, value->name_len };
}

/* All that the expression may be, as far as known. */
void resolve(const struct project *project, const struct script *script, uint32_t node, struct meanings *ret);

/* The name at the root of "a.b(c)[d].e", or 0. */
uint32_t root_of(const struct syntax *syntax, uint32_t node);

/* Returns whether the class itself defines the name. */
bool class_has(const struct meaning *class, struct str name);

/* The argument with that keyword, or 0; its value. */
uint32_t argument_named(const struct syntax *syntax, uint32_t arguments, struct str name);

/* The name of the parameter of a function at that place, or "". */
struct str parameter_at(const struct syntax *syntax, uint32_t function, unsigned place);

/* The name of what is called: "to" of x.to(...). */
struct str called_name(const struct syntax *syntax, uint32_t call);

/* The first text between the quotes of a string, or 0. */
uint32_t string_content(const struct syntax *syntax, uint32_t string);
