#include "json/valid.h"

#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "json/bytes.h"

/* The expected token. */
enum expected { VALUE, ITEM_OR_END, NAME_OR_END, NAME, COMMA_OR_END };

struct check {
	const char *at, *end;
	enum expected expected;
	unsigned depth;
	bool is_object[JSON_MAX_DEPTH + 1];
};

static const char *behind_digits(const char *at, const char *end)
{
	while (at < end && is_digit(*at))
		at++;
	return at;
}

/* The functions below return the byte behind a token, or NULL where it is invalid. */

static const char *behind_number(const char *at, const char *end)
{
	const char *first = at + (*at == '-'), *point = behind_digits(first, end), *exponent = point, *sign;

	if (point == first || (*first == '0' && point - first > 1))
		return NULL;
	if (point < end && *point == '.') {
		exponent = behind_digits(point + 1, end);
		if (exponent == point + 1)
			return NULL;
	}
	if (exponent == end || (*exponent | 0x20) != 'e')
		return exponent;
	sign = exponent + 1;
	sign += sign < end && (*sign == '+' || *sign == '-');
	at = behind_digits(sign, end);
	return at > sign ? at : NULL;
}

static const char *behind_escape(const char *at, const char *end)
{
	if (end - at < 2 || !memchr("\"\\/bfnrtu", at[1], 9))
		return NULL;
	if (at[1] != 'u')
		return at + 2;
	if (end - at < 6)
		return NULL;
	for (unsigned i = 2; i < 6; i++) {
		if (!is_digit(at[i]) && !((at[i] | 0x20) >= 'a' && (at[i] | 0x20) <= 'f'))
			return NULL;
	}
	return at + 6;
}

static const char *behind_string(const char *at, const char *end)
{
	for (at++; at && at < end && (unsigned char)*at >= ' ';) {
		if (*at == '"')
			return at + 1;
		at = *at == '\\' ? behind_escape(at, end) : at + 1;
	}
	return NULL;
}

static const char *behind_literal(const char *at, const char *end)
{
	static const char *const literals[] = { "true", "false", "null" };
	struct str rest = { at, (size_t)(end - at) };

	for (size_t i = 0; i < 3; i++) {
		if (str_starts(rest, str_from(literals[i])))
			return at + strlen(literals[i]);
	}
	return NULL;
}

/* Returns behind a name and its colon. */
static const char *behind_name(const char *at, const char *end)
{
	at = *at == '"' ? behind_string(at, end) : NULL;
	if (at)
		at = json_blanks(at, end);
	return at && at < end && *at == ':' ? at + 1 : NULL;
}

static const char *behind_bracket(struct check *check)
{
	if (check->depth == JSON_MAX_DEPTH)
		return NULL;
	check->is_object[++check->depth] = *check->at == '{';
	check->expected = *check->at == '{' ? NAME_OR_END : ITEM_OR_END;
	return check->at + 1;
}

static const char *behind_value(struct check *check)
{
	char c = *check->at;

	if (c == '{' || c == '[')
		return behind_bracket(check);
	check->expected = COMMA_OR_END;
	if (c == '"')
		return behind_string(check->at, check->end);
	if (c == '-' || is_digit(c))
		return behind_number(check->at, check->end);
	return behind_literal(check->at, check->end);
}

static const char *behind_comma(struct check *check)
{
	if (*check->at != ',' || !check->depth)
		return NULL;
	check->expected = check->is_object[check->depth] ? NAME : VALUE;
	return check->at + 1;
}

static const char *behind_token(struct check *check)
{
	bool may_end = check->expected == ITEM_OR_END || check->expected == NAME_OR_END ||
		       check->expected == COMMA_OR_END;

	if (may_end && check->depth && *check->at == (check->is_object[check->depth] ? '}' : ']')) {
		check->depth--;
		check->expected = COMMA_OR_END;
		return check->at + 1;
	}
	if (check->expected == COMMA_OR_END)
		return behind_comma(check);
	if (check->expected == VALUE || check->expected == ITEM_OR_END)
		return behind_value(check);
	check->expected = VALUE;
	return behind_name(check->at, check->end);
}

bool json_valid(struct str text, size_t *ret_bad_at)
{
	struct check check = { .at = text.ptr, .end = text.ptr + text.len, .expected = VALUE };
	const char *next = text.ptr;

	if (!utf8_valid(text, ret_bad_at))
		return false;
	while (next) {
		*ret_bad_at = (size_t)(next - text.ptr);
		check.at = json_blanks(next, check.end);
		if (check.at == check.end)
			return !check.depth && check.expected == COMMA_OR_END;
		next = behind_token(&check);
	}
	return false;
}
