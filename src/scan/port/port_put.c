#include "scan/port/port_put.h"

#include "assess/model/words.h"
#include "json/jsonw.h"
#include "report/doc/csv_cell.h"
#include "scan/port/patch.h"

/* --- for a person */

static void put_port_line(struct buf *out, enum lang lang, const struct message *message)
{
	catalog_put(out, lang, message);
	buf_byte(out, '\n');
}

static void put_label(struct buf *out, enum lang lang, const char *id)
{
	put_port_line(out, lang, &(struct message){ .id = id });
}

/* "  train.py:12:5  src-env  CUDA_VISIBLE_DEVICES -> ..." */
static void put_place(struct buf *out, const struct port_left *left)
{
	buf_printf(out, "  %.*s:%u:%u: %s: %.*s", STR_ARG(left->path), left->line, left->column, left->rule,
		STR_ARG(left->expression));
	if (left->replacement.len)
		buf_printf(out, "%s%.*s", left->expression.len ? " -> " : "", STR_ARG(left->replacement));
	buf_byte(out, '\n');
}

static struct port_left left_of_edit(const struct port_edit *edit)
{
	const struct syntax *syntax = &edit->script->syntax;
	struct port_left place = { .path = shown_path(edit->script->path),
		.rule = edit->rule,
		.expression = str_sub(syntax->text, edit->from, edit->to),
		.replacement = str_trim(edit->text) };

	syntax_place(syntax, edit->from, &place.line, &place.column);
	return place;
}

/* The edits of all scripts, one after the other. */
struct edit_walk {
	const struct port *port;
	size_t script, next;
	const struct port_edit *edit;
};

static bool next_edit(struct edit_walk *at)
{
	while (at->script < at->port->scripts.count && at->next == at->port->scripts.items[at->script].edit_count) {
		at->script++;
		at->next = 0;
	}
	if (at->script == at->port->scripts.count)
		return false;
	at->edit = &at->port->scripts.items[at->script].edits[at->next++];
	return true;
}

/* The rest beside the one line: edits that it does not cover, and must-change findings without an edit. */
static size_t put_gaps(const struct port *port, enum lang lang, struct buf *out)
{
	size_t count = 0;

	for (struct edit_walk at = { port }; next_edit(&at);) {
		struct port_left place = left_of_edit(at.edit);

		if (at.edit->covered || strcmp(place.rule, "import") == 0)
			continue;
		if (!count++)
			put_label(out, lang, "port.transfer-gaps");
		put_place(out, &place);
	}
	for (size_t i = 0; i < port->left.count; i++)
		count += port->left.items[i].action == SOURCE_MUST_CHANGE;
	return count;
}

/* Returns whether the program has a branch for the target and needs no change. */
static bool is_served_whole(const struct port *port)
{
	const struct check *check = &port->program.check;

	return !port->edits && !ANY(i, port->left.count, port->left.items[i].action == SOURCE_MUST_CHANGE) &&
	       ANY(i, check->places.count, is_served(&check->places.items[i], port->target));
}

static void put_one_line(const struct port *port, enum lang lang, struct buf *out)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	if (port->transferred) {
		put_label(out, lang, "port.transferred");
	} else if (port->target == TARGET_MUSA && port->edits) {
		put_label(out, lang, "port.musa-line");
	} else if (port->covered) {
		put_port_line(out, lang, MESSAGE(&arena, "port.transfer", NUMBER("covered", port->covered)));
		if (!put_gaps(port, lang, out))
			put_label(out, lang, "port.transfer-enough");
	}
	arena_clear(&arena);
}

void port_put_text(const struct port *port, enum lang lang, struct buf *out)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	put_port_line(out, lang,
		MESSAGE(&arena, "port.edits", NUMBER("edits", port->edits), NUMBER("scripts", port->scripts.count),
			BLANK("target", target_kind_name(port->target))));
	if (is_served_whole(port))
		put_port_line(
			out, lang, MESSAGE(&arena, "port.served", BLANK("target", target_kind_name(port->target))));
	put_one_line(port, lang, out);
	if (port->left.count)
		put_port_line(out, lang, MESSAGE(&arena, "port.left", NUMBER("count", port->left.count)));
	for (size_t i = 0; i < port->left.count; i++)
		put_place(out, &port->left.items[i]);
	for (size_t i = 0; i < port->program.unread.count; i++)
		put_port_line(out, lang, &port->program.unread.items[i]);
	arena_clear(&arena);
}

/* --- for programs */

static void put_json_place(struct jsonw *json, const struct port_left *place)
{
	jsonw_object(json);
	jsonw_key_str(json, "path", place->path);
	jsonw_key_number(json, "line", place->line);
	jsonw_key_number(json, "column", place->column);
	jsonw_key_str(json, "rule", str_from(place->rule));
	jsonw_key_str(json, "expression", place->expression);
	jsonw_key_str(json, "replacement", place->replacement);
}

void port_put_json(const struct port *port, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	jsonw_key_str(&json, "target", target_kind_name(port->target));
	jsonw_key_bool(&json, "transferred", port->transferred);
	jsonw_key_list(&json, "edits");
	for (struct edit_walk at = { port }; next_edit(&at);) {
		struct port_left place = left_of_edit(at.edit);

		put_json_place(&json, &place);
		jsonw_key_bool(&json, "covered", at.edit->covered);
		jsonw_object_end(&json);
	}
	jsonw_list_end(&json);
	jsonw_key_list(&json, "left");
	for (size_t i = 0; i < port->left.count; i++) {
		put_json_place(&json, &port->left.items[i]);
		jsonw_key_str(&json, "action", word_for(&source_action_words, port->left.items[i].action));
		jsonw_object_end(&json);
	}
	jsonw_list_end(&json);
	jsonw_key_list(&json, "unread");
	for (size_t i = 0; i < port->program.unread.count; i++) {
		CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

		catalog_put(&text, LANG_EN, &port->program.unread.items[i]);
		jsonw_str(&json, buf_str(&text));
	}
	jsonw_list_end(&json);
	jsonw_object_end(&json);
}

static void put_port_row(struct buf *out, const struct port_left *place, struct str done)
{
	const struct str cells[] = { done, str_from(place->rule), place->expression, place->replacement };

	csv_put_text(out, place->path);
	buf_printf(out, ",%u,%u", place->line, place->column);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		buf_byte(out, ',');
		csv_put_text(out, cells[i]);
	}
	buf_add(out, STR("\r\n"));
}

void port_put_csv(const struct port *port, struct buf *out)
{
	buf_add(out, STR("path,line,column,done,rule,expression,replacement\r\n"));
	for (struct edit_walk at = { port }; next_edit(&at);) {
		struct port_left place = left_of_edit(at.edit);

		put_port_row(out, &place, STR("edited"));
	}
	for (size_t i = 0; i < port->left.count; i++)
		put_port_row(out, &port->left.items[i], word_for(&source_action_words, port->left.items[i].action));
}
