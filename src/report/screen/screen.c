#include "report/screen/screen.h"

#include <stdlib.h>

#include "base/value/utf8.h"
#include "report/doc/headline.h"

enum { LINES = 24, LABEL_COLUMNS = 13, USUAL_WIDTH = 80, ANY = 24 };

/* Most lines of a row by its kind, tried in turn until all rows fit; 0: left out. */
static const unsigned char passes[][SCREEN_KINDS] = {
	/* TITLE, WORD, WHY, FIRST, ITEM, LINE, GATE, OPEN, NEXT, MORE */
	{ 2, ANY, 3, 2, 3, 1, 2, 2, 3, 2 },
	{ 2, ANY, 2, 2, 2, 1, 2, 2, 3, 2 },
	{ 2, ANY, 1, 2, 1, 1, 2, 2, 3, 2 },
	{ 2, ANY, 1, 1, 1, 1, 2, 1, 3, 1 },
	{ 2, ANY, 1, 1, 1, 1, 1, 1, 2, 1 },
	{ 2, ANY, 1, 1, 1, 1, 1, 0, 2, 1 },
	{ 1, ANY, 1, 1, 1, 1, 1, 0, 0, 1 },
	{ 1, ANY, 1, 0, 0, 1, 1, 0, 0, 1 },
};

struct screen screen_begin(const struct render_options *options)
{
	return (struct screen){ .arena = ARENA_INIT(ARENA_UNLIMITED), .options = options };
}

void screen_add_row(struct screen *screen, struct screen_row row)
{
	if (row.text.len)
		MEM_PUSH(&screen->rows, row);
}

void screen_add(struct screen *screen, enum screen_kind kind, const char *label, struct str text)
{
	screen_add_row(screen,
		(struct screen_row){ kind, .label = label ? screen_label(screen, label) : STR(""), .text = text });
}

void screen_add_word(struct screen *screen, enum screen_kind kind, enum headline_word word, struct str text)
{
	enum color color = word == HEADLINE_STOPS ? COLOR_RED : word == HEADLINE_RUNS ? COLOR_GREEN : COLOR_YELLOW;

	screen_add_row(screen, (struct screen_row){ kind, color, headline_word(screen->options->lang, word), text });
}

static unsigned screen_width(const struct screen *screen)
{
	return screen->options->width ? screen->options->width : USUAL_WIDTH;
}

unsigned screen_text_columns(const struct screen *screen)
{
	return screen_width(screen) - LABEL_COLUMNS;
}

struct str screen_label(const struct screen *screen, const char *id)
{
	return catalog_text(screen->options->lang, str_from(id));
}

struct str screen_text(struct screen *screen, const struct message *message)
{
	return catalog_keep(&screen->arena, screen->options->lang, message);
}

struct str screen_list(struct screen *screen, struct str first, struct str rest)
{
	if (!first.len || !rest.len)
		return first.len ? first : rest;
	return screen_text_with(screen, "headline.list", BLANK("first", first), BLANK("rest", rest));
}

/* --- layout */

static void put_label(const struct screen_row *row, struct textw *text)
{
	/* "  why        ": below a word */
	unsigned indent = row->kind == SCREEN_WHY || row->kind == SCREEN_FIRST || row->kind == SCREEN_ITEM ? 2 : 0;
	CLEANUP(buf_clear) struct buf padded = BUF_UNLIMITED;
	struct textw plain = { &padded, text->width, false };

	textw_column(&plain, row->label, LABEL_COLUMNS - 1 - indent, false);
	buf_add(text->out, indent ? STR("  ") : STR(""));
	textw_colored(text, row->color, buf_str(&padded));
	buf_byte(text->out, ' ');
}

static size_t count_lines(struct str text)
{
	return SUM(i, text.len, text.ptr[i] == '\n');
}

/* A title begins at the left. */
static unsigned start_of(const struct screen_row *row)
{
	return row->kind == SCREEN_TITLE ? 0 : LABEL_COLUMNS;
}

/* The first word of a command; one in quotes may hold blanks. */
static struct str first_word(struct str command)
{
	bool quoted = false;
	size_t len = 0;

