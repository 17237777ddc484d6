#pragma once
/*
 * Inside the resolver: the status of one overload on one release, with the facts that it follows from.
 */
#include "opdb/evidence.h"
#include "opdb/facts.h"
#include "opdb/history.h"
#include "opdb/resolve.h"

struct resolver {
	const struct opdb *db;
	struct arena arena; /* facts and answers */
	struct facts facts;
	struct str **urls;     /* by release, then by source; filled when asked for */
	struct proof *scratch; /* of one name's overloads */
	size_t scratch_count;
	struct walks walks;
	bool without_reported;
	bool without_texts;
	bool full; /* an answer did not fit into the arena */
};

/* On what, and how, a name is looked at. */
struct question {
	struct resolver *resolver;
	const struct release *release;
	const struct chip *chip; /* NULL: any */
	enum reading reading;
	bool status_only; /* no texts and no evidence, no flags and no overloads */
};

/* Whether an answer is to have texts and evidence. */
static inline bool wants_texts(const struct question *question)
{
	return !question->status_only && !question->resolver->without_texts;
}

struct proof {
	const struct overload *op;
	enum op_status status;
	unsigned flags;
	struct str via, detail;
	struct str equivalents; /* of a name that is switched away */
	bool switched;          /* the name belongs to another backend and is not what runs */
	struct cites cites;
};

/* One text of several, in the resolver's arena; "" once it is full, and where it is not wanted. */
struct str question_join(const struct question *question, bool wanted, const struct str *parts, size_t count);
#define JOIN_IF(wanted, question, ...)                                                                                 \
	question_join(question, wanted, (const struct str[]){ __VA_ARGS__ },                                           \
		sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))
#define JOIN(question, ...) JOIN_IF(wants_texts(question), question, __VA_ARGS__)

/* The plugin's registration that a call on dense tensors of the release ends at, or NULL. */
const struct kernel *kernel_on(const struct overload *op, const struct release *release, bool aten);

/* Whether a registration is one of the release. */
bool kernel_holds(const struct kernel *kernel, const struct release *release);

/* Whether a patch to PyTorch defines the operator without a kernel of its own. */
bool is_patched_in(const struct overload *op, const struct release *release);

/* Whether the release has the overload: in its PyTorch, or of its plugin's own. */
bool overload_exists(const struct question *question, const struct name_facts *name, const struct overload *op);

/* The status of an overload that exists on the release, or of one that does not (OP_UNKNOWN). */
int prove(const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret,
	struct err *err);

/* The answer about a name or one of its overloads. Starts from an empty answer in *ret. */
int answer_name(const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret,
	struct err *err);

/* The rule's equivalents that the release has, joined by ';'. *ret_any: at least one, or none is needed. */
int prove_equivalents(
	const struct question *question, const struct rule *rule, struct str *ret, bool *ret_any, struct err *err);

/* Whether composites choose names of this rule by device, so that another name may run instead. */
bool rule_switches(const struct rule *rule);
