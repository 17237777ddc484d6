#pragma once
/* The judgement of an operator on a target, and the state shared by all judging of one profile. */
#include "assess/model/operators.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "opdb/resolve/resolve.h"

/*
 * Two structs hold what is known of an operator on a target, as their lifetimes differ:
 * - answer (opdb): the facts on a name and a release, many of them, read while one name is judged;
 * - judgement: the outcome for the calls of a dump, kept for every operator. Its verdict is the part that a report has
 *   and that is read back from one; the bounds around it are added up for a target, and end with the assessment.
 */
struct judgement {
	struct result_verdict verdict; /* with judge.brief without texts; they live in the judge's arena */
	unsigned open_types;           /* enum dtype: it may refuse these, and their use is unknown */
	unsigned limited_types;        /* those that are, or may be, refused or slow; DTYPE_ALL: unknown which */
	enum op_status best, worst;    /* the possible outcomes; without a condition equal to the verdict's status */
	bool types_alone;              /* it would run on the device with other types */
	bool slow_path;                /* the chip takes its lists of tensors one by one */
	bool dense_only;               /* PyTorch has kernels for sparse tensors, the release has none */
	bool fails;                    /* it was seen to raise */
	const struct unit_condition *aicpu_when; /* what decides that where the types do not; or NULL */
	struct str package;                      /* the answer's; it lives in the resolver */
	const struct note *crash, *wrong;        /* reports about such calls on this release or chip; NULL: none */
	const struct note *possible;             /* one that may be about such calls, or without a public link */
	const struct release *better; /* the next release that runs it on the device; NULL: none, or it does here */
};

struct call_facts;
struct unit_condition;
struct assumption_list;
struct composites;

/* Texts on data types in verdicts, each once. */
struct type_sets {
	MEM_LIST(struct result_types) sets;
	struct map by_hash;
};

/* Parts of a judgement that composites change, as before, and the last consecutive release for which they hold. */
struct held_judgement {
	const struct release *last;
	enum op_status worst;
	unsigned open_types;
};

/* The operators of a profile, where to ask about them, and how. */
struct judge {
	struct arena *arena;
	struct resolver *resolver;
	struct str target; /* id of the one that all are judged on, kept once for their verdicts; "": of each */
	const struct profile *profile; /* NULL: the names come from no dump */
	const struct operators *operators;
	const struct call_facts *call_facts;       /* of the profile's operators; NULL: the names come from no dump */
	const struct assumption_list *assumptions; /* may be NULL */
	const struct composites *composites;       /* for judge_all */
	const bool *sparse;                        /* by operator: it gets sparse tensors, or may; NULL: none does */
	const bool *host_work;                     /* by operator: only a DataLoader calls it; NULL: none */
	struct held_judgement *held; /* of one release after another in their order, by operator; NULL: of any */
	struct type_sets *type_sets; /* grows by what verdicts say; NULL: they say nothing of types */
	unsigned stated_types;       /* enum dtype: what the program computes in, as its user says; 0: not stated */
	bool skip_history; /* no since and until for what runs on the device: the status on every release takes time */
	bool brief;        /* judgements alone: verdicts get no texts and no advice */
	bool rows_hidden;  /* rows are missing: a composite that chose a backend's own operator may be among them */
};

/* The worst that it may come to, whichever types the program uses. */
enum op_status judgement_worst(const struct judgement *judgement);

/* On the device itself; on the device or the CPU. */
bool judgement_runs_on_device(enum op_status status);
bool judgement_runs(enum op_status status);

/* The types that an answer tells of, each under one heading: refused ones run nowhere. */
struct result_types types_taken(const struct answer *answer);

/* Put the evidence of an answer into the verdict; it lives in arena. */
void verdict_put_evidence(struct arena *arena, const struct answer *answer, struct result_verdict *ret);
