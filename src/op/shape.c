#include "op/shape.h"

#include "base/value/decimal.h"
#include "base/view/ascii.h"

enum { MAX_DEPTH = 3, MAX_PLACE = UINT16_MAX };

/* Fifteen digits: exact in every JSON reader, and far more than any tensor has. */
#define MAX_SIZE INT64_C(999999999999999)

bool shape_text_is_cut(struct str text)
{
	size_t depth = 0;

	if (!text.len || text.ptr[0] != '[')
		return false;
	/* the usual case is decided at its end: only a text that balances can be whole */
	if (text.ptr[text.len - 1] != ']')
		return true;
	for (size_t i = 0; i < text.len; i++) {
		depth += text.ptr[i] == '[';
		depth -= text.ptr[i] == ']' && depth;
	}
	return depth != 0;
}

/* Behind the digits here. */
static size_t skip_digits(struct str text, size_t at)
{
	while (at < text.len && is_digit(text.ptr[at]))
		at++;
	return at;
}

bool shape_differs_in_sizes(struct str a, struct str b)
{
	enum { MOST_DIGITS = 15 };     /* of MAX_SIZE: more digits are not a size */
	size_t i = 0, j = 0, from = 0; /* start of the equal bytes in a */

	while (i < a.len || j < b.len) {
		size_t digits = 0, i_end, j_end; /* digits: before the difference */

		if (i < a.len && j < b.len && a.ptr[i] == b.ptr[j]) {
			i++;
			j++;
			continue;
		}
		while (digits < i - from && is_digit(a.ptr[i - digits - 1]))
			digits++;
		i_end = skip_digits(a, i);
		j_end = skip_digits(b, j);
		if ((i_end == i && j_end == j) || digits + i_end == i || digits + j_end == j ||
			digits + i_end - i > MOST_DIGITS || digits + j_end - j > MOST_DIGITS)
			return false;
		i = from = i_end;
		j = j_end;
	}
	return true;
}

/* Every shape of a dump is walked several times: the state of a walk belongs into registers. */
#define SHAPE_INLINE static inline __attribute__((always_inline))

/* A walk over the text: brackets, commas and numbers, with the place of each number. */
struct walk {
	const char *at, *end;
	uint32_t place[MAX_DEPTH + 1]; /* items so far of the list at each depth */
	unsigned depth;
	enum { FIRST_ITEM, NEXT_ITEM, SEPARATOR } wanted; /* a list may end before the first, not after a comma */
	bool may_be_cut;                                  /* the text begins as one that can be */
};

enum token { OPEN, CLOSE, NUMBER, END, BROKEN };

SHAPE_INLINE struct walk walk_start(struct str text)
{
	return (struct walk){
		.at = text.ptr, .end = text.ptr + text.len, .may_be_cut = text.len && text.ptr[0] == '['
	};
}

/* At the end of the text: the result of shape_text_is_cut. */
static bool walk_was_cut(const struct walk *walk)
{
	return walk->may_be_cut && (walk->depth || walk->end[-1] != ']');
}

SHAPE_INLINE enum token take_open(struct walk *walk)
{
	/* a second list after the first is invalid */
	if (walk->depth == MAX_DEPTH || (!walk->depth && walk->place[0]))
		return BROKEN;
	walk->place[walk->depth]++;
	walk->place[++walk->depth] = 0;
	walk->at++;
	walk->wanted = FIRST_ITEM;
	return OPEN;
}

SHAPE_INLINE enum token take_close(struct walk *walk)
{
	if (!walk->depth || walk->wanted == NEXT_ITEM)
		return BROKEN;
	walk->depth--;
	walk->at++;
	walk->wanted = SEPARATOR;
	return CLOSE;
}

SHAPE_INLINE enum token take_number(struct walk *walk, int64_t *ret)
{
	bool negative = *walk->at == '-';
	const char *at = walk->at + negative, *digits = at;
	int64_t size = 0;

	for (; at < walk->end && is_digit(*at); at++)
		size = size <= MAX_SIZE ? size * 10 + (*at - '0') : size;
	/* digits at the very end of a cut text may be the beginning of a larger number */
	if (at == walk->end && walk->may_be_cut)
		return END;
	if (walk->depth < 2 || at == digits || size > MAX_SIZE)
		return BROKEN;
	*ret = negative ? -size : size;
	walk->at = at;
	walk->place[walk->depth]++;
	walk->wanted = SEPARATOR;
	return NUMBER;
}

SHAPE_INLINE void skip_blanks(struct walk *walk)
{
	while (walk->at < walk->end && *walk->at == ' ')
		walk->at++;
}