	for (; len < command.len && (quoted || command.ptr[len] != ' '); len++)
		quoted ^= command.ptr[len] == '\'' && (quoted || !(len && command.ptr[len - 1] == '\\'));
	return str_sub(command, 0, len);
}

/* Wraps a command so that a shell takes its lines as one. A word that no line holds goes on at the left edge, where
   the shell joins it; one in quotes, which would end there, is left whole. */
static void wrap_command(struct str command, struct textw *text)
{
	size_t column = LABEL_COLUMNS;

	for (struct str left = command, word; left.len; left = str_skip(left, word.len + (word.len < left.len))) {
		size_t columns;

		word = first_word(left);
		columns = utf8_columns(word) + 2;
		if (left.len < command.len && column + 1 + columns > text->width &&
			LABEL_COLUMNS + columns <= text->width) {
			buf_printf(text->out, " \\\n%*s", LABEL_COLUMNS, "");
			column = LABEL_COLUMNS;
		} else if (left.len < command.len) {
			buf_byte(text->out, ' ');
			column++;
		}
		for (struct str rest = word, fit; rest.len;) {
			size_t room = column + 2 < text->width ? text->width - column - 2 : 0;

			fit = word.ptr[0] == '\'' ? rest : utf8_fit(rest, room);
			if (!fit.len && !column) /* no terminal is that narrow */
				fit = rest;
			buf_add(text->out, fit);
			rest = str_skip(rest, fit.len);
			column = rest.len ? 0 : column + utf8_columns(fit);
			buf_add(text->out, rest.len ? STR("\\\n") : STR(""));
		}
	}
	buf_byte(text->out, '\n');
}

/* Wrap the text of a row; returns the number of its lines. */
static size_t wrap(const struct screen_row *row, struct str value, struct textw *text)
{
	size_t from = text->out->len;

	if (row->kind == SCREEN_NEXT && value.len + LABEL_COLUMNS > text->width)
		wrap_command(value, text);
	else
		textw_wrap(text, value, start_of(row), row->kind == SCREEN_TITLE ? 2 : LABEL_COLUMNS);
	return count_lines(str_skip(buf_str(text->out), from));
}

/* Returns the head of the text that fits into so many lines, with an ellipsis where it is not all of it. */
static struct str shorten(struct screen *screen, const struct screen_row *row, struct str value, size_t most)
{
	unsigned width = screen_width(screen);
	size_t columns = most * (width - start_of(row));
	struct str cut = value;

	for (;; columns--) {
		CLEANUP(buf_clear) struct buf lines = BUF_UNLIMITED;

		if (wrap(row, cut, &(struct textw){ &lines, width, false }) <= most || columns < 2)
			return cut;
		cut = arena_printf(&screen->arena, "%.*s\xe2\x80\xa6", STR_ARG(utf8_fit(value, columns - 1)));
	}
}

static size_t put_row(struct screen *screen, const struct screen_row *row, size_t most, struct textw *text)
{
	CLEANUP(buf_clear) struct buf printable = textw_printable(row->text);
	struct str value = most ? shorten(screen, row, buf_str(&printable), most) : STR("");
	size_t from = text->out->len;

	if (!most || (row->kind == SCREEN_NEXT && !str_eq(value, buf_str(&printable)))) /* half a command is none */
		return 0;
	if (row->kind != SCREEN_TITLE)
		put_label(row, text);
	wrap(row, value, text);
	return count_lines(str_skip(buf_str(text->out), from));
}

void screen_clear(struct screen *screen)
{
	free(screen->rows.items);
	arena_clear(&screen->arena);
}

void screen_put(struct screen *screen, struct buf *out)
{
	for (size_t pass = 0; pass < ARRAY_SIZE(passes); pass++) {
		CLEANUP(buf_clear) struct buf lines = BUF_UNLIMITED;
		struct textw text = { &lines, screen_width(screen), screen->options->color };
		size_t count = 0;

		for (size_t i = 0; i < screen->rows.count; i++)
			count += put_row(
				screen, &screen->rows.items[i], passes[pass][screen->rows.items[i].kind], &text);
		if (count > LINES && !screen->any_length && pass + 1 < ARRAY_SIZE(passes))
			continue;
		buf_add(out, buf_str(&lines));
		break;
	}
	screen_clear(screen);
}
