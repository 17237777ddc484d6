#include "scan/source/toml.h"

#include <stdlib.h>

#include "base/view/ascii.h"
#include "scan/source/setting.h"

/* A list or a table that is open between brackets, and the key that its values are under. */
struct bracket {
	char end;
	uint32_t key;
};

struct toml_reader {
	struct syntax *syntax;
	struct str text;
	uint32_t at, table; /* table: the key of the header above */
	MEM_LIST(struct bracket) open;
};

static char byte_at(const struct toml_reader *reader, uint32_t ahead)
{
	return reader->at + ahead < reader->text.len ? reader->text.ptr[reader->at + ahead] : '\0';
}

static bool at_end(const struct toml_reader *reader)
{
	return reader->at >= reader->text.len;
}

/* Passes over blanks, line ends and comments. */
static void pass_space(struct toml_reader *reader)
{
	while (!at_end(reader) && memchr(" \t\r\n#", byte_at(reader, 0), 5)) {
		bool comment = byte_at(reader, 0) == '#';

		reader->at++;
		while (comment && !at_end(reader) && byte_at(reader, 0) != '\n')
			reader->at++;
	}
}

/* A string, with what is between its quotes. False when it has no end. */
static bool read_string(struct toml_reader *reader, uint32_t *ret_from, uint32_t *ret_to)
{
	char quote = byte_at(reader, 0);
	bool three = byte_at(reader, 1) == quote && byte_at(reader, 2) == quote;

	reader->at += three ? 3 : 1;
	*ret_from = reader->at;
	for (; !at_end(reader); reader->at++) {
		char c = byte_at(reader, 0);

		if (c == quote && (!three || (byte_at(reader, 1) == quote && byte_at(reader, 2) == quote))) {
			*ret_to = reader->at;
			reader->at += three ? 3 : 1;
			return true;
		}
		if (c == '\n' && !three)
			return false;
		reader->at += c == '\\' && quote == '"';
	}
	return false;
}

/* "tool.poetry.'a b'": a key in another. False for invalid text. */
static bool read_key(struct toml_reader *reader, uint32_t parent, uint32_t *ret)
{
	bool more = true;

	while (more) {
		uint32_t from, to;

		pass_space(reader);
		from = to = reader->at;
		if (memchr("\"'", byte_at(reader, 0), 2)) {
			if (!read_string(reader, &from, &to))
				return false;
		} else {
			while (is_word(byte_at(reader, 0)) || byte_at(reader, 0) == '-')
				to = ++reader->at;
			if (to == from)
				return false;
		}
		parent = setting_push(reader->syntax, from, to, parent, SYN_AS_KEY);
		while (memchr(" \t", byte_at(reader, 0), 2))
			reader->at++;
		more = byte_at(reader, 0) == '.';
		reader->at += more;
	}
	*ret = parent;
	return true;
}

/* "[tool.uv]", "[[tool.uv.index]]" */
static bool read_header(struct toml_reader *reader)
{
	uint32_t brackets = byte_at(reader, 1) == '[' ? 2 : 1;

	reader->at += brackets;
	if (!read_key(reader, 0, &reader->table))
		return false;
	for (; brackets; brackets--) {
		if (byte_at(reader, 0) != ']')
			return false;
		reader->at++;
	}
	return true;
}

/* A value, or the beginning of a list or a table. */
static bool read_item(struct toml_reader *reader, uint32_t key)
{
	uint32_t from = reader->at, to;
	char c = byte_at(reader, 0);

	if (memchr("[{", c, 2)) {
		MEM_PUSH(&reader->open, ((struct bracket){ c == '[' ? ']' : '}', key }));
		reader->at++;
		return true;
	}
	if (memchr("\"'", c, 2)) {
		if (!read_string(reader, &from, &to))
			return false;
	} else {
		while (!at_end(reader) && !memchr(",]}#\r\n", byte_at(reader, 0), 6))
			reader->at++;
		to = reader->at;
		while (to > from && memchr(" \t", reader->text.ptr[to - 1], 2))
			to--;
	}
	setting_push(reader->syntax, from, to, key, SYN_AS_VALUE);
	return reader->at > from;
}

static bool read_pair(struct toml_reader *reader, uint32_t table)
{
	uint32_t key;

	if (!read_key(reader, table, &key) || byte_at(reader, 0) != '=')
		return false;
	reader->at++;
	while (memchr(" \t", byte_at(reader, 0), 2))
		reader->at++;
	return !memchr("\r\n", byte_at(reader, 0), 2) && !at_end(reader) && read_item(reader, key);
}

/* Read values up to the end of the open brackets. */
static bool read_open(struct toml_reader *reader)
{
	while (reader->open.count) {
		struct bracket last = reader->open.items[reader->open.count - 1];
		char c;

		pass_space(reader);
		c = byte_at(reader, 0);
		if (at_end(reader))
			return false;
		if (c == last.end || c == ',') {
			reader->open.count -= c == last.end;
			reader->at++;
		} else if (last.end == ']' ? !read_item(reader, last.key) : !read_pair(reader, last.key)) {
			return false;
		}
	}
	return true;
}

int toml_read(struct syntax *ret, struct err *err)
{
	struct toml_reader reader = { .syntax = ret, .text = ret->text };
	bool good = true;

	for (pass_space(&reader); good && !at_end(&reader); pass_space(&reader)) {
		if (byte_at(&reader, 0) == '[')
			good = read_header(&reader);
		else
			good = read_pair(&reader, reader.table) && read_open(&reader);
	}
	free(reader.open.items);
	if (!good) {
		uint32_t line, column;

		syntax_place(ret, reader.at < ret->text.len ? reader.at : (uint32_t)ret->text.len, &line, &column);
		return err_set(err, ERR_UNREAD, "line %u is not TOML", line);
	}
	return 0;
}
