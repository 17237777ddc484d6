#include "json/jsonw.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"

struct jsonw jsonw_start(struct buf *out, unsigned line_depth)
{
	return (struct jsonw){ .out = out, .line_depth = line_depth };
}

static void new_line(struct jsonw *json)
{
	static const char blanks[] = "\n        ";
	unsigned len = json->depth + 1, most = sizeof(blanks) - 1, some = len < most ? len : most;

	buf_add(json->out, (struct str){ blanks, some });
	for (; some < len; some++)
		buf_byte(json->out, ' ');
}

/* Comma, line feed and indent before an element. */
static void put_separator(struct jsonw *json)
{
	if (json->keyed) {
		json->keyed = false;
		return;
	}
	if (json->filled)
		buf_byte(json->out, ',');
	if (json->depth && json->depth <= json->line_depth)
		new_line(json);
	else if (json->filled)
		buf_byte(json->out, ' ');
	json->filled = true;
}

static void open_bracket(struct jsonw *json, char bracket)
{
	put_separator(json);
	buf_byte(json->out, bracket);
	json->depth++;
	json->filled = false;
}

static void close_bracket(struct jsonw *json, char bracket)
{
	json->depth--;
	if (json->filled && json->depth < json->line_depth)
		new_line(json);
	buf_byte(json->out, bracket);
	json->filled = true;
	if (!json->depth)
		buf_byte(json->out, '\n');
}

void jsonw_object(struct jsonw *json)
{
	open_bracket(json, '{');
}

void jsonw_object_end(struct jsonw *json)
{
	close_bracket(json, '}');
}

void jsonw_list(struct jsonw *json)
{
	open_bracket(json, '[');
}

void jsonw_list_end(struct jsonw *json)
{
	close_bracket(json, ']');
}

/* Escapes of bytes that a string cannot hold; "u" stands for the byte as a number. */
static const char *const escapes[256] = { [0 ... '\t' - 1] = "u",
	['\t'] = "\\t",
	['\n'] = "\\n",
	['\n' + 1 ... '\r' - 1] = "u",
	['\r'] = "\\r",
	['\r' + 1 ... ' ' - 1] = "u",
	['"'] = "\\\"",
	['<'] = "u",
	['>'] = "u",
	['\\'] = "\\\\",
	[0x7f] = "u" };

static void put_string(struct buf *out, struct str text)
{
	size_t start = 0;

	buf_byte(out, '"');
	for (size_t i = 0; i < text.len; i++) {
		unsigned char byte = (unsigned char)text.ptr[i];
		const char *escape = escapes[byte];

		if (!escape)
			continue;
		buf_add(out, str_sub(text, start, i));
		if (escape[0] == 'u')
			buf_printf(out, "\\u%04x", byte);
		else
			buf_add(out, str_from(escape));
		start = i + 1;
	}
	buf_add(out, str_skip(text, start));
	buf_byte(out, '"');
}

void jsonw_key_view(struct jsonw *json, struct str key)
{
	put_separator(json);
	put_string(json->out, key);
	buf_add(json->out, STR(": "));
	json->keyed = true;
}

void jsonw_key(struct jsonw *json, const char *key)
{
	jsonw_key_view(json, str_from(key));
}

void jsonw_str(struct jsonw *json, struct str value)
{
	put_separator(json);
	put_string(json->out, value);
}

void jsonw_bool(struct jsonw *json, bool value)
{
	jsonw_raw(json, value ? STR("true") : STR("false"));
}

void jsonw_number(struct jsonw *json, int64_t value)
{
	jsonw_decimal(json, value, 0);
}

void jsonw_decimal(struct jsonw *json, int64_t value, unsigned places)
{
	put_separator(json);
	decimal_put(json->out, value, places);
}

void jsonw_raw(struct jsonw *json, struct str value)
{
	put_separator(json);
	buf_add(json->out, value);
}

/* A key or a text of a pattern, from its quote on. */
static struct str fill_quoted(struct jsonw *json, struct str rest, const struct str **texts)
{
	CLEANUP(buf_clear) struct buf filled = BUF_UNLIMITED;
	struct str word, part;

	rest = str_skip(rest, 1);
	str_cut(&rest, '\'', &word);
	if (str_starts(rest, STR(":"))) {
		jsonw_key_view(json, word);
		return rest;
	}
	while (str_cut(&word, '$', &part)) {
		buf_add(&filled, part);
		if (word.ptr)
			buf_add(&filled, *(*texts)++);
	}
	jsonw_str(json, buf_str(&filled));
	return rest;
}

void jsonw_fill_texts(struct jsonw *json, const char *pattern, const struct str *texts)
{
	static const struct {
		char sign;
		void (*put)(struct jsonw *json);
	} brackets[] = { { '{', jsonw_object }, { '}', jsonw_object_end }, { '[', jsonw_list },
		{ ']', jsonw_list_end } };

	for (struct str rest = str_from(pattern); rest.len;) {
		char sign = rest.ptr[0];

		if (sign == '\'') {
			rest = fill_quoted(json, rest, &texts);
			continue;
		}
		if (sign == '$')
			jsonw_str(json, *texts++);
		for (size_t i = 0; i < sizeof(brackets) / sizeof(brackets[0]); i++) {
			if (brackets[i].sign == sign)
				brackets[i].put(json);
		}
		rest = str_skip(rest, 1);
	}
}

void jsonw_key_object(struct jsonw *json, const char *key)
{
	jsonw_key(json, key);
	jsonw_object(json);
}

void jsonw_key_list(struct jsonw *json, const char *key)
{
	jsonw_key(json, key);
	jsonw_list(json);
}

void jsonw_key_str(struct jsonw *json, const char *key, struct str value)
{
	jsonw_key(json, key);
	jsonw_str(json, value);
}

void jsonw_key_number(struct jsonw *json, const char *key, int64_t value)
{
	jsonw_key(json, key);
	jsonw_number(json, value);
}

void jsonw_key_decimal(struct jsonw *json, const char *key, int64_t value, unsigned places)
{
	jsonw_key(json, key);
	jsonw_decimal(json, value, places);
}

void jsonw_key_bool(struct jsonw *json, const char *key, bool value)
{
	jsonw_key(json, key);
	jsonw_bool(json, value);
}
