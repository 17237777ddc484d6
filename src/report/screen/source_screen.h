#pragma once
/* The first screen of a scan: what a port changes, and the files with most of it. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

void source_screen(const struct result *result, const struct render_options *options, struct buf *out);
