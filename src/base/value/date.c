#include "base/value/date.h"

#include <stdlib.h>
#include <time.h>

#include "base/value/decimal.h"
#include "base/view/ascii.h"

static bool is_leap(unsigned year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static unsigned days_in(unsigned year, unsigned month)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

bool date_has_shape(struct str text)
{
	static const struct str shape = { "0000-00-00", DATE_BYTES - 1 };

	for (size_t i = 0; i < text.len && i < shape.len; i++) {
		if (shape.ptr[i] == '0' ? !is_digit(text.ptr[i]) : text.ptr[i] != shape.ptr[i])
			return false;
	}
	return text.len == shape.len;
}

/* Days from 0001-01-01 to the first day of a year. */
static int64_t days_before(unsigned year)
{
	int64_t past = (int64_t)year - 1;

	return past * 365 + past / 4 - past / 100 + past / 400;
}

bool date_days(struct str text, int64_t *ret)
{
	enum { EPOCH_YEAR = 1970 };
	uint64_t year, month, day;
	int64_t days;

	if (!date_has_shape(text) || !decimal_unsigned(str_sub(text, 0, 4), &year) ||
		!decimal_unsigned(str_sub(text, 5, 7), &month) || !decimal_unsigned(str_sub(text, 8, 10), &day))
		return false;
	if (!year || month < 1 || month > 12 || day < 1 || day > days_in((unsigned)year, (unsigned)month))
		return false;
	days = days_before((unsigned)year) - days_before(EPOCH_YEAR) + (int64_t)day - 1;
	for (unsigned past = 1; past < month; past++)
		days += days_in((unsigned)year, past);
	*ret = days;
	return true;
}

void date_today(char ret[DATE_BYTES])
{
	const uint64_t last = 253402300799; /* of the year 9999 */
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;
	time_t when = time(NULL);
	struct tm tm;

	if (epoch && decimal_unsigned(str_from(epoch), &seconds) && seconds <= last)
		when = (time_t)seconds;
	gmtime_r(&when, &tm);
	strftime(ret, DATE_BYTES, "%Y-%m-%d", &tm);
}
