#pragma once
/* Records read from JSON, each value checked against what the writer can have written. */
#include "base/memory/arena.h"
#include "json/value.h"
#include "record/record.h"
#include "record/shared.h"

/* A walk over a document, value by value, without a tree of it. It notes the first value that is missing or unusable,
   and continues with empty ones. */
struct loader {
	struct arena *arena;   /* without a budget; texts and items are copied there */
	struct shared *shared; /* values that are kept once; NULL: none is */
	bool spends;         /* the text is read once: pages of a long list go back to the system when they were read */
	const char *missing; /* key of that value; NULL: the document is usable */
	bool is_unknown;     /* it is the key that its closed record does not have */
	size_t bad_at;       /* record_read: behind the last valid token of text that is not JSON; else SIZE_MAX */
};
void loader_note(struct loader *loader, const char *key);

/* A copy of a text. */
struct str loader_keep(struct loader *loader, struct str text);

/* Room for the values in an array or object, zeroed, and its count in the struct. NULL and a note without one. */
void *load_items(struct loader *loader, const struct field *field, const struct json_value *array, void *item);

/* Fills a zeroed struct from an object of a valid document. Of members with the same key the first counts. */
void record_load(struct loader *loader, const struct record *record, const struct json_value *object, void *ret);

/* Checks text and fills a zeroed struct from the object that it is. False where the loader notes an error. */
bool record_read(struct loader *loader, struct str json, const struct record *record, void *ret);
