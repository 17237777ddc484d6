#include "dump/common/cell.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/view/ascii.h"
#include "base/view/scan.h"

static const struct {
	struct str suffix;
	int64_t scale;
} memory_units[] = {
	{ STR(" Kb"), 1 << 10 },
	{ STR(" KB"), 1 << 10 },
	{ STR(" Mb"), 1 << 20 },
	{ STR(" MB"), 1 << 20 },
	{ STR(" Gb"), 1 << 30 },
	{ STR(" GB"), 1 << 30 },
	{ STR(" b"), 1 },
	{ STR(" B"), 1 },
};

/*
 * "   12.345" as 12345, for exactly so many digits after the point, read from the end: what every table prints. False
 * for anything else, also for more digits than surely fit, which is left to decimal_scaled.
 */
static inline __attribute__((always_inline)) bool fixed_point(struct str text, unsigned places, int64_t *ret)
{
	enum { MAX_WHOLE_DIGITS = 11 };
	size_t at = text.len;
	int64_t value = 0, weight = 1;
	unsigned bad = 0, whole = 0;

	if (text.len < places + 2 || text.ptr[text.len - places - 1] != '.')
		return false;
	for (unsigned i = 0; i < places; i++, weight *= 10) {
		unsigned digit = (unsigned char)text.ptr[--at] - (unsigned)'0';

		bad |= digit > 9;
		value += digit * weight;
	}
	for (at--; at && is_digit(text.ptr[at - 1]) && whole <= MAX_WHOLE_DIGITS; whole++, weight *= 10)
		value += (text.ptr[--at] - '0') * weight;
	if (bad || !whole || whole > MAX_WHOLE_DIGITS || scan_run(str_sub(text, 0, at), ' ') != at)
		return false;
	*ret = value;
	return true;
}

/* Nanoseconds of the unit that text ends in, and its length; 0 for none. No known version prints "ns", but time_unit=
   may. */
static int64_t time_unit(struct str text, size_t *ret_len)
{
	if (text.len < 2 || text.ptr[text.len - 1] != 's')
		return 0;
	*ret_len = 2;
	switch (text.ptr[text.len - 2]) {
	case 'u':
		return 1000;
	case 'm':
		return 1000 * 1000;
	case 'n':
		return 1;
	default:
		*ret_len = 1;
		return 1000 * 1000 * 1000;
	}
}

bool cell_time(struct str text, int64_t *ret_ns)
{
	size_t unit_len;
	int64_t unit_ns = time_unit(text, &unit_len), thousandths;

	if (!unit_ns)
		return false;
	text = str_chop(text, unit_len);
	if (unit_ns < 1000 || !fixed_point(text, 3, &thousandths))
		return decimal_scaled(scan_lead(text), unit_ns, ret_ns);
	return !__builtin_mul_overflow(thousandths, unit_ns / 1000, ret_ns);
}

bool cell_memory(struct str text, int64_t *ret_bytes)
{
	for (size_t i = 0; i < ARRAY_SIZE(memory_units); i++) {
		struct str suffix = memory_units[i].suffix;

		if (str_ends(text, suffix))
			return decimal_scaled(scan_lead(str_chop(text, suffix.len)), memory_units[i].scale, ret_bytes);
	}
	return false;
}

bool cell_share(struct str text, int32_t *ret_ppm)
{
	int64_t ppm = 0, hundredths;

	if (str_ends(text, STR("%")) && fixed_point(str_chop(text, 1), 2, &hundredths) &&
		hundredths < INT32_MAX / 100) {
		*ret_ppm = (int32_t)hundredths * 100;
		return true;
	}
	text = scan_lead(text);
	if (str_eq(text, STR("NaN")) || str_eq(text, STR("nan%")) || str_eq(text, STR("0"))) {
		*ret_ppm = 0;
		return true;
	}
	if (!str_ends(text, STR("%")) || !decimal_scaled(str_chop(text, 1), 10000, &ppm))
		return false;
	/* nested children make CPU total % exceed 100: bounded, not refused */
	*ret_ppm = ppm > INT32_MAX ? INT32_MAX : ppm < INT32_MIN ? INT32_MIN : (int32_t)ppm;
	return true;
}

bool cell_count(struct str text, uint64_t *ret_count)
{
	return decimal_unsigned(scan_lead(text), ret_count);
}

bool cell_is_figure_in(struct str text)
{
	for (size_t at = 2; at < text.len; at++) {
		bool unit = text.ptr[at] == '%' ||
			    (text.ptr[at] == 's' && (text.ptr[at - 1] == 'u' || text.ptr[at - 1] == 'm'));
		size_t digit = text.ptr[at] == '%' ? at - 1 : at - 2;

		if (unit && is_digit(text.ptr[digit]) && (at + 1 == text.len || text.ptr[at + 1] == ' '))
			return true;
	}
	return false;
}
