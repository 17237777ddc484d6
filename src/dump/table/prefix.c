#include "dump/table/prefix.h"

#include <string.h>

#include "base/view/ascii.h"

/* Length of the run of letters that ends before at. */
static size_t letters_before(struct str text, size_t at)
{
	size_t len = 0;

	while (len < at && is_alpha(text.ptr[at - 1 - len]))
		len++;
	return len;
}

static bool is_name_byte(char c)
{
	return is_word(c) || c == '-' || c == '.';
}

/* srun --label writes "12: " and mpirun --tag-output "[1,0]<stdout>:" before a line. */
static bool is_launcher_tag(struct str text, size_t start, size_t end)
{
	if (start == 0)
		return str_eq(str_trim(str_skip(text, end)), STR(":"));
	return text.ptr[0] == '[' && str_has(text, STR("]<std"));
}

/* Returns whether the digits [start, end) are a name rather than a time: "rank0", "pid=44565", "trainer-1",
   "host.3". */
static bool is_identity(struct str text, size_t start, size_t end)
{
	size_t letters = letters_before(text, start), before = start - letters;
	char previous = start ? text.ptr[start - 1] : ' ';

	if (is_launcher_tag(text, start, end))
		return true;
	if (letters) /* the T of "2024-05-06T10:00" follows a digit */
		return !(before && is_digit(text.ptr[before - 1]));
	if (previous == '=')
		return true;
	return (previous == '-' || previous == '_') && start >= 2 && letters_before(text, start - 1) > 0;
}

bool prefix_learn(struct prefix *prefix, struct str text)
{
	struct prefix learnt = { .len = text.len, .solid_len = str_trim(text).len };

	if (!learnt.solid_len || text.len > MAX_PREFIX_BYTES)
		return false;
	learnt.solid_len = (size_t)(str_trim(text).ptr - text.ptr) + learnt.solid_len;
	memcpy(learnt.text, text.ptr, text.len);
	for (size_t start = 0; start < text.len; start++) {
		size_t end = start;

		while (end < text.len && is_digit(text.ptr[end]))
			end++;
		if (end == start)
			continue;
		memset(learnt.wild + start, !is_identity(text, start, end), end - start);
		start = end;
	}
	*prefix = learnt;
	return true;
}

size_t prefix_match(const struct prefix *prefix, struct str line)
{
	enum { MOST_DIGITS = 32 }; /* more than any time has: lines are held against many prefixes */
	size_t at = 0, i = 0, digits;

	while (i < prefix->len) {
		if (at == line.len)
			return i >= prefix->solid_len ? at : STR_NONE;
		if (!prefix->wild[i]) {
			if (line.ptr[at++] != prefix->text[i++])
				return STR_NONE;
			continue;
		}
		if (!is_digit(line.ptr[at]))
			return STR_NONE;
		for (digits = 0; at < line.len && is_digit(line.ptr[at]); at++, digits++) {
			if (digits == MOST_DIGITS)
				return STR_NONE;
		}
		while (i < prefix->len && prefix->wild[i])
			i++;
	}
	return at;
}

void prefix_label(const struct prefix *prefix, struct buf *buf)
{
	size_t from = 0, to = 0;

	/* the words that hold an identifying digit, first to last */
	for (size_t i = 0; i < prefix->len; i++) {
		if (!is_digit(prefix->text[i]) || prefix->wild[i])
			continue;
		if (!to) {
			for (from = i; from && (is_name_byte(prefix->text[from - 1]) || prefix->text[from - 1] == '=');)
				from--;
		}
		for (to = i + 1; to < prefix->len && is_name_byte(prefix->text[to]);)
			to++;
	}
	for (size_t i = from; i < to; i++) {
		if (!prefix->wild[i])
			buf_byte(buf, prefix->text[i]);
	}
}