SHAPE_INLINE enum token next_token(struct walk *walk, int64_t *ret)
{
	skip_blanks(walk);
	if (walk->wanted == SEPARATOR && walk->depth && walk->at < walk->end && *walk->at == ',') {
		walk->at++;
		walk->wanted = NEXT_ITEM;
		skip_blanks(walk);
	}
	if (walk->at == walk->end)
		return walk->depth && !walk->may_be_cut ? BROKEN : END;
	if (*walk->at == ']')
		return take_close(walk);
	if (walk->wanted == SEPARATOR)
		return BROKEN;
	return *walk->at == '[' ? take_open(walk) : take_number(walk, ret);
}

/* Appends one token; a comma goes before every item but the first. */
static void put_token(struct buf *buf, const struct walk *walk, enum token token, int64_t size)
{
	unsigned list = token == OPEN ? walk->depth - 1 : walk->depth;

	if (token != CLOSE && walk->place[list] > 1)
		buf_byte(buf, ',');
	if (token == NUMBER)
		decimal_put(buf, size, 0);
	else
		buf_byte(buf, token == OPEN ? '[' : ']');
}

bool shape_put_json(struct buf *buf, struct str text)
{
	struct walk walk = walk_start(text);
	size_t start = buf->len, whole = start + 1; /* where the last whole argument ends */
	int64_t size = 0;
	enum token token;

	while ((token = next_token(&walk, &size)) != END && token != BROKEN) {
		put_token(buf, &walk, token, size);
		if (token == CLOSE && walk.depth == 1)
			whole = buf->len;
	}
	if (token == BROKEN || buf->len == start) {
		buf_cut(buf, start);
		return false;
	}
	if (walk_was_cut(&walk)) {
		buf_cut(buf, whole);
		buf_byte(buf, ']');
	}
	return true;
}

bool shape_put_spaced(struct buf *buf, struct str text)
{
	struct buf json = BUF_UNLIMITED;
	bool good = text.len && !shape_text_is_cut(text) && shape_put_json(&json, text);

	for (size_t i = 0; good && i < json.len; i++) {
		buf_byte(buf, json.ptr[i]);
		buf_add(buf, json.ptr[i] == ',' ? STR(" ") : STR(""));
	}
	buf_clear(&json);
	return good;
}

/* Returns an upper bound of sizes in the text: one a separator and one a list. */
static size_t most_sizes(struct str text)
{
	size_t count = 1;

	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == ',' || text.ptr[i] == '[';
	return count;
}

SHAPE_INLINE struct shape_size place_of(const struct walk *walk, int64_t size)
{
	bool nested = walk->depth == MAX_DEPTH;

	return (struct shape_size){ .argument = (uint16_t)(walk->place[1] - 1),
		.tensor = nested ? (uint16_t)(walk->place[2] - 1) : 0,
		.dim = (uint16_t)(walk->place[walk->depth] - 1),
		.size = size };
}

bool shape_parse(struct arena *arena, struct str text, struct shape *ret)
{
	struct walk walk = walk_start(text);
	struct shape shape = { .count = 0 };
	size_t most = most_sizes(text);
	int64_t size = 0;
	enum token token;

	if (!text.len || most > MAX_PLACE)
		return false;
	shape.sizes = arena_alloc(arena, most * sizeof(shape.sizes[0]));
	if (!shape.sizes)
		return false;
	while ((token = next_token(&walk, &size)) != END) {
		if (token == BROKEN)
			return false;
		if (token == NUMBER)
			shape.sizes[shape.count++] = place_of(&walk, size);
	}
	if (!walk.place[0])
		return false;
	shape.arguments = walk.place[1];
	*ret = shape;
	return true;
}

bool shape_forms(struct str text, enum shape_form *ret, size_t max, size_t *ret_count, bool *ret_more)
{
	struct walk walk = walk_start(text);
	int64_t size = 0;
	enum token token;

	*ret_count = 0;
	while ((token = next_token(&walk, &size)) != END) {
		unsigned argument = walk.place[1] - (walk.place[1] > 0);

		if (token == BROKEN || (walk.depth > 1 && argument >= max))
			return false;
		if (token == OPEN && walk.depth == 2)
			ret[argument] = SHAPE_EMPTY;
		else if (token == OPEN && walk.depth == 3)
			ret[argument] = SHAPE_NESTED;
		else if (token == NUMBER && walk.depth == 2)
			ret[argument] = SHAPE_SIZED;
		else if (token == CLOSE && walk.depth == 1)
			*ret_count = argument + 1;
	}
	*ret_more = walk_was_cut(&walk);
	return walk.place[0] != 0;
}
