#pragma once
/*
 * The verdict on one operator of a profile on one target: what the database answers, narrowed by what the dump shows.
 */
#include "assess/judge/call_facts.h"
#include "assess/model/operators.h"
#include "opdb/resolve/resolve.h"

/* What is certain and what is possible. Without a condition the three are equal. */
struct judgement {
	enum op_status status; /* as reported */
	enum op_status best, worst;
	unsigned flags;
	bool slow_path;                 /* the chip takes its lists of tensors one by one */
	enum op_status explicit_status; /* when the program names it on the device */
	struct str package, equivalents, known_in;
	bool package_has_it;          /* a kernel of the package was seen */
	const struct release *better; /* the next release that runs it on the device; NULL: none, or it does here */
};

/* Everything that verdicts on one profile share. */
struct judge {
	struct arena *arena;
	struct resolver *resolver;
	const struct profile *profile; /* NULL: the names come from no dump */
	const struct operators *operators;
	const struct call_facts *call_facts; /* of the profile's operators; NULL: the names come from no dump */
	bool skip_history; /* no since and until for what runs on the device: the status on every release takes its time */
	bool brief;        /* the judgement alone, and of the verdict nothing: no texts, no advice */
	bool rows_hidden; /* rows are missing: a composite that chose a backend's own operator may be among them */
};

/* Judges operators->items[index]. The texts of *ret live in the arena or are static, those of *ret_judgement in the resolver.
   ERR_DB_DAMAGED, ERR_LIMIT. With brief, *ret is to be forgotten. */
int judge_operator(const struct judge *judge, size_t index, const struct target *target, struct result_verdict *ret,
	struct judgement *ret_judgement, struct err *err);

/* The same for a name that comes from no dump, or for one overload of it ("": the name as a whole). */
int judge_name(struct arena *arena, struct resolver *resolver, const struct target *target, struct str name,
	struct str overload, enum reading reading, struct result_verdict *ret, struct judgement *ret_judgement,
	struct err *err);

/* The flags (bits) as words, and the evidence of an answer, in the verdict; they live in arena. */
void verdict_put_flags(struct arena *arena, unsigned flags, struct result_verdict *ret);
void verdict_put_evidence(struct arena *arena, const struct answer *answer, struct result_verdict *ret);

/* On the device itself / at all, at best and at worst. */
bool judgement_runs_on_device(enum op_status status);
bool judgement_runs(enum op_status status);
