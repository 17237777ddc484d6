#pragma once
/*
 * All facts about one base name, for every release and version at once: read from the database once, then kept.
 *
 * Everything lives in the arena of the cache. Lists keep the order of the database: overloads by name, facts by place.
 */
#include "opdb/db.h"
#include "opdb/fact.h"
#include "opdb/note.h"

struct name_facts {
	struct str ns, base;
	bool aten;
	struct overload *overloads;
	struct package_kernel *packages;
	struct note *notes;
	struct leaf *leaves;
	struct gradient *gradients;
	const struct special *special; /* or NULL */
	struct str known_in;           /* versions of PyTorch that have the name, as spans; "" when none has */
};

struct facts {
	const struct opdb *db;
	struct arena *arena;
	struct map map;
	struct name_facts **items;
	size_t count, capacity;
};

void facts_clear(struct facts *facts);

/* The facts about ns::base; a name that nothing is known about has no overloads. ERR_DB_DAMAGED, ERR_LIMIT. */
int facts_get(struct facts *facts, struct str ns, struct str base, const struct name_facts **ret, struct err *err);

/* The versions of PyTorch that have one of the overloads from op to before end, as spans. False: no memory. */
bool facts_known_in(struct facts *facts, const struct overload *op, const struct overload *end, struct str *ret);

/* What is known of a name of aten beside the tables, or NULL. */
const struct special *special_find(const struct opdb *db, struct str base);

/* The overload of this name ("add.out"), or NULL. */
const struct overload *facts_overload(const struct name_facts *name, struct str op);

/* What is so at a place; NULL when nothing is. */
const struct torch_fact *torch_fact_at(const struct overload *op, unsigned torch_place);
const struct signature *signature_at(const struct overload *op, unsigned torch_place);

/* How rows about gradients are read (calls.c). */
struct row;
void gradient_load(struct name_facts *name, struct row *row);

/* "add" of "add.out" */
struct str base_of(struct str op);
