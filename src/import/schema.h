#pragma once
/* Schemas in the files that are imported. */
#include "import/tree.h"
#include "op/schema.h"

/* schema_parse with an error at that line of a file. */
int schema_read(const struct input *input, size_t line, struct str text, struct schema *ret, struct err *err);

/* The schema under a key of an entry, which has to be a map: "func", "name". */
int schema_read_under(
	const struct input *input, const struct node *entry, const char *key, struct schema *ret, struct err *err);

/* The schema under `func` of an entry, which is a map with no keys but these (ended by NULL). */
int schema_read_entry(const struct input *input, const struct node *entry, const char *const *keys, struct schema *ret,
	struct err *err);
