#pragma once
/*
 * A screen: at most 24 lines of a terminal's width, a label and a text a row. Texts are shortened by kind until all
 * rows fit; words, targets and figures never are.
 */
#include "assess/model/result_target.h"
#include "base/memory/mem.h"
#include "report/doc/doc.h"
#include "report/doc/textw.h"

/* By what is shortened first; SCREEN_WORD never is. */
enum screen_kind {
	SCREEN_TITLE,
	SCREEN_WORD,
	SCREEN_WHY,
	SCREEN_FIRST,
	SCREEN_ITEM, /* of a list */
	SCREEN_LINE, /* a word and its text in one line */
	SCREEN_GATE,
	SCREEN_OPEN,
	SCREEN_NEXT,
	SCREEN_MORE,
	SCREEN_KINDS
};

struct screen_row {
	enum screen_kind kind;
	enum color color; /* of the label */
	struct str label, text;
};

struct screen {
	struct arena arena;
	const struct render_options *options;
	MEM_LIST(struct screen_row) rows;
	bool any_length; /* more than 24 lines are allowed */
};

struct screen screen_begin(const struct render_options *options);

/* Add a row unless its text is "": with a label by its id, NULL for none; with a word in its colour as the label. Texts
   live as long as the screen. */
void screen_add(struct screen *screen, enum screen_kind kind, const char *label, struct str text);
void screen_add_word(struct screen *screen, enum screen_kind kind, enum headline_word word, struct str text);
void screen_add_row(struct screen *screen, struct screen_row row);

/* Write the rows and free the screen; free it without. */
void screen_put(struct screen *screen, struct buf *out);
void screen_clear(struct screen *screen);

/* Columns of a line behind the label. */
unsigned screen_text_columns(const struct screen *screen);

/* Texts of the screen's language, in its arena: of an id, of a message; "a, b", "a" where one of them is "". */
struct str screen_label(const struct screen *screen, const char *id);
struct str screen_text(struct screen *screen, const struct message *message);
struct str screen_list(struct screen *screen, struct str first, struct str rest);
#define screen_text_with(screen, id, ...) screen_text(screen, MESSAGE(&(screen)->arena, id, __VA_ARGS__))

/* A row whose text is the statement `id` with its placeholders filled. */
#define screen_say(screen, kind, label, id, ...)                                                                       \
	screen_add(screen, kind, label, screen_text_with(screen, id, __VA_ARGS__))
