#pragma once
/*
 * Asking what becomes of an operator on a release.
 *
 * The rules are those of PyTorch's dispatcher and of the plugins (SEMANTICS 5), in their order. A resolver keeps the
 * facts that it has read; it belongs to one thread, and all text that it answers with lives until resolver_free. Where
 * a function returns int it is 0, ERR_DB_DAMAGED, or ERR_LIMIT when more was asked than a resolver's memory allows.
 */
#include "opdb/answer.h"
#include "opdb/target.h"

struct resolver;

/* The database that it asks. */
const struct opdb *resolver_db(const struct resolver *resolver);

struct resolver *resolver_new(const struct opdb *db);

/* From now on what users report is left out: what registrations, documents and rules alone foretell. */
void resolver_without_reported(struct resolver *resolver);

/* Whether answers from now on have texts and evidence, as they have unless told otherwise, or statuses, flags, overloads and
   types alone, at a third of the cost. */
void resolver_set_texts(struct resolver *resolver, bool wanted);

/* NULL is allowed. */
void resolver_free(struct resolver *resolver);

/* The operator ns::base as a profile prints it, or one overload of it ("": the name as a whole). */
int resolve_base(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct str overload, enum reading reading, struct answer *ret, struct err *err);

/* Whether the name belongs to another backend and none of the composites that choose it was recorded: then the program
   names it itself, READING_EXPLICIT. recorded is asked with full names such as "aten::_convolution". */
bool resolve_called_by_name(const struct resolver *resolver, struct str ns, struct str base,
	bool (*recorded)(void *ctx, struct str name), void *ctx);

/* Every overload that PyTorch has in the target's version, by name, until each answers other than 0. */
int resolve_all(struct resolver *resolver, const struct target *target, enum reading reading,
	int (*each)(void *ctx, const struct overload_answer *overload), void *ctx, struct err *err);

/* Adds to an answer that is a composite what holds for the operators that its body always calls: their flags, the types
   that they refuse, and which of them do not run. A profile shows the calls themselves: this is for a name alone. */
int resolve_leaves(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct str overload, enum reading reading, struct answer *ret, struct err *err);

/* Whether operators of a namespace come from a library beside PyTorch and the plugins. */
bool resolve_is_third_party(const struct resolver *resolver, struct str ns);

/* How good a status is for somebody who moves: runs on the device, runs at all, does not run, not known. */
enum status_class { CLASS_DEVICE, CLASS_CPU, CLASS_BLOCKED, CLASS_UNKNOWN };

enum status_class op_status_class(enum op_status status);

struct transition {
	const struct release *release; /* the first one with this status */
	const struct release *last;    /* of the run */
	enum op_status status;
};

/* How the status came to be, over the releases of the target in their order; development heads count only as the
   target. */
struct history {
	const struct release *since; /* the first release of the run of this class that the target's release is in */
	const struct release *until; /* the last one; NULL when the class holds to the end */
	const struct transition *transitions; /* every change of status, the first release included */
	size_t count;
	const struct release *earliest;   /* by date: the first that runs it on the device; NULL when none does */
	const struct release **backports; /* the first one of each older line of PyTorch that got it later */
	size_t backport_count;
};

int resolve_history(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct str overload, enum reading reading, struct history *ret, struct err *err);

/* PyTorch's tags that mean shapes depend on data, on any overload in any version. */
enum dynamic_tag { TAG_DATA_DEPENDENT_OUTPUT = 1 << 0, TAG_DYNAMIC_OUTPUT_SHAPE = 1 << 1 };

int resolve_dynamic_tags(struct resolver *resolver, struct str ns, struct str base, unsigned *ret, struct err *err);

/* The versions of PyTorch that have the name, "" when none has: "1.8.1..2.0.1 2.3.1". */
int resolve_known_in(struct resolver *resolver, struct str ns, struct str base, struct str *ret, struct err *err);

/* Every signature that an overload of the name had in any version of PyTorch, overloads by name, until each answers other than 0.
   overload: "Tensor"; signature: "(Tensor self) -> Tensor". */
int resolve_signatures(struct resolver *resolver, struct str ns, struct str base,
	int (*each)(void *ctx, struct str overload, struct str signature), void *ctx, struct err *err);
