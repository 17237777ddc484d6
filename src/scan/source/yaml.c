#include "scan/source/yaml.h"

#include <stdlib.h>
#include <yaml.h>

#include "scan/source/setting.h"

/* Settings are never as deep, and the time of libyaml grows with the square of it. */
enum { DEPTH_MOST = 1000 };

/* Open container: a list, or a mapping that expects a key next. */
struct level {
	uint32_t key; /* that values are under */
	uint32_t around;
	bool is_mapping, wants_key;
};

struct yaml_reader {
	struct syntax *syntax;
	MEM_LIST(struct level) levels;
	size_t points, bytes; /* libyaml counts characters, a place is a byte */
};

static uint32_t byte_of(struct yaml_reader *reader, const yaml_mark_t *mark)
{
	struct str text = reader->syntax->text;

	while (reader->points < mark->index && reader->bytes < text.len) {
		reader->bytes++;
		while (reader->bytes < text.len && (text.ptr[reader->bytes] & 0xc0) == 0x80)
			reader->bytes++;
		reader->points++;
	}
	return (uint32_t)reader->bytes;
}

static struct level *innermost(const struct yaml_reader *reader)
{
	return reader->levels.count ? &reader->levels.items[reader->levels.count - 1] : NULL;
}

static uint32_t key_at_hand(const struct yaml_reader *reader)
{
	const struct level *level = innermost(reader);

	return !level ? 0 : level->is_mapping && level->wants_key ? level->around : level->key;
}

/* A key or a value was read: node is that of a key, else 0. */
static void end_item(struct yaml_reader *reader, uint32_t node)
{
	struct level *level = innermost(reader);

	if (!level || !level->is_mapping)
		return;
	if (level->wants_key)
		level->key = node ? node : level->around;
	level->wants_key = !level->wants_key;
}

/* Passes over "&anchor" and "!tag". */
static uint32_t pass_marks(struct str text, uint32_t from, uint32_t to)
{
	while (from < to && memchr("&!", text.ptr[from], 2)) {
		while (from < to && !memchr(" \t\r\n", text.ptr[from], 4))
			from++;
		while (from < to && memchr(" \t\r\n", text.ptr[from], 4))
			from++;
	}
	return from;
}

static void push_scalar(struct yaml_reader *reader, const yaml_event_t *event)
{
	const struct level *level = innermost(reader);
	bool is_key = level && level->is_mapping && level->wants_key;
	uint32_t from = byte_of(reader, &event->start_mark), to = byte_of(reader, &event->end_mark), node;

	if (event->data.scalar.anchor || event->data.scalar.tag) /* the mark is before them */
		from = pass_marks(reader->syntax->text, from, to);
	if ((event->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
		    event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE) &&
		to - from >= 2) {
		from++;
		to--;
	}
	node = setting_push(reader->syntax, from, to, key_at_hand(reader), is_key ? SYN_AS_KEY : SYN_AS_VALUE);
	end_item(reader, is_key ? node : 0);
}

static void push_event(struct yaml_reader *reader, const yaml_event_t *event)
{
	uint32_t key = key_at_hand(reader);

	switch (event->type) {
	case YAML_SCALAR_EVENT:
		push_scalar(reader, event);
		break;
	case YAML_ALIAS_EVENT:
		end_item(reader, 0);
		break;
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		MEM_PUSH(&reader->levels, ((struct level){ key, key, event->type == YAML_MAPPING_START_EVENT, true }));
		break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		reader->levels.count--;
		end_item(reader, 0);
		break;
	default:
		break;
	}
}

int yaml_read(struct syntax *ret, struct err *err)
{
	struct yaml_reader reader = { .syntax = ret };
	yaml_parser_t parser;
	yaml_event_t event;
	bool at_end = false;
	int status = 0;

	if (!yaml_parser_initialize(&parser))
		return err_set(err, ERR_LIMIT, "out of memory");
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)ret->text.ptr, ret->text.len);
	while (!at_end && !status) {
		if (!yaml_parser_parse(&parser, &event)) {
			status = err_set(err, ERR_UNREAD, "line %zu is not YAML: %s", parser.problem_mark.line + 1,
				parser.problem ? parser.problem : "it cannot be read");
			break;
		}
		push_event(&reader, &event);
		if (reader.levels.count > DEPTH_MOST)
			status = err_set(err, ERR_LIMIT, "nested deeper than %d", DEPTH_MOST);
		at_end = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	free(reader.levels.items);
	return status;
}
