#include "base/view/ascii.h"

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool ascii_same(const char *a, const char *b, size_t len)
{
	return ALL(i, len, fold(a[i]) == fold(b[i]));
}

/* The run of digits at the start of s, leading zeros left out. */
static struct str digits(struct str s, size_t *ret_len)
{
	size_t len = 0, zeros = 0;

	while (len < s.len && is_digit(s.ptr[len]))
		len++;
	while (zeros + 1 < len && s.ptr[zeros] == '0')
		zeros++;
	*ret_len = len;
	return str_sub(s, zeros, len);
}

static int number_cmp(struct str a, struct str b)
{
	return a.len != b.len ? (a.len > b.len) - (a.len < b.len) : str_cmp(a, b);
}

int str_natural_cmp(struct str a, struct str b)
{
	struct str left = a, right = b;

	while (left.len && right.len) {
		size_t left_len, right_len;
		struct str left_number = digits(left, &left_len), right_number = digits(right, &right_len);
		int order = left_len && right_len ? number_cmp(left_number, right_number)
						  : (unsigned char)left.ptr[0] - (unsigned char)right.ptr[0];

		if (order)
			return order;
		left = str_skip(left, left_len && right_len ? left_len : 1);
		right = str_skip(right, left_len && right_len ? right_len : 1);
	}
	if (left.len || right.len)
		return left.len ? 1 : -1;
	return str_cmp(a, b);
}

bool str_fits(struct str pattern, struct str text)
{
	size_t at = 0, p = 0, star = STR_NONE, resume = 0;

	while (at < text.len) {
		if (p < pattern.len && pattern.ptr[p] == '*') {
			star = p++;
			resume = at;
		} else if (p < pattern.len && (pattern.ptr[p] == '?' || pattern.ptr[p] == text.ptr[at])) {
			p++;
			at++;
		} else if (star != STR_NONE) { /* the last star takes one byte more: earlier ones need not move */
			p = star + 1;
			at = ++resume;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.ptr[p] == '*')
		p++;
	return p == pattern.len;
}

bool str_is_word(struct str s, const char *others)
{
	size_t count = strlen(others);

	return ALL(i, s.len, is_word(s.ptr[i]) || memchr(others, s.ptr[i], count));
}

bool str_has_word(struct str words, struct str word)
{
	struct str one = { 0 };

	while (words.len && str_cut(&words, ' ', &one)) {
		if (str_eq(one, word))
			return true;
	}
	return false;
}
