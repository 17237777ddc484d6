#pragma once
/*
 * A kind of value: its form in memory, and how it is written and read. Documents come from outside and go to terminals
 * and pages, so that each kind states which values it accepts.
 */
#include "record/load.h"

enum member_type {
	MEMBER_NONE, /* computed when written */
	MEMBER_TEXT, /* struct str */
	MEMBER_BOOL,
	MEMBER_UNSIGNED, /* also an enum */
	MEMBER_U32,
	MEMBER_I64,     /* also uint64_t of at most FIGURE_MAX */
	MEMBER_STRUCT,  /* by a record, or of the kind's own type */
	MEMBER_POINTER, /* to one, or NULL */
	MEMBER_ITEMS,   /* a pointer to items and their count */
};

struct kind {
	const char *name, *json_type; /* the second in the words of JSON Schema */
	enum member_type type;
	size_t item_bytes;   /* MEMBER_ITEMS: of an item; 0: the record's */
	bool is_inline;      /* its keys belong to the object of the struct, and the key of the field is not written */
	unsigned decimals;   /* of a number: its member counts in units of 10^-decimals */
	int64_t least, most; /* of the member of a number */
	void (*put)(struct jsonw *json, const struct field *field, const void *item);
	bool (*has_key)(const struct json_value *name); /* of an inline kind without a record */
	void (*load)(struct loader *loader, const struct field *field, const struct json_value *value, void *item);
};

static inline const void *field_of(const struct field *field, const void *item)
{
	return (const char *)item + field->at.at;
}

static inline void *field_in(const struct field *field, void *item)
{
	return (char *)item + field->at.at;
}

static inline size_t field_count(const struct field *field, const void *item)
{
	return *(const size_t *)(const void *)((const char *)item + field->count.at);
}
