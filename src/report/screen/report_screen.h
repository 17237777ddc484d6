#pragma once
/* The first screen of a report on dumps. */
#include "assess/model/result.h"
#include "report/screen/screen.h"

/* Write the view that the options name. */
void report_screen(const struct result *result, const struct render_options *options, struct buf *out);

/* Add the title of a report on dumps. */
void screen_add_title(struct screen *screen, const struct result *result);

/* Add the rows of all targets: three of each, one, or one a word, by their number. */
void screen_add_targets(struct screen *screen, const struct result *result);

/* Add the row of the gate, if there was one. */
void screen_add_gate(struct screen *screen, const struct result *result);
