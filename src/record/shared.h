#pragma once
/* Texts and lists that a document repeats, kept once: equal texts, and equal lists of records that allow it. */
#include "record/record.h"

struct arena;
struct shared;

/* Texts and lists live in the arena, which outlives it. */
struct shared *shared_new(struct arena *arena);

/* NULL is allowed. */
void shared_free(struct shared *shared);

/* The one copy of a text. */
struct str shared_text(struct shared *shared, struct str text);

/* A list by the JSON that it is read from. */
struct shared_list {
	struct str json;
	const struct record *record;
	void *items;
	size_t count;
};

/* The list that was read from the same JSON, or NULL; and notes one. */
const struct shared_list *shared_find(const struct shared *shared, struct str json, const struct record *record);
void shared_add(struct shared *shared, const struct shared_list *list);
