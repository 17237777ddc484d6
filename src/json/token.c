#include "json/token.h"

static bool ends_word(char c)
{
	return c == ',' || c == '}' || c == ']' || json_is_blank(c) || c == '"' || c == '{' || c == '[' || c == ':';
}

enum json_status json_word(struct json_cursor *cursor, struct json_value *ret)
{
	const char *at = json_digits(cursor->at, cursor->end);

	while (at < cursor->end && !ends_word(*at))
		at++;
	ret->kind = JSON_WORD;
	ret->escaped = false;
	ret->raw = (struct str){ cursor->at, (size_t)(at - cursor->at) };
	if (ret->raw.len > JSON_MAX_WORD)
		return JSON_BROKEN;
	if (at == cursor->end)
		return JSON_MORE;
	if (*at == ':' || (ret->raw.len && (*at == '"' || *at == '{' || *at == '[')))
		return JSON_BROKEN;
	cursor->at = at;
	return JSON_OK;
}

enum json_status json_container(struct json_cursor *cursor, struct json_value *ret)
{
	struct str rest = { cursor->at + 1, (size_t)(cursor->end - cursor->at - 1) };
	const char *close = json_find_close(rest.ptr, cursor->end);
	struct json_skip skip = { .depth = 1 };
	enum json_status status = JSON_OK;

	if (close)
		rest.ptr = close;
	else
		status = json_skip(&skip, &rest);
	ret->kind = *cursor->at == '[' ? JSON_LIST : JSON_OBJECT;
	ret->escaped = false;
	ret->raw = (struct str){ cursor->at, (size_t)(rest.ptr - cursor->at) };
	if (status != JSON_MORE)
		cursor->at = rest.ptr;
	return status;
}

enum json_status json_item(struct json_cursor *cursor, struct json_value *ret, bool *ret_closed)
{
	*ret_closed = false;
	json_skip_separators(cursor);
	if (cursor->at == cursor->end)
		return JSON_MORE;
	if (*cursor->at == '}' || *cursor->at == ':')
		return JSON_BROKEN;
	if (*cursor->at != ']')
		return json_value(cursor, ret);
	cursor->at++;
	*ret_closed = true;
	return JSON_OK;
}

enum json_status json_key(struct json_cursor *cursor, struct str *ret_key, bool *ret_closed)
{
	struct json_value key;
	enum json_status status;

	*ret_closed = false;
	json_skip_separators(cursor);
	if (cursor->at == cursor->end)
		return JSON_MORE;
	if (*cursor->at == '}') {
		cursor->at++;
		*ret_closed = true;
		return JSON_OK;
	}
	if (*cursor->at != '"')
		return JSON_BROKEN;
	cursor->at++;
	status = json_string(cursor, &key);
	if (status != JSON_OK)
		return status;
	*ret_key = key.raw;
	return json_open(cursor, ':');
}
