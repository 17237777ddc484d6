#pragma once
/*
 * One description of a struct of the result, from which its JSON is written and read back: a table of fields, one for
 * each key. Tests hold the tables against schema/report.schema.json.
 * What is read comes from somebody else and goes to terminals and pages, so each kind says what its values may be.
 */
#include <cjson/cJSON.h>

#include "assess/model/message.h"
#include "base/value/words.h"
#include "json/jsonw.h"

enum field_kind {
	FIELD_TEXT,          /* struct str: any text */
	FIELD_LINE,          /* struct str of printable ASCII: versions, dates, targets */
	FIELD_WORD,          /* struct str of letters, digits, '_', '-' and '.', at most 64: digests, ids */
	FIELD_ENUM,          /* an enum by its words; a word of a later version is the set's other */
	FIELD_FLAGS,         /* unsigned: the list of the words whose bits are set */
	FIELD_BOOL,          /* bool */
	FIELD_COUNT,         /* uint64_t from 0 to FIGURE_MAX */
	FIELD_PLACE,         /* uint32_t */
	FIELD_NUMBER,        /* int64_t of either sign */
	FIELD_MILLI,         /* int64_t in thousandths: nanoseconds as microseconds, milliseconds as seconds */
	FIELD_MICRO,         /* int64_t in millionths: nanoseconds as milliseconds */
	FIELD_SHARE,         /* int64_t in millionths, from 0 to 1 */
	FIELD_SHARE_OR_NULL, /* the same, -1 is null */
	FIELD_DIMS,          /* struct str: sizes of arguments as compact JSON, "" is null */
	FIELD_TYPES,         /* struct str: types joined by ", ", "-" and "" are null */
	FIELD_MESSAGE,       /* struct message */
	FIELD_OBJECT,        /* a struct by its record */
	FIELD_INLINE,        /* a struct, or a message, whose keys belong to the same object */
	FIELD_POINTER,       /* a pointer to a struct, NULL where the key is missing */
	FIELD_LIST,          /* an array of structs and their count */
	FIELD_TEXTS,         /* an array of struct str and its count; below, of int64_t of either sign */
	FIELD_NUMBERS,
	FIELD_MAP,       /* the same as FIELD_LIST by a key in each struct, which key_kind describes */
	FIELD_MAP_AGAIN, /* another value of each struct of a map that comes before */
	FIELD_HAS,       /* bool: not written; whether the key of another field is there */
	FIELD_PUT,       /* written by a function, not read */
};

enum field_flag {
	OPTIONAL = 1 << 0, /* left out when empty or zero, or when another member or `when` says so */
	LATER = 1 << 1,    /* always written; reports of earlier versions lack it */
};

struct record;
struct field {
	const char *key; /* NULL behind the last field */
	enum field_kind kind;
	unsigned flags;
	size_t at, bytes, count_at;  /* of the member, and of the count of an array */
	const struct words *words;   /* of FIELD_ENUM, FIELD_FLAGS */
	const struct record *record; /* of a struct or the items of an array; FIELD_INLINE: or NULL */
	size_t when_at, when_bytes;  /* OPTIONAL: the member that is not zero where it is written; 0 bytes: its own */
	bool (*when)(const void *item); /* OPTIONAL: whether it is written, where no single member says so */
	void (*put)(struct jsonw *json, const void *item); /* of FIELD_PUT: the value */
};
struct record {
	size_t bytes;
	const struct field *fields; /* the first of the records of a map is its key, and not among its values */
	bool tuple;                 /* a list of the values alone */
	bool bare;                  /* the items of a map are values: the only field behind the key */
};

/* Write a struct as the next value; under a key; its keys into the open object; a list of structs under a key. */
void record_put(struct jsonw *json, const struct record *record, const void *item);
void record_put_key(struct jsonw *json, const char *key, const struct record *record, const void *item);
void record_put_fields(struct jsonw *json, const struct record *record, const void *item);
void record_put_list(struct jsonw *json, const char *key, const struct record *record, const void *items, size_t count);
