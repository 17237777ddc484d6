/*
 * scan_json PIECE WAY [PIECE WAY]...: reads JSON from standard input with the project's scanner and prints it again, once for
 * each pair, for the comparison with others. scan_json ways: the ways to skip that this machine has, SIMD and portable; WAY is
 * one of them.
 *
 * A list at the top, or the list under "list" of an object, is fed in pieces of PIECE bytes and comes out one element a line;
 * then "whole" or "cut", how many places could not be read, and an empty line.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "json/stream.h"
#include "json/token.h"

struct printer {
	unsigned long long broken;
};

static cJSON *tree_of(struct json_cursor *cursor, enum json_status *status);

static cJSON *text_of(const struct json_value *value)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	json_text(&text, value);
	return cJSON_CreateString(buf_text(&text));
}

static cJSON *leaf_of(const struct json_value *value)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (value->kind == JSON_STRING)
		return text_of(value);
	buf_add(&text, value->raw);
	return cJSON_CreateRaw(text.len ? buf_text(&text) : "null");
}

static void add_members(cJSON *tree, struct json_cursor *cursor, enum json_status *status)
{
	bool closed = false;
	struct str key;

	while (*status == JSON_OK) {
		CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
		cJSON *value;

		*status = json_key(cursor, &key, &closed);
		if (*status != JSON_OK || closed)
			return;
		json_text(&text, &(struct json_value){ JSON_STRING, memchr(key.ptr, '\\', key.len) != NULL, key });
		value = tree_of(cursor, status);
		cJSON_DeleteItemFromObjectCaseSensitive(tree, buf_text(&text)); /* the last of several counts */
		cJSON_AddItemToObject(tree, buf_text(&text), value);
	}
}

static void add_items(cJSON *tree, struct json_cursor *cursor, enum json_status *status)
{
	while (*status == JSON_OK) {
		json_skip_separators(cursor);
		if (cursor->at < cursor->end && *cursor->at == ']') {
			cursor->at++;
			return;
		}
		if (cursor->at < cursor->end && *cursor->at == '}')
			*status = JSON_BROKEN;
		else
			cJSON_AddItemToArray(tree, tree_of(cursor, status));
	}
}

static cJSON *tree_of(struct json_cursor *cursor, enum json_status *status)
{
	struct json_value value;
	cJSON *tree;

	json_skip_blanks(cursor);
	if (cursor->at < cursor->end && (*cursor->at == '{' || *cursor->at == '[')) {
		bool object = *cursor->at++ == '{';

		tree = object ? cJSON_CreateObject() : cJSON_CreateArray();
		(object ? add_members : add_items)(tree, cursor, status);
		return tree;
	}
	*status = json_value(cursor, &value);
	return *status == JSON_OK ? leaf_of(&value) : cJSON_CreateNull();
}

static enum json_status on_element(void *ctx, struct json_cursor *cursor, uint64_t offset)
{
	struct json_cursor skipped = *cursor;
	struct json_value whole;
	enum json_status status = json_value(&skipped, &whole);
	cJSON *tree;
	char *text;

	(void)ctx;
	(void)offset;
	if (status != JSON_OK)
		return status;
	tree = tree_of(cursor, &status);
	if (status == JSON_OK) {
		text = cJSON_PrintUnformatted(tree);
		puts(text);
		free(text);
	}
	cJSON_Delete(tree);
	return status;
}

static void on_member(void *ctx, struct str key, const struct json_value *value)
{
	(void)ctx;
	(void)key;
	(void)value;
}

static void on_broken(void *ctx, uint64_t offset, struct str beginning)
{
	(void)offset;
	(void)beginning;
	((struct printer *)ctx)->broken++;
}

static int print_ways(void)
{
	for (size_t i = 0; json_simd(i); i++)
		puts(json_simd(i)->name);
	return 0;
}

static bool use_way(const char *name)
{
	for (size_t i = 0; json_simd(i); i++) {
		if (strcmp(json_simd(i)->name, name) == 0) {
			json_use(json_simd(i));
			return true;
		}
	}
	return false;
}

static void scan(struct str text, size_t piece)
{
	struct printer printer = { 0 };
	struct json_handler handler = { &printer, STR("list"), on_member, on_element, on_broken };
	struct json_stream *stream = json_stream_new(&handler, 1 << 20);
	char *bytes = mem_resize(NULL, piece, 1); /* of its own, so that a sanitizer sees what reads past its end */
	uint64_t end;

	for (size_t at = 0, len; at < text.len; at += len) {
		len = text.len - at < piece ? text.len - at : piece;
		memcpy(bytes, text.ptr + at, len);
		json_stream_feed(stream, (struct str){ bytes, len });
	}
	printf("%s\n", json_stream_finish(stream, &end) ? "whole" : "cut");
	printf("%llu\n\n", printer.broken);
	json_stream_free(stream);
	free(bytes);
}

int main(int argc, char **argv)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	char bytes[65536];
	size_t len;

	if (argc == 2 && strcmp(argv[1], "ways") == 0)
		return print_ways();
	while ((len = fread(bytes, 1, sizeof(bytes), stdin)) > 0)
		buf_add(&text, (struct str){ bytes, len });
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!use_way(argv[i + 1]))
			return 2;
		scan(buf_str(&text), strtoul(argv[i], NULL, 10));
	}
	return 0;
}
