#pragma once
/* Values of the parameters of a statement. Text is valid UTF-8 without NUL bytes; bytes are of any kind. */
#include <stdbool.h>
#include <stdint.h>

#include "base/setup/err.h"
#include "base/view/str.h"

/* TEXT is "" for a text that is not given, TEXT_OR_NULL is NULL then. */
struct db_value {
	enum { DB_NO_VALUE, DB_NUMBER, DB_TEXT, DB_BYTES, DB_NUMBERS } kind;
	bool is_null;
	uint64_t number;         /* DB_NUMBERS: their count */
	const uint64_t *numbers; /* an array as one value */
	struct str text;
	const char *name; /* of its parameter; NULL: its place counts */
};
#define INTEGER(value) ((struct db_value){ .kind = DB_NUMBER, .number = (uint64_t)(value) })
#define INTEGER_OR_NULL(pointer)                                                                                       \
	((struct db_value){ .kind = DB_NUMBER, .is_null = !(pointer), .number = (pointer) && *(pointer) })
#define INTEGERS(items, count) ((struct db_value){ .kind = DB_NUMBERS, .numbers = (items), .number = (count) })
#define TEXT(value) ((struct db_value){ .kind = DB_TEXT, .text = (value) })
#define TEXT_OR_NULL(value) ((struct db_value){ .kind = DB_TEXT, .is_null = !(value).ptr, .text = (value) })
#define BYTES(value) ((struct db_value){ .kind = DB_BYTES, .text = (value) })
#define AS(name, value) value_as(name, value)
#define BIND(...) ((const struct db_value[]){ __VA_ARGS__, { 0 } })
#define BIND_NOTHING ((const struct db_value[]){ { 0 } })

/* The value of the parameter `:name`. */
struct db_value value_as(const char *name, struct db_value value);

enum { VALUES_MOST = 32 }; /* of a statement */

/* Values in the order of these names, each of which has one value, and each value one of them; else ERR_INTERNAL. */
struct parameter_names {
	struct str *items;
	size_t count, capacity;
};
int values_arrange(const struct db_value *values, const struct parameter_names *names,
	struct db_value ret[VALUES_MOST + 1], struct err *err);

/* Values of several runs of a statement: `each` of them a run, the last one empty. */
struct value_sets {
	const struct db_value *items;
	size_t each, count;
};

/* ERR_VALUE for a text that is not valid UTF-8 or has a NUL byte. */
int values_check(const struct db_value *values, struct err *err);

/* A text as it may be stored, with U+FFFD for what may not: words of a dump, an error, a request. Identifiers are
   refused instead. */
struct arena;
struct str value_text(struct arena *arena, struct str text);

/* Appends the numbers of a value between two brackets, joined by commas. */
struct buf;
void value_put_numbers(struct buf *buf, const struct db_value *value, const char brackets[2]);
