#pragma once
/*
 * All facts about one base name, for every release and version at once: read from the database once, then kept.
 *
 * Everything lives in the arena of the cache. Lists keep the order of the database: overloads by name, facts by place.
 */
#include "opdb/db/handle.h"
#include "opdb/db/note.h"
#include "opdb/db/watch.h"
#include "opdb/model/argument_limit.h"
#include "opdb/model/fact.h"
#include "opdb/model/library.h"

/* Operators that the composite body of an overload always calls. */
struct leaf {
	struct leaf *next;
	struct str op, calls; /* overloads joined by blanks */
};

/* The formula of a backward node over versions of PyTorch. */
struct gradient {
	struct gradient *next;
	unsigned first, last; /* places of torch */
	struct str calls;     /* base names of backward operators, joined by blanks */
};

struct unit_memo;

/* Facts of an NPU's kernels, read on demand. */
struct unit_facts {
	bool read, calls_read;
	struct unit_fact *items; /* in no order: each type of a chip and version has one */
	struct cann_call *calls;
	struct npu_cast *casts;
	struct unit_memo *memos[8]; /* results of resolve/units.c, by version of CANN */
};

struct name_facts {
	struct str ns, base;
	bool aten;
	struct overload *overloads;
	struct package_kernel *packages;
	struct package_fact *package_facts;
	struct collective_fact *collectives;
	struct argument_limit *arguments;
	struct note *notes;
	struct leaf *leaves;
	struct known_calls *calls; /* the last worked out; NULL: no leaves */
	struct gradient *gradients;
	struct unit_facts *units;      /* of npu; facts_units fills it */
	const struct special *special; /* or NULL */
	struct str known_in;           /* versions of PyTorch that have the name, as spans; "" when none has */
};

struct facts {
	const struct opdb *db;
	struct arena *arena;
	struct map map;
	struct name_facts **items;
	size_t count, capacity;
	struct watch watch;
};

/* Notes a name that an answer follows from; facts_get and facts_units do so themselves. */
void facts_watch(struct facts *facts, const struct name_facts *name);

void facts_clear(struct facts *facts);

/* The facts about ns::base; an unknown name has no overloads. ERR_DB_DAMAGED, ERR_LIMIT. */
int facts_get(struct facts *facts, struct str ns, struct str base, const struct name_facts **ret, struct err *err);

/* The units of a name; with the calls into CANN, too. Errors as above. */
int facts_units(struct facts *facts, const struct name_facts *name, bool calls, struct err *err);

/* The versions of PyTorch that have one of the overloads from op to before end, as spans. False: no memory. */
bool facts_known_in(struct facts *facts, const struct overload *op, const struct overload *end, struct str *ret);

/* The overload of this name ("add.out"), or NULL. */
const struct overload *facts_overload(const struct name_facts *name, struct str op);
