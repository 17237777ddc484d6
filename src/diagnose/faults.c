#include "diagnose/faults.h"

#include <stdlib.h>

#include "base/view/ascii.h"

extern const char faults_text[];

int fault_book_open(struct fault_book *ret, struct err *err)
{
	struct str text = str_from(faults_text), line = { 0 };

	*ret = (struct fault_book){ 0 };
	str_cut(&text, '\n', &line); /* the names of the columns */
	while (text.len && str_cut(&text, '\n', &line)) {
		struct fault fault = { 0 };
		struct str *const cells[] = { &fault.id, &fault.target, &fault.kind, &fault.match, &fault.sample,
			&fault.cause[0], &fault.cause[1], &fault.cure[0], &fault.cure[1], &fault.sources };
		struct str rest = line;

		for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
			if (!str_cut(&rest, '\t', cells[i]) || !cells[i]->len)
				return err_set(err, ERR_INTERNAL, "opdb/faults has a wrong row: %.*s", STR_ARG(line));
		}
		MEM_PUSH(&ret->faults, fault);
	}
	return 0;
}

void fault_book_clear(struct fault_book *book)
{
	free(book->faults.items);
}

/* Takes the line up to the end of a text that it has; false when it has not. */
static bool pass_text(struct str *line, struct str text)
{
	size_t at;

	while ((at = str_find(*line, text)) != STR_NONE) {
		*line = str_skip(*line, at + text.len);
		if (!text.len || !is_digit(text.ptr[text.len - 1]) || !line->len || !is_digit(line->ptr[0]))
			return true;
	}
	return false;
}

bool fault_shows(const struct fault *fault, struct str line)
{
	struct str texts = fault->match, one;

	while (texts.len && str_cut(&texts, '|', &one)) {
		struct str rest = line, part;
		bool shown = true;

		while (shown && one.len && str_cut(&one, '*', &part))
			shown = pass_text(&rest, part);
		if (shown)
			return true;
	}
	return false;
}
