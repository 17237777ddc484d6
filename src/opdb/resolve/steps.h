#pragma once
/*
 * The steps to an answer, each in the file of its name. Those that can fail return 0, ERR_DB_DAMAGED or ERR_LIMIT.
 */
#include "opdb/resolve/evidence.h"

/* --- prove.c: the status of one overload on one release: the dispatcher's rules (SEMANTICS 5.1) in their order. */

/* The status of an overload that exists on the release, or of one that does not (OP_UNKNOWN). */
int prove(const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret,
	struct err *err);

/* The rule's equivalents that the release has, joined by ';'. *ret_any: at least one, or none is needed. */
int prove_equivalents(const struct question *question, const struct backend_rule *rule, struct str *ret, bool *ret_any,
	struct err *err);

/* Whether composites choose names of this rule by device, so that another name may run instead. */
bool rule_switches(const struct backend_rule *rule);

/* --- absent.c: names of aten that a release does not have: those of another version of PyTorch. */

/* A name or overload that the release's PyTorch lacks: equivalent where the release has something in its place, as for
   cudnn_convolution_backward_input of a 1.x profile, _cat, or a plugin's operator that is in a namespace of its own
   now; else unknown. */
int absent_answer(const struct question *question, const struct name_facts *name, struct str overload,
	struct answer *ret, struct err *err);

/* Whether the release has one of these operators, joined by ';': then *ret is an answer that it runs instead. */
int absent_instead(
	const struct question *question, struct str names, struct str via, struct answer *ret, struct err *err);

/* The same of what other releases run in place of a name (rules/renamed.tsv). special: of the name, or NULL. */
int absent_renamed(const struct question *question, const struct special *special, struct cites *cites,
	struct answer *ret, struct err *err);

/* --- namespace.c, libraries.c: names outside aten that a release does not register. */

/* SEMANTICS 5.4: a package that brings the kernel, a namespace with its own rule, or a package that is not known. */
int namespace_answer(
	const struct question *question, const struct name_facts *name, struct answer *ret, struct err *err);

/* Adds what libraries take under the name: packages for the target, and the release's backend of torch.distributed,
   whose types are accepted or refused ones of the answer. */
void libraries_put(const struct question *question, const struct name_facts *name, struct answer *ret);

/* A collective, of what libraries_put has added: native where the backend takes it under some reduce operation,
   unsupported where it refuses it or has none. */
void collective_answer(const struct question *question, struct answer *ret);

/* --- overlay_apply.c: what overlays make of the answers that follow from the shipped facts. */

/* Applies the overlays to an overload whose proof from the shipped facts is in *ret. */
void overlay_prove(
	const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret);

/* The same for the answer about a name that no overload of the release speaks for. */
void overlay_answer(const struct question *question, const struct name_facts *name, struct answer *ret);

/* Puts what holds for some dtypes, or for a chip that nobody named, into the answer: it may apply or not. */
void overlay_limit(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret);

/* --- note_apply.c: what notes (opdb/db/note.h) make of an answer. */

/* Adds the notes that hold for the question to the answer: its list, its flags, what is certain. */
void notes_apply(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret);

/* --- name.c: the answer about a base name: one for all of its overloads (SEMANTICS 5.2). */

/* The answer about a name, or about one of its overloads. */
int answer_name(const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret,
	struct err *err);

/* An overload as answers list it. */
struct overload_answer overload_answer(const struct question *question, const struct proof *proof);
