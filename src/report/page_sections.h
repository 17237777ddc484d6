#pragma once
/* Sections that only a page has, with drawings; in other formats they are nothing. Each drawing has a table or a list
   that says the same. */
#include "report/sections.h"

/* time_section.c: where the time goes, as a map of the operators. */
/* Opens, inside BLOCK_TABS, what the name of a target shows; of a group one is open, at first the first. doc_close ends
   it. */
void target_tab_open(struct doc *doc, const struct result *result, size_t target, const char *group);
void time_build(struct doc *doc, const struct result *result);

/* place_drawing.c: modules and lines as an icicle a target. cost_drawing.c: what the CPU and the AI CPU cost a step as
   a bar, with a table; false where that is nothing. When in a step the program goes to the
   host. What the targets compile. */
void places_draw(struct doc *doc, const struct result *result);
bool costs_draw(struct doc *doc, const struct result *result, const struct result_target *target);
void visits_draw(struct doc *doc, const struct result_target *target);
void compiling_draw(struct doc *doc, const struct result *result);

/* step_section.c: in which steps operators meet new shapes. bucket_section.c: sizes that change, and what to pad them
   to. */
void steps_build(struct doc *doc, const struct result *result);
void padding_build(struct doc *doc, const struct result *result);

/* release_drawing.c: every release with its readiness and its verdict, over what blocks where; one operator on every
   release. release_section.c: the drawing with tables; the smallest moves, which other formats list too; where an
   operator blocks, in words. */
void releases_draw(struct doc *doc, const struct result_releases *releases);
void release_strip_draw(struct doc *doc, const struct result_releases *releases, const struct result_blocker *blocker);
void spans_build(struct doc *doc, const struct result_blocker *blocker);
void releases_build(struct doc *doc, const struct result *result);
void moves_build(struct doc *doc, const struct result_releases *releases);

/* curve.c: the way to ready as a drawing, ctx is the struct result_target. glossary.c: the words of a report. */
void curve_put(struct buf *out, enum lang lang, const void *ctx);
void glossary_build(struct doc *doc, const struct result *result);
