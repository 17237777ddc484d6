#pragma once
/* From the facts that an answer follows from to addresses that a person can open. */
#include "opdb/model/answer.h"
#include "opdb/resolve/question.h"

struct overlay_fact;

/* A fact and where it was read. */
struct cite {
	unsigned source;                    /* id */
	struct str note;                    /* path that a fact of its own brings, or "" */
	struct str ref;                     /* ref that it brings, or "" */
	const struct overlay_fact *overlay; /* or NULL: a fact of a site's own, which has no source */
};

enum { CITES = 6 };

struct cites {
	struct cite items[CITES];
	size_t count;
};

/* The status of one overload on one release, with the facts that it follows from. */
struct proof {
	const struct overload *op;
	enum op_status status;
	unsigned flags;
	struct str via, detail;
	struct str equivalents; /* of a name that is switched away */
	bool switched;          /* the name belongs to another backend and is not what runs */
	struct cites cites;
};

/* Notes a source once; id 0 and what finds no room are left out. */
void cite(struct cites *cites, unsigned source);
void cite_note(struct cites *cites, unsigned source, struct str note, struct str ref);
void cite_overlay(struct cites *cites, const struct overlay_fact *fact);
void cite_all(struct cites *cites, const struct cites *more);

/* Appends the address of a cite, or one that is given in full, unless it is there. */
void evidence_add(
	const struct question *question, const struct cite *cite, enum evidence_kind kind, struct answer *ret);
void evidence_add_address(
	const struct question *question, struct str address, enum evidence_kind kind, struct answer *ret);

/* Addresses for the release of the question, in the order noted; sources for other targets are left out. */
void evidence_put(const struct question *question, const struct cites *cites, struct answer *ret);

/* Puts the evidence of more before that of *ret. */
void evidence_join(const struct question *question, const struct answer *more, struct answer *ret);

/* The first and last release that register a name which this one does not, in words; "" when none does. */
struct str registered_elsewhere(const struct question *question, const struct name_facts *name);
