#pragma once
/*
 * Cells of a profiler table: numbers with units, as torch.autograd.profiler_util formats them.
 *
 * A cell is a view into the input without blanks at its end; those before it, which right-align it, do not count.
 * Nothing here allocates, logs or depends on the locale.
 * Every reader leaves *ret alone unless it returns true, so a caller may try one grammar after another.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/view/str.h"

/* Time such as "12.345us", "1.000ms", "-16028.000us", "0.000s" as nanoseconds, rounded to the nearest.
   Negative times are real: pytorch#101861. False if the text is anything else or does not fit. */
bool cell_time(struct str text, int64_t *ret_ns);

/* Share such as "12.50%", "NaN" (the total was 0) or a bare "0" (asynchronous event) as parts per million. */
bool cell_share(struct str text, int32_t *ret_ppm);

/* Memory such as "128 b", "-1.50 Kb" (up to 2.6) or "1.50 KB" (later) as bytes; both spellings mean powers of 1024. */
bool cell_memory(struct str text, int64_t *ret_bytes);

/* Number of calls: decimal digits alone. */
bool cell_count(struct str text, uint64_t *ret_count);

/* Returns whether some word ends like a share or a time ("12.50%", "3.000us"): a sign of a row or a part of one. */
bool cell_is_figure_in(struct str text);
