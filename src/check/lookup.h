#pragma once
/*
 * What the database knows of one operator, on some targets: the answer of `opcheck op` and of the service's operator
 * page.
 */
#include "assess/judge/judge.h"
#include "base/buf.h"
#include "check/recipe_list.h"
#include "check/targets.h"
#include "opdb/db/names.h"
#include "opdb/resolve/history.h"

struct lookup_answer {
	const struct target *target;
	struct result_verdict verdict;
	struct judgement judgement;
	struct answer answer; /* what the database says, with every overload and note */
	struct history history;
};

struct lookup {
	struct arena arena;
	struct resolver *resolver;
	struct str name, overload;     /* "aten::add", "Tensor" or "" */
	struct str api;                /* the Python name that was asked for, "torch.add"; "" */
	struct str known_in;           /* versions of PyTorch */
	struct lookup_answer *answers; /* in the order of the targets */
	size_t count;
	struct recipe_list recipes; /* that fit on some target */
};

/* Asks for a name as a user writes it: "add", "aten::add.Tensor", "aten.add.Tensor" and "torch.ops.aten.add.default"
   of graphs, or a Python name such as "torch.add", "nn.Conv2d" and "F.conv2d". db and targets must outlive *ret,
   which lookup_clear frees. ERR_OPERATOR, with the nearest names as hint, for one that its namespace does not have
   in any version; ERR_DB_DAMAGED, ERR_LIMIT. */
int lookup_run(const struct opdb *db, struct str given, const struct target_list *targets, struct lookup *ret,
	struct err *err);

/* Also for one that failed or was never run. */
void lookup_clear(struct lookup *lookup);

struct jsonw;

/* Writes an object with the facts of one verdict: overloads, types, notes, runs of releases. */
void lookup_put_facts(const struct lookup_answer *answer, struct jsonw *json);

/* The same of units: a table in the open document, none where nothing is known; an object "units". */
void lookup_put_units(struct doc *doc, const struct answer *answer);
void lookup_put_units_json(const struct answer *answer, struct jsonw *json);

/* A line of the open table of facts; none for a value that is empty. */
void lookup_put_fact(struct doc *doc, const char *title, struct str value);

/* Lines of that table about collectives and packages; keys of the open object. */
void lookup_put_library(struct doc *doc, const struct answer *answer);
void lookup_put_library_json(const struct answer *answer, struct jsonw *json);

/* A list of types under a key. */
void lookup_put_types_json(struct jsonw *json, const char *key, unsigned types);

/* The answers as a document, with the recipes that fit. */
void lookup_build(struct doc *doc, const struct lookup *lookup);

/* Appends the answers as JSON. */
void lookup_put_json(const struct lookup *lookup, struct buf *out);

/* The status alone, of a full name ("aten::add") on one target. ERR_DB_DAMAGED, ERR_LIMIT. */
int lookup_status(
	struct resolver *resolver, const struct target *target, struct str name, enum op_status *ret, struct err *err);

/* Appends a draft for an issue at the vendor of each plugin, as Markdown: versions, what is known, its sources, and a
   program that shows it. ERR_DB_DAMAGED, ERR_LIMIT. */
int lookup_put_issue(struct lookup *lookup, enum lang lang, struct buf *out, struct err *err);
