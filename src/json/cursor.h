#pragma once
/*
 * A place in JSON text, and the blanks, commas and brackets between its tokens.
 *
 * A cursor walks over bytes in memory and never past their end. When they end too early its functions say so
 * (JSON_MORE), and the caller tries again from the same place with more of them.
 */
#include "json/bytes.h"

struct json_cursor {
	const char *at, *end;
};

static inline void json_skip_blanks(struct json_cursor *cursor)
{
	if (cursor->at == cursor->end || *cursor->at <= ' ')
		cursor->at = json_blanks(cursor->at, cursor->end);
}

static inline void json_skip_separators(struct json_cursor *cursor)
{
	json_skip_blanks(cursor);
	while (cursor->at < cursor->end && *cursor->at == ',') {
		cursor->at++;
		json_skip_blanks(cursor);
	}
}

/* Moves behind one bracket or colon. */
static inline enum json_status json_open(struct json_cursor *cursor, char bracket)
{
	json_skip_blanks(cursor);
	if (cursor->at == cursor->end)
		return JSON_MORE;
	if (*cursor->at != bracket)
		return JSON_BROKEN;
	cursor->at++;
	return JSON_OK;
}
