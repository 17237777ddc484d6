#pragma once
/*
 * One description of a struct, from which its JSON is written and read: a table of fields, one for each key.
 *
 *	static const struct field site_fields[] = {
 *		{ "path", &kind_text, AT(site, path) },
 *		{ "api", &kind_text, AT(site, api), OPTIONAL },
 *		{ "action", &kind_enum, AT(site, action), .words = &action_words },
 *		{ "calls", &kind_list, ITEMS(site, calls, call_count), .record = &call_record },
 *		{ 0 }
 *	};
 *	const struct record site_record = { sizeof(struct site), site_fields };
 *
 * A table is data: keys, kinds and offsets. The kinds of values are in kinds.h and nested.h; a layer that has values
 * of its own defines further ones.
 */
#include "base/value/words.h"
#include "json/jsonw.h"

/* A member of a struct; AT(type, member) names one. */
struct record_part {
	size_t at, bytes;
};
#define AT(type, member)                                                                                               \
	{                                                                                                              \
		offsetof(struct type, member), sizeof(((struct type *)0)->member)                                      \
	}

/* The items of an array and their count, in a field: { "calls", &kind_list, ITEMS(site, calls, call_count) } */
#define ITEMS(type, items, number) AT(type, items), .count = AT(type, number)

enum field_flag {
	OPTIONAL = 1 << 0, /* left out when empty or zero, or while `when` is zero */
	PRESENCE = 1 << 1, /* OPTIONAL, and reading sets the bool at `when` to whether the key is present */
	LATER = 1 << 2,    /* always written; documents of earlier versions lack it */
};

enum { RECORD_FIELDS = 64 }; /* of one record, at most */

struct field;
struct kind;
struct record {
	size_t bytes;
	const struct field *fields; /* the first of the records of a map is its key, and not among its values */
	bool tuple;                 /* a list of the values alone */
	bool bare;   /* items are values: of a map the only field behind the key, of a list the only one */
	bool shared; /* equal lists of it in a document are one in memory */
	bool closed; /* reading refuses unknown keys; else they are skipped */
};
struct field {
	const char *key; /* NULL behind the last field */
	const struct kind *kind;
	struct record_part at; /* bytes 0: the struct itself */
	unsigned flags;
	struct record_part count, when; /* count: of the items of an array */
	const struct words *words;      /* of an enum, of flags */
	const struct record *record;    /* of a struct, or of the items of an array */
	bool (*is_written)(const void *item);
	void (*put)(struct jsonw *json, const void *item); /* of kind_made */
};

/* Write a struct as the next value; under a key; its keys into the open object; a list of structs under a key. */
void record_put(struct jsonw *json, const struct record *record, const void *item);
void record_put_key(struct jsonw *json, const char *key, const struct record *record, const void *item);
void record_put_fields(struct jsonw *json, const struct record *record, const void *item);
void record_put_list(struct jsonw *json, const char *key, const struct record *record, const void *items, size_t count);
