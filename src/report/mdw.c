#include "report/mdw.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"

/* "npu@v2.7.1" mentions nobody. */
static bool is_mid_word(struct str text, size_t at)
{
	return at && (is_alpha(text.ptr[at - 1]) || is_digit(text.ptr[at - 1]));
}

void md_text(struct buf *out, struct str text)
{
	struct buf printable = BUF_UNLIMITED;
	struct str all;

	utf8_printable(&printable, text);
	all = buf_str(&printable);
	for (size_t i = 0; i < all.len; i++) {
		char byte = all.ptr[i];

		if (byte == '<')
			buf_add(out, STR("&lt;"));
		else if (byte == '#' || (byte == '@' && !is_mid_word(all, i)))
			buf_printf(out, "&#%d;", byte);
		else if (str_has(STR("|`\\*_[]~"), str_sub(all, i, i + 1)))
			buf_printf(out, "\\%c", byte);
		else
			buf_byte(out, byte);
	}
	buf_clear(&printable);
}

static uint64_t count_lines(struct str text, struct str head)
{
	struct str line;
	uint64_t count = 0;

	while (text.len && str_cut(&text, '\n', &line))
		count += str_starts(line, head);
	return count;
}

void md_put_head(struct buf *out, enum lang lang, struct str text, size_t most)
{
	enum { NOTE_BYTES = 400 }; /* for the note behind the cut */
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct message message = message_of("report.text-cut");
	struct str head = text;

	if (text.len > most)
		head.len = most > NOTE_BYTES ? most - NOTE_BYTES : 0;
	while (head.len < text.len && head.len && head.ptr[head.len - 1] != '\n')
		head.len--;
	buf_add(out, head);
	if (head.len == text.len)
		return;
	if (count_lines(head, STR("```")) % 2)
		buf_add(out, STR("```\n"));
	message_add_number(&message, &arena, "count", (int64_t)count_lines(str_skip(text, head.len), STR("")));
	buf_byte(out, '\n');
	catalog_put(out, lang, &message);
	buf_byte(out, '\n');
}
