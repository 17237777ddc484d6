#pragma once
/* Records read back from JSON, each value checked for what the writer can have written. */
#include "report/record/record.h"

/* A walk over a document: it notes the first value that is missing or unusable, and goes on with empty ones. */
struct loader {
	struct arena *arena;
	const char *missing; /* its key; NULL: all is well */
};
void loader_note(struct loader *loader, const char *key);

/* Fills a zeroed struct from an object. */
void record_load(struct loader *loader, const struct record *record, const cJSON *object, void *ret);
