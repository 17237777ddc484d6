#include "assess/model/message.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

struct str called_with(struct arena *arena, struct str name, struct str dtypes)
{
	return dtypes.len ? arena_printf(arena, "%.*s (%.*s)", STR_ARG(name), STR_ARG(dtypes)) : name;
}

void message_add(struct message *message, const char *name, struct str value)
{
	assert(message->count < MESSAGE_PARAMS);
	message->params[message->count++] = (struct message_param){ name, value };
}

struct str message_value(const struct message *message, const char *name)
{
	for (size_t i = 0; i < message->count; i++) {
		if (strcmp(message->params[i].name, name) == 0)
			return message->params[i].value;
	}
	return STR("");
}

void message_add_copy(struct message *message, struct arena *arena, const char *name, struct str value)
{
	message_add(message, name, arena_keep(arena, value));
}

void message_add_number(struct message *message, struct arena *arena, const char *name, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	message_add_copy(message, arena, name, str_from(text));
}

struct message message_with(struct arena *arena, const char *id, const struct message_blank *blanks)
{
	struct message message = message_of(id);

	for (const struct message_blank *blank = blanks; blank->name; blank++) {
		if (blank->is_number)
			message_add_number(&message, arena, blank->name, blank->number);
		else
			message_add(
				&message, blank->name, blank->is_copy ? arena_keep(arena, blank->text) : blank->text);
	}
	return message;
}

struct message message_copy(struct arena *arena, const struct message *message)
{
	struct message copy = *message;

	for (size_t i = 0; i < copy.count; i++)
		copy.params[i].value = arena_keep(arena, copy.params[i].value);
	return copy;
}
