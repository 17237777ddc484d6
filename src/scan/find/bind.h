#pragma once
/*
 * Bindings of names in each scope of a script, and a project of scripts that import each other.
 *
 * A name may be bound more than once; their order does not matter.
 */
#include "base/memory/arena.h"
#include "base/memory/map.h"
#include "scan/source/files.h"
#include "scan/source/syntax.h"

enum binding_kind {
	BIND_OPAQUE, /* unknown: a parameter, a variable of a loop */
	BIND_NAME,   /* to what is imported under a qualified name */
	BIND_VALUE,  /* to the value of an expression */
	BIND_CLASS,
	BIND_FUNCTION,
	BIND_GLOBAL, /* in the module instead */
};

enum { BINDINGS_MOST = 8 }; /* of one name in one scope that are looked at */

struct binding {
	struct str name, qualified;
	uint32_t scope, node; /* of the expression or the definition */
	enum binding_kind kind;
};

/* A module, class, function, lambda or comprehension; scope 0 is the module. */
struct scope {
	uint32_t parent, node;
	bool is_class;
};

struct script {
	enum script_kind kind; /* all but Python has neither scopes nor bindings */
	struct str path;       /* as shown */
	struct str module;     /* "utils.device" */
	struct str root;       /* name of the folder that was scanned: others may import from it by that name */
	bool is_package;       /* an __init__.py */
	struct arena arena;
	struct syntax syntax;
	uint32_t *scope_of; /* by node */
	MEM_LIST(struct scope) scopes;
	MEM_LIST(struct binding) bindings;
	MEM_LIST(struct str) wildcards; /* modules of which all is imported */
	struct map by_name;
};

struct project {
	struct script *scripts;
	size_t count, capacity;
	struct map by_module;
};

/* The scope that a class or a function opens. */
uint32_t script_scope(const struct script *script, uint32_t node);

/* The innermost scope around a scope, itself included, that binds the name; UINT32_MAX: none. Scopes of classes are not
   visible from inside. */
uint32_t script_binder(const struct script *script, uint32_t scope, struct str name);

/* Fills in the scopes and bindings of a script whose syntax, path and module are there. */
void script_bind(struct script *script);
void script_clear(struct script *script);

/* Indexes the scripts by their modules. */
void project_index(struct project *project);

/* The script that is the module, or NULL. A module may be named with the name of the folder that was scanned. */
const struct script *project_module(const struct project *project, struct str module);

/* The first binding of a name in one scope, or NULL. */
const struct binding *binding_first(const struct script *script, uint32_t scope, struct str name);

/* Walks over all of them; NULL at the end. */
const struct binding *binding_next(const struct script *script, uint32_t scope, struct str name, struct map_cursor *at);
struct map_cursor binding_start(const struct script *script, uint32_t scope, struct str name);
