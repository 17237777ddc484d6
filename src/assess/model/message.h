#pragma once
/*
 * A statement of the report: the id of a text and what goes into its blanks. Language comes in only when it is
 * rendered.
 *
 * The texts stand in web/i18n under the id; "{steps}" in them is filled by the parameter of that name.
 */
#include "base/memory/arena.h"
#include "base/memory/buf.h"

enum { MESSAGE_PARAMS = 8 };

struct message {
	const char *id; /* NULL: no statement */
	struct message_param {
		const char *name;
		struct str value;
	} params[MESSAGE_PARAMS];
	size_t count;
};

/* A statement without parameters yet; id is static text. */
static inline struct message message_of(const char *id)
{
	return (struct message){ .id = id };
}

/* The same with its blanks filled: MESSAGE(arena, "report.overlay", BLANK("name", name), NUMBER("facts", count)). It is
   a pointer that lives as long as the block around it; numbers are written into the arena, and a COPY is made there. */
struct message_blank {
	const char *name; /* NULL behind the last */
	struct str text;
	int64_t number;
	bool is_number, is_copy;
};
#define BLANK(blank, value)                                                                                            \
	{                                                                                                              \
		.name = (blank), .text = (value)                                                                       \
	}
#define COPY(blank, value)                                                                                             \
	{                                                                                                              \
		.name = (blank), .text = (value), .is_copy = true                                                      \
	}
#define NUMBER(blank, value)                                                                                           \
	{                                                                                                              \
		.name = (blank), .number = (int64_t)(value), .is_number = true                                         \
	}
#define MESSAGE(arena, id, ...)                                                                                        \
	((const struct message[]){ message_with(arena, id, (const struct message_blank[]){ __VA_ARGS__, { 0 } }) })
struct message message_with(struct arena *arena, const char *id, const struct message_blank *blanks);

/* The name of a call if types decide: "aten::sum (complex64)"; without types the name. */
struct str called_with(struct arena *arena, struct str name, struct str dtypes);

/* Fills a blank; name is static text, value lives as long as the message. */
void message_add(struct message *message, const char *name, struct str value);

/* The text in a blank; "" for none. */
struct str message_value(const struct message *message, const char *name);

/* The same statement with its values copied into the arena. */
struct message message_copy(struct arena *arena, const struct message *message);

/* The same with a number or with text copied into the arena. */
void message_add_number(struct message *message, struct arena *arena, const char *name, int64_t value);
void message_add_copy(struct message *message, struct arena *arena, const char *name, struct str value);
