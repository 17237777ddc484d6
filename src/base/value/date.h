#pragma once
/* Days, as YYYY-MM-DD (RFC 3339) and as a number that can be counted with. */
#include "base/view/str.h"

enum { DATE_BYTES = 11 }; /* ten characters and a NUL */

/* Returns whether text has the form YYYY-MM-DD; the day may not exist. */
bool date_has_shape(struct str text);

/* Days since 1970-01-01 of a date from the years 0001 to 9999 that the calendar has. False for anything else. */
bool date_days(struct str text, int64_t *ret);

/* The day in UTC of seconds since 1970. False for one behind the year 9999. */
bool date_of(uint64_t seconds, char ret[DATE_BYTES]);

/* Today in UTC, or the day of SOURCE_DATE_EPOCH where that is a number of seconds since 1970. */
void date_today(char ret[DATE_BYTES]);
