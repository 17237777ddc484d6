#pragma once
/*
 * Decimal numbers as profilers write and reports print them: exact, without floating point, whatever the locale.
 */
#include "base/memory/buf.h"

/* "-12.345" times scale, rounded to the nearest unit (halves away from zero): decimal_scaled("1.5", 1000) is 1500.
   One optional minus, at least one digit, at most one point with digits on both sides. False for anything else or when
   the result does not fit; *ret is untouched then. */
bool decimal_scaled(struct str text, int64_t scale, int64_t *ret);

/* Decimal digits alone. False for anything else or over 2^64 - 1; *ret is untouched then. */
bool decimal_unsigned(struct str text, uint64_t *ret);

/* Appends value / 10^places with exactly that many digits after the point: (12345, 3) is "12.345". */
void decimal_put(struct buf *buf, int64_t value, unsigned places);

/* Appends an interval of millionths as per cent: "12 %", "0.3 %", "1-9 %". One decimal below 10 and above 90 %, and
   neither 0 nor 100 unless exact: "<0.1 %", "99.9 %". */
void percent_put(struct buf *buf, int64_t lo_ppm, int64_t hi_ppm);
