#include "diagnose/faults.h"

#include <stdlib.h>

#include "base/value/words.h"
#include "base/view/ascii.h"
#include "diagnose/codes.h"
#include "opdb/text/tsv.h"

extern const char faults_text[], codes_text[];

const struct str fault_level_names[FAULT_LEVELS] = { STR("cause"), STR("symptom"), STR("wrapper"), STR("note") };

static bool read_level(struct str name, struct fault *fault)
{
	size_t at = STR_POSITION(fault_level_names, FAULT_LEVELS, name);

	fault->level = at == STR_NONE ? FAULT_NOTE : (enum fault_level)at;
	return at != STR_NONE;
}

static int read_texts(struct fault_book *book, struct err *err)
{
	struct str text = str_from(faults_text), line = { 0 };

	str_cut(&text, '\n', &line); /* the names of the columns */
	while (text.len && str_cut(&text, '\n', &line)) {
		struct fault fault = { 0 };
		struct str level;
		struct str *const cells[] = { &fault.id, &fault.target, &fault.kind, &level, &fault.match,
			&fault.sample, &fault.cause[0], &fault.cause[1], &fault.cure[0], &fault.cure[1],
			&fault.sources };
		struct str rest = line;

		for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
			if (!str_cut(&rest, '\t', cells[i]) || !cells[i]->len)
				return err_set(
					err, ERR_INTERNAL, "opdb/faults has an invalid row: %.*s", STR_ARG(line));
		}
		if (!read_level(level, &fault))
			return err_set(err, ERR_INTERNAL, "opdb/faults has an invalid level: %.*s", STR_ARG(line));
		MEM_PUSH(&book->faults, fault);
	}
	book->by_text = book->faults.count;
	return 0;
}

/* --- codes */

enum { CODE, NAME, CLASS, LEVEL, KIND, CAUSE, CAUSE_ZH, CURE, CURE_ZH, SOURCE, COLUMNS };

/* Rows before those of codes: sources ("@runtime") and classes ("=argument"), which codes refer to. */
struct shared_row {
	struct str cells[COLUMNS];
};
typedef MEM_LIST(struct shared_row) shared_rows;

static const struct shared_row *shared_row(const shared_rows *rows, struct str name)
{
	return FIND(i, rows->items, rows->count, str_eq(rows->items[i].cells[CODE], name));
}

/* The text of a class begins with the module, and ends with the vendor's name of the code. */
static struct str class_text(struct fault_book *book, const struct str *cells, struct str text)
{
	struct str module = code_module(cells[CODE]);

	return arena_printf(&book->arena, "%.*s: %.*s (%.*s)",
		STR_ARG(module.len                  ? module
			: cells[CODE].ptr[1] == '6' ? STR("aclnn")
						    : STR("ACL")),
		STR_ARG(text), STR_ARG(cells[NAME]));
}

static int add_code(struct fault_book *book, const shared_rows *shared, const struct tsv *rows, struct err *err)
{
	const struct str *cells = rows->cells;
	bool own = !cells[CLASS].len;
	const struct shared_row *class = own ? NULL : shared_row(shared, cells[CLASS]);
	const struct shared_row *source = shared_row(shared, cells[SOURCE]);
	const struct str *text = class ? class->cells : cells;
	char id[CODE_ID_BYTES];
	struct fault fault = { .target = STR("npu"), .kind = text[KIND], .cure = { text[CURE], text[CURE_ZH] } };

	if ((!own && !class) || !source || !read_level(text[LEVEL], &fault))
		return tsv_error(
			rows, err, "%.*s has a class, a level or a source that is unknown", STR_ARG(cells[CODE]));
	code_put_id(cells[CODE], id);
	fault.id = arena_keep(&book->arena, str_from(id));
	fault.cause[0] = own ? cells[CAUSE] : class_text(book, cells, text[CAUSE]);
	fault.cause[1] = own ? cells[CAUSE_ZH] : class_text(book, cells, text[CAUSE_ZH]);
	fault.sources = source->cells[SOURCE];
	MEM_PUSH(&book->faults, fault);
	return 0;
}

static int read_codes(struct fault_book *book, struct err *err)
{
	shared_rows shared = { 0 };
	struct tsv rows;
	int status = tsv_open(&rows, STR("codes.tsv"), str_from(codes_text),
		STR("code name class level kind cause cause_zh cure cure_zh source"), err);

	while (!status && (status = tsv_next(&rows, err)) > 0) {
		struct shared_row row;

		status = 0;
		if (rows.cells[CODE].ptr[0] != '@' && rows.cells[CODE].ptr[0] != '=') {
			status = add_code(book, &shared, &rows, err);
			continue;
		}
		memcpy(row.cells, rows.cells, sizeof(row.cells));
		MEM_PUSH(&shared, row);
	}
	free(shared.items);
	return status;
}

static int id_order(const void *a, const void *b)
{
	const struct fault *const *one = a, *const *other = b;

	return str_cmp((*one)->id, (*other)->id);
}

int fault_book_open(struct fault_book *ret, struct err *err)
{
	int status;

	*ret = (struct fault_book){ .arena = ARENA_INIT(ARENA_UNLIMITED) };
	status = read_texts(ret, err);
	if (!status)
		status = read_codes(ret, err);
	for (size_t i = 0; i < ret->faults.count; i++)
		MEM_PUSH(&ret->by_id, &ret->faults.items[i]);
	MEM_SORT(&ret->by_id, id_order);
	return status;
}

void fault_book_clear(struct fault_book *book)
{
	free(book->faults.items);
	free(book->by_id.items);
	arena_clear(&book->arena);
}

size_t fault_of_id(const struct fault_book *book, struct str id)
{
	const struct fault wanted = { .id = id }, *key = &wanted;
	const struct fault **found = NULL;

	if (book->by_id.count)
		found = bsearch(&key, book->by_id.items, book->by_id.count, sizeof(key), id_order);
	return found ? (size_t)(*found - book->faults.items) : STR_NONE;
}

/* --- texts */

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
