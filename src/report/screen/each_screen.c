#include "report/screen/each_screen.h"

#include <stdlib.h>

#include "base/value/utf8.h"
#include "report/doc/headline.h"

enum { MOST_LINES = 21, NAME_COLUMNS = 28 };

/* "npu" while no other target of the result is one; else the whole id. */
static struct str target_called(const struct result *result, size_t at)
{
	struct str kind = str_head(result->targets[at].id, '@');

	if (ANY(i, result->target_count, i != at && str_eq(str_head(result->targets[i].id, '@'), kind)))
		return result->targets[at].id;
	return kind;
}

void each_add(struct each_list *list, const struct result *result, enum lang lang)
{
	struct render_options options = { .lang = lang };
	struct screen screen = screen_begin(&options);
	struct each_line line = { .word = HEADLINE_RUNS };
	struct str words = STR("");

	for (size_t i = 0; i < result->target_count; i++) {
		enum headline_word word = result->targets[i].headline.word;

		words = screen_list(&screen, words,
			screen_text_with(&screen, "screen.each", BLANK("target", target_called(result, i)),
				BLANK("word", headline_word(lang, word))));
		line.word = word < line.word ? word : line.word;
	}
	line.name = result->input_count == 1 ? result->inputs[0].name : headline_subject(&screen.arena, lang, result);
	line.name = arena_keep(&list->arena, line.name);
	line.words = arena_keep(&list->arena, words);
	MEM_PUSH(&list->lines, line);
	screen_clear(&screen);
}

static unsigned words_columns(const struct each_list *list)
{
	size_t most = 0;

	for (size_t i = 0; i < list->lines.count; i++) {
		size_t columns = utf8_columns(list->lines.items[i].words);

		most = columns > most ? columns : most;
	}
	return (unsigned)most;
}

/* words: columns of the longest of the list. */
static void add_line(struct screen *screen, const struct each_line *line, unsigned words)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED, printable = textw_printable(line->name);
	struct textw columns = { &text, 0, false };
	unsigned room = screen_text_columns(screen);

	room = room > words + 2 ? room - words - 2 : room;
	textw_column(&columns, buf_str(&printable), room < NAME_COLUMNS ? room : NAME_COLUMNS, false);
	screen_add_word(screen, SCREEN_LINE, line->word,
		arena_printf(&screen->arena, "%s  %.*s", buf_text(&text), STR_ARG(line->words)));
}

/* "12 files: 8 RUNS, 4 STOPS" */
static void add_counts(struct screen *screen, const struct each_list *list, size_t left_out)
{
	size_t counts[HEADLINE_WORDS] = { 0 };
	struct str words = STR("");

	for (size_t i = 0; i < list->lines.count; i++)
		counts[list->lines.items[i].word]++;
	for (unsigned word = 0; word < HEADLINE_WORDS; word++) {
		if (counts[word])
			words = screen_list(screen, words,
				screen_text_with(screen, "screen.each-count", NUMBER("count", counts[word]),
					BLANK("word", headline_word(screen->options->lang, (enum headline_word)word))));
	}
	if (left_out)
		words = screen_list(
			screen, words, screen_text_with(screen, "screen.each-more", NUMBER("count", left_out)));
	screen_say(screen, SCREEN_TITLE, NULL, "screen.each-counts", NUMBER("count", list->lines.count),
		BLANK("words", words));
}

void each_put(struct each_list *list, const struct render_options *options, struct buf *out)
{
	struct screen screen = screen_begin(options);
	size_t most = options->view == VIEW_SUMMARY ? SIZE_MAX : MOST_LINES, listed = 0;
	bool all = list->lines.count <= most;

	screen.any_length = true; /* of lines that are counted here */
	for (unsigned word = 0; word < (all ? 1 : HEADLINE_WORDS); word++) {
		for (size_t i = 0; i < list->lines.count && listed < most; i++) {
			if (!all && list->lines.items[i].word != word)
				continue;
			add_line(&screen, &list->lines.items[i], words_columns(list));
			listed++;
		}
	}
	add_counts(&screen, list, list->lines.count - listed);
	screen_put(&screen, out);
	free(list->lines.items);
	arena_clear(&list->arena);
}
