#pragma once
/* A badge: JSON of shields.io, or SVG. */
#include "report/ci/ci.h"

void ci_badge(const struct ci_report *report, struct buf *out);
void ci_badge_svg(const struct ci_report *report, struct buf *out);
