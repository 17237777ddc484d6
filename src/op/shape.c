#include "op/shape.h"

#include "base/decimal.h"

enum { MAX_DEPTH = 3, MAX_PLACE = UINT16_MAX };

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

/* A walk over the text: brackets and numbers, with the place of each number. */
struct walk {
	struct str rest;
	unsigned depth;
	uint32_t place[MAX_DEPTH + 1]; /* how many items the list at each depth has so far */
	bool cut;
};

enum token { OPEN, CLOSE, NUMBER, END, BROKEN };

static void skip_separators(struct walk *walk)
{
	while (walk->rest.len && (walk->rest.ptr[0] == ' ' || walk->rest.ptr[0] == ','))
		walk->rest = str_skip(walk->rest, 1);
}

static enum token take_number(struct walk *walk, int64_t *ret)
{
	size_t len = walk->rest.ptr[0] == '-';

	while (len < walk->rest.len && is_digit(walk->rest.ptr[len]))
		len++;
	/* digits at the very end of a cut text may be the beginning of a larger number */
	if (len == walk->rest.len && walk->cut)
		return END;
	if (!decimal_scaled(str_sub(walk->rest, 0, len), 1, ret))
		return BROKEN;
	walk->rest = str_skip(walk->rest, len);
	walk->place[walk->depth]++;
	return NUMBER;
}

static enum token next_token(struct walk *walk, int64_t *ret)
{
	skip_separators(walk);
	if (!walk->rest.len)
		return walk->depth && !walk->cut ? BROKEN : END;
	if (walk->rest.ptr[0] == '[') {
		if (walk->depth == MAX_DEPTH)
			return BROKEN;
		walk->place[walk->depth]++;
		walk->place[++walk->depth] = 0;
		walk->rest = str_skip(walk->rest, 1);
		return OPEN;
	}
	if (walk->rest.ptr[0] == ']') {
		if (!walk->depth)
			return BROKEN;
		walk->depth--;
		walk->rest = str_skip(walk->rest, 1);
		return CLOSE;
	}
	return walk->depth >= 2 ? take_number(walk, ret) : BROKEN;
}

static struct walk walk_start(struct str text)
{
	return (struct walk){ .rest = text, .cut = shape_text_is_cut(text) };
}

/* Copies [from, to) without blanks. */
static void put_compact(struct buf *buf, struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != ' ')
			buf_byte(buf, text.ptr[i]);
	}
}

bool shape_put_json(struct buf *buf, struct str text)
{
	struct walk walk = walk_start(text);
	size_t whole = 1; /* bytes up to the end of the last whole argument */
	int64_t unused;
	enum token token;

	while ((token = next_token(&walk, &unused)) != END) {
		if (token == BROKEN)
			return false;
		if (token == CLOSE && walk.depth == 1)
			whole = text.len - walk.rest.len;
	}
	if (!text.len || text.ptr[0] != '[')
		return false;
	put_compact(buf, str_sub(text, 0, walk.cut ? whole : text.len));
	if (walk.cut)
		buf_byte(buf, ']');
	return true;
}

/* How many sizes the text can hold at most: one a separator and one a list. */
static size_t most_sizes(struct str text)
{
	size_t count = 1;

	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == ',' || text.ptr[i] == '[';
	return count;
}

static struct shape_size place_of(const struct walk *walk, int64_t size)
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
	struct shape shape = { .sizes = arena_alloc(arena, most_sizes(text) * sizeof(shape.sizes[0])) };
	int64_t size;
	enum token token;

	if (!shape.sizes || !text.len || text.ptr[0] != '[' || most_sizes(text) > MAX_PLACE)
		return false;
	while ((token = next_token(&walk, &size)) != END) {
		if (token == BROKEN)
			return false;
		if (token == NUMBER)
			shape.sizes[shape.count++] = place_of(&walk, size);
	}
	shape.arguments = walk.place[1];
	*ret = shape;
	return true;
}
