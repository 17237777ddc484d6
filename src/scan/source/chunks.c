#include "scan/source/chunks.h"

#include "base/view/ascii.h"

static bool starts_with_word(struct str text, struct str word)
{
	return str_starts(text, word) && (text.len == word.len || !is_word(text.ptr[word.len]));
}

/* Returns whether a line at the margin continues the statement before it. */
static bool continues(struct str line)
{
	return starts_with_word(line, STR("else")) || starts_with_word(line, STR("elif")) ||
	       starts_with_word(line, STR("except")) || starts_with_word(line, STR("finally")) ||
	       !(is_word(line.ptr[0]) || line.ptr[0] == '@');
}

static bool begins_statement(const struct look *look)
{
	struct str rest = str_skip(look->text, look->at);

	if (!look->at || look->depth || look->quote || !rest.len || look->text.ptr[look->at - 1] != '\n')
		return false;
	return !continues(rest) && !(look->at > 1 && look->text.ptr[look->at - 2] == '\\');
}

/* A token at most: a word or a number, a sign, what ends a line. */
static bool begins_token(const struct look *look)
{
	char c = look->text.ptr[look->at], before = look->at ? look->text.ptr[look->at - 1] : ' ';

	if (c == ' ' || c == '\t' || c == '\r')
		return false;
	return !is_word(c) || !is_word(before) || is_digit(c) != is_digit(before);
}

static void look_at_quote(struct look *look, char c)
{
	struct str rest = str_skip(look->text, look->at);
	bool three = rest.len > 2 && rest.ptr[1] == c && rest.ptr[2] == c;

	if (!look->quote) {
		look->quote = c;
		look->is_triple = three;
	} else if (look->quote == c && (!look->is_triple || three)) {
		look->quote = '\0';
		three = look->is_triple;
	} else {
		return;
	}
	look->at += three ? 2 : 0;
}

static void pass_comment(struct look *look)
{
	while (look->at + 1 < look->text.len && look->text.ptr[look->at + 1] != '\n') {
		look->at++;
		look->tokens += begins_token(look);
	}
}

static void look_at_byte(struct look *look)
{
	enum { TOKENS_OF_LINE = 3 }; /* its end, an indent, a dedent */
	char c = look->text.ptr[look->at];

	look->tokens += begins_token(look);
	if (c == '\n') {
		look->tokens += TOKENS_OF_LINE;
		if (look->quote && !look->is_triple)
			look->quote = '\0';
	} else if (c == '\\' && look->quote && look->at + 1 < look->text.len) {
		look->at++;
		look->tokens++;
	} else if (c == '"' || c == '\'') {
		look_at_quote(look, c);
		look->tokens += 2;
	} else if (!look->quote && c == '#') {
		pass_comment(look);
	} else if (!look->quote && memchr("([{", c, 3)) {
		look->depth++;
	} else if (!look->quote && look->depth && memchr(")]}", c, 3)) {
		look->depth--;
	}
	look->at++;
}

void look_on(struct look *look, struct str text)
{
	look->text = text;
	while (look->at < text.len)
		look_at_byte(look);
}

bool look_is_inside(const struct look *look)
{
	return look->depth || look->quote ||
	       (look->at > 1 && look->text.ptr[look->at - 1] == '\n' && look->text.ptr[look->at - 2] == '\\');
}

bool chunk_next(struct str *rest, struct str *ret_chunk)
{
	struct look look = { .text = *rest };
	size_t end = 0;

	while (look.at < look.text.len && look.tokens <= CHUNK_TOKENS) {
		if (begins_statement(&look)) {
			if (!look.decorated)
				end = look.at;
			look.decorated = look.text.ptr[look.at] == '@';
		}
		look_at_byte(&look);
	}
	if (look.at >= look.text.len && look.tokens <= CHUNK_TOKENS)
		end = look.text.len;
	*ret_chunk = str_sub(*rest, 0, end);
	*rest = str_skip(*rest, end);
	return end > 0;
}
