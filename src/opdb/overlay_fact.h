#pragma once
/* Inside opdb: what an overlay says, and what the resolver asks of it. */
#include "opdb/overlay.h"
#include "opdb/prove.h"

struct overlay_fact {
	size_t overlay; /* its number */
	size_t line;
	struct str ns, base, overload; /* overload without a pointer: the name as a whole */
	enum target_kind target;
	const unsigned char *places; /* by place of the release: 1 where the fact holds */
	const struct chip *chip;     /* NULL: any */
	struct str dtypes;           /* joined by blanks; "": any */
	unsigned types;              /* the same as enum dtype */
	bool has_status;
	enum op_status status;
	unsigned flags;
	struct str reason, evidence, date;
	struct str label; /* "site.tsv:7 (0123456789ab)" */
};

struct overlays {
	struct {
		struct overlay *items;
		size_t count, capacity;
	} files;
	struct overlay_fact *items;
	size_t count, capacity;
	struct map map; /* by namespace and base */
};

/* NULL is allowed. */
void overlays_free(struct overlays *overlays);

/* Lets the overlays decide about an overload whose proof from the shipped facts is in *ret. */
void overlay_prove(
	const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret);

/* The same for the answer about a name that no overload of the release speaks for. */
void overlay_answer(const struct question *question, const struct name_facts *name, struct answer *ret);

/* Puts what holds for some dtypes, or for a chip that nobody named, into the answer: it may apply or not. */
void overlay_limit(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret);
