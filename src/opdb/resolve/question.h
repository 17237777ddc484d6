#pragma once
/* Inside the resolver: its state, a question on its way through it, and texts that are joined. */
#include "opdb/db/facts.h"
#include "opdb/db/target.h"

struct proof;
struct walk;

struct resolver {
	const struct opdb *db;
	struct arena arena; /* facts and answers */
	struct facts facts;
	struct str **urls;     /* by release, then by source; filled when asked for */
	struct proof *scratch; /* of one name's overloads */
	size_t scratch_count;
	struct {
		struct walk *items;
		size_t count, capacity;
		struct map map; /* by name */
	} walks;                /* statuses along all releases (history.c) */
	bool without_reported;
	struct str without_repository; /* source whose reports are left out; "" for none */
	bool without_texts;
	bool full;          /* an answer did not fit into the arena */
	struct err failure; /* facts that were asked for late could not be read; its code is 0 while all could */
};

/* On which release, and how, a name is looked at. */
struct question {
	struct resolver *resolver;
	const struct release *release;
	const struct chip *chip; /* NULL: any */
	enum reading reading;
	bool dense;       /* about dense tensors whatever the overload takes */
	bool unnamed;     /* about the overload without a name alone */
	bool of_library;  /* other operators of the library that may own the namespace were recorded */
	bool no_notes;    /* nothing of units and types either: statuses and overloads alone */
	bool status_only; /* no texts and no evidence, no flags and no overloads */
};

/* Returns whether an answer needs texts and evidence. */
static inline bool wants_texts(const struct question *question)
{
	return !question->status_only && !question->resolver->without_texts;
}

/* Zeroed memory of the resolver, and a copy there; NULL, with the resolver marked full, over its budget. */
void *resolver_alloc(struct resolver *resolver, size_t bytes);
void *resolver_keep(struct resolver *resolver, const void *items, size_t bytes);

/* ERR_LIMIT once an answer did not fit, ERR_DB_DAMAGED once facts could not be read. */
int resolver_check(const struct resolver *resolver, struct err *err);

/* One text of several, in the resolver's arena; "" once it is full, and where it is not wanted. */
struct str question_join(const struct question *question, bool wanted, const struct str *parts, size_t count);
#define JOIN_IF(wanted, question, ...)                                                                                 \
	question_join(question, wanted, (const struct str[]){ __VA_ARGS__ },                                           \
		sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))
#define JOIN(question, ...) JOIN_IF(wants_texts(question), question, __VA_ARGS__)
