#include "json/value.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "base/view/digits.h"
#include "base/view/scan.h"

static bool hex4(struct str text, uint32_t *ret)
{
	uint32_t value = 0;

	if (text.len < 4)
		return false;
	for (size_t i = 0; i < 4; i++) {
		char c = text.ptr[i], lower = (char)(c | 0x20);

		if (is_digit(c))
			value = value << 4 | (uint32_t)(c - '0');
		else if (lower >= 'a' && lower <= 'f')
			value = value << 4 | (uint32_t)(lower - 'a' + 10);
		else
			return false;
	}
	*ret = value;
	return true;
}

static void put_code_point(struct buf *buf, uint32_t point)
{
	if (point >= 0xd800 && point < 0xe000)
		point = 0xfffd;
	if (point < 0x80) {
		buf_byte(buf, (char)point);
		return;
	}
	if (point < 0x800) {
		buf_byte(buf, (char)(0xc0 | point >> 6));
	} else {
		if (point < 0x10000) {
			buf_byte(buf, (char)(0xe0 | point >> 12));
		} else {
			buf_byte(buf, (char)(0xf0 | point >> 18));
			buf_byte(buf, (char)(0x80 | (point >> 12 & 0x3f)));
		}
		buf_byte(buf, (char)(0x80 | (point >> 6 & 0x3f)));
	}
	buf_byte(buf, (char)(0x80 | (point & 0x3f)));
}

/* The four digits behind \u, and those of a second half behind them. Returns how many bytes were used. */
static size_t put_unicode(struct buf *buf, struct str digits)
{
	uint32_t high, low;

	if (!hex4(digits, &high)) {
		put_code_point(buf, 0xfffd);
		return 0;
	}
	if (high >= 0xd800 && high < 0xdc00 && digits.len >= 10 && digits.ptr[4] == '\\' && digits.ptr[5] == 'u' &&
		hex4(str_skip(digits, 6), &low) && low >= 0xdc00 && low < 0xe000) {
		put_code_point(buf, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
		return 10;
	}
	put_code_point(buf, high);
	return 4;
}

/* The character of a backslash and this byte; of an unknown pair, the byte itself. */
static char unescaped(char c)
{
	static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
	const char *found = c ? strchr(from, c) : NULL;

	return found ? to[found - from] : c;
}

static void put_unescaped(struct buf *buf, struct str raw)
{
	while (raw.len) {
		const char *slash = memchr(raw.ptr, '\\', raw.len);
		size_t plain = slash ? (size_t)(slash - raw.ptr) : raw.len;

		buf_add(buf, str_sub(raw, 0, plain));
		raw = str_skip(raw, plain);
		if (raw.len < 2)
			return;
		if (raw.ptr[1] == 'u') {
			raw = str_skip(raw, 2);
			raw = str_skip(raw, put_unicode(buf, raw));
		} else {
			buf_byte(buf, unescaped(raw.ptr[1]));
			raw = str_skip(raw, 2);
		}
	}
}

void json_text(struct buf *buf, const struct json_value *string)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	size_t bad;

	if (!string->escaped && utf8_valid(string->raw, &bad)) {
		buf_add(buf, string->raw);
		return;
	}
	put_unescaped(&text, string->raw);
	utf8_repair(buf, buf_str(&text));
}

/* The exponent behind an 'e', if it is one that a time can have. */
static bool parse_exponent(struct str text, int *ret)
{
	int64_t value;
	bool plus = text.len && text.ptr[0] == '+';

	if (!decimal_scaled(plus ? str_skip(text, 1) : text, 1, &value) || value < -40 || value > 18)
		return false;
	*ret = (int)value;
	return true;
}

static bool scaled_exponent(struct str text, size_t at, int64_t scale, int64_t *ret)
{
	struct str mantissa = str_sub(text, 0, at);
	int64_t value, divisor = 1;
	int exponent;

	if (!parse_exponent(str_skip(text, at + 1), &exponent))
		return false;
	for (; exponent > 0; exponent--) {
		if (__builtin_mul_overflow(scale, 10, &scale))
			return false;
	}
	for (; exponent < 0 && divisor < INT64_C(1000000000000000000); exponent++)
		divisor *= 10;
	if (!decimal_scaled(mantissa, scale, &value))
		return false;
	*ret = exponent < 0 ? 0 : value / divisor + value % divisor * 2 / divisor;
	return true;
}

/* Returns whether all eight bytes are digits. */
static bool are_digits(uint64_t word)
{
	const uint64_t high = 0xf0f0f0f0f0f0f0f0u, zeros = 0x3030303030303030u;

	return (word & high) == zeros && ((word + 0x0606060606060606u) & high) == zeros;
}

/* Digits, a point and up to three more, in thousandths, or digits alone in units: nearly every number of a trace. */
static bool plain_number(struct str text, int64_t scale, int64_t *ret)
{
	enum { MOST_DIGITS = 19 }; /* fit 64 bits */
	static const int64_t factors[] = { 1000, 100, 10, 1 };
	uint64_t value = 0, word;
	size_t at = 0, places = 0;
	int64_t result;

	if (!text.len || text.len > MOST_DIGITS || !is_digit(text.ptr[0]))
		return false;
	if (text.len > sizeof(word)) {
		memcpy(&word, text.ptr, sizeof(word));
		if (are_digits(word)) {
			value = (uint64_t)fixed_eight(word);
			at = sizeof(word);
		}
	}
	for (; at < text.len && is_digit(text.ptr[at]); at++)
		value = value * 10 + (uint64_t)(text.ptr[at] - '0');
	if (at < text.len && text.ptr[at] == '.') {
		for (at++; at < text.len && is_digit(text.ptr[at]); at++, places++)
			value = value * 10 + (uint64_t)(text.ptr[at] - '0');
	}
	if (at < text.len || places > 3 || text.ptr[at - 1] == '.' || (scale == 1 && places))
		return false;
	if (value > INT64_MAX || __builtin_mul_overflow((int64_t)value, scale == 1 ? 1 : factors[places], &result))
		return false;
	*ret = result;
	return true;
}

bool json_scaled(const struct json_value *value, int64_t scale, int64_t *ret)
{
	struct str text = value->raw;

	if ((scale == 1000 || scale == 1) && value->kind == JSON_WORD && plain_number(text, scale, ret))
		return true;
	text = str_trim(text);

	if (value->kind != JSON_WORD && value->kind != JSON_STRING)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if ((text.ptr[i] | 0x20) == 'e')
			return scaled_exponent(text, i, scale, ret);
	}
	return decimal_scaled(text, scale, ret);
}
