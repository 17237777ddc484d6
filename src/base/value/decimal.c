#include "base/value/decimal.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"

bool decimal_unsigned(struct str text, uint64_t *ret)
{
	uint64_t value = 0;

	if (!text.len)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (!is_digit(text.ptr[i]) || __builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(text.ptr[i] - '0'), &value))
			return false;
	}
	*ret = value;
	return true;
}

/* The digits after the point as a share of scale, rounded to the nearest. */
static int64_t fraction(struct str digits, int64_t scale)
{
	/* 18 digits are exact in 64 bits and times any scale fit 128; digits beyond cannot move the result by a unit */
	size_t count = digits.len < 18 ? digits.len : 18;
	int64_t value = 0, one = 1;

	for (size_t i = 0; i < count; i++) {
		value = value * 10 + (digits.ptr[i] - '0');
		one *= 10;
	}
	return (int64_t)(((__int128)value * scale * 2 + one) / ((__int128)one * 2));
}

bool decimal_scaled(struct str text, int64_t scale, int64_t *ret)
{
	bool negative = text.len && text.ptr[0] == '-';
	struct str whole = negative ? str_skip(text, 1) : text;
	struct str part = { 0 };
	uint64_t units;
	int64_t value;
	size_t point = str_find(whole, STR("."));

	if (point != STR_NONE) {
		part = str_skip(whole, point + 1);
		whole = str_sub(whole, 0, point);
		if (ANY(i, part.len, !is_digit(part.ptr[i])))
			return false;
		if (!part.len)
			return false;
	}
	if (!decimal_unsigned(whole, &units) || units > INT64_MAX ||
		__builtin_mul_overflow((int64_t)units, scale, &value) ||
		(part.len && __builtin_add_overflow(value, fraction(part, scale), &value)))
		return false;
	*ret = negative ? -value : value;
	return true;
}

void decimal_put(struct buf *buf, int64_t value, unsigned places)
{
	uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char text[48], *at = text + sizeof(text);

	for (unsigned digits = 0; left || digits <= places; left /= 10) {
		*--at = (char)('0' + left % 10);
		if (++digits == places)
			*--at = '.';
	}
	if (value < 0)
		*--at = '-';
	buf_add(buf, (struct str){ at, (size_t)(text + sizeof(text) - at) });
}

enum { TENTH_PPM = 1000, TENTHS = 1000, MIDDLE_FROM = 100, MIDDLE_TO = 900 };

/* "99.9" of 999,999 millionths, "<0.1" of 1. */
static void put_percent_figure(struct buf *buf, int64_t ppm)
{
	int64_t tenths = (ppm + TENTH_PPM / 2) / TENTH_PPM;

	if (ppm > 0 && !tenths) {
		buf_add(buf, STR("<0.1"));
		return;
	}
	if (tenths >= TENTHS && ppm < TENTH_PPM * TENTHS)
		tenths = TENTHS - 1;
	if (tenths >= MIDDLE_FROM && tenths <= MIDDLE_TO)
		tenths = (tenths + 5) / 10 * 10;
	decimal_put(buf, tenths % 10 ? tenths : tenths / 10, tenths % 10 != 0);
}

void percent_put(struct buf *buf, int64_t lo_ppm, int64_t hi_ppm)
{
	CLEANUP(buf_clear) struct buf lo = BUF_INIT(32), hi = BUF_INIT(32);

	put_percent_figure(&lo, lo_ppm);
	put_percent_figure(&hi, hi_ppm);
	if (!str_eq(buf_str(&lo), buf_str(&hi)))
		buf_printf(buf, "%s-", buf_text(&lo));
	buf_printf(buf, "%s %%", buf_text(&hi));
}
