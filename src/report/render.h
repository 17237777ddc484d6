#pragma once
/*
 * The formats of a report. Every one is rendered from the result alone, so a report read back from JSON gives the same
 * bytes: of the whole result, or of its findings (ci.h).
 */
#include "report/ci/ci.h"

/* Costly facts that only some formats show: digests of the dumps, the releases over which a verdict holds, the
   verdict on every release. */
enum render_shows { SHOWS_DIGESTS = 1 << 0, SHOWS_HISTORY = 1 << 1, SHOWS_RELEASES = 1 << 2 };

struct renderer {
	const char *name;       /* as with --format */
	const char *media_type; /* of an HTTP reply */
	const char *suffix;     /* of a file, with its dot */
	unsigned shows;         /* enum render_shows */
	void (*of_result)(const struct result *result, const struct render_options *options, struct buf *out);
	void (*of_findings)(const struct ci_report *report, struct buf *out); /* either this or that */
};

extern const struct renderer renderers[];
extern const size_t renderer_count;

/* The renderer of that name, or NULL. */
const struct renderer *renderer_find(struct str name);

/* The one with the longest suffix that the path ends with, or NULL. */
const struct renderer *renderer_of_path(struct str path);

void render_report(const struct renderer *renderer, const struct result *result, const struct render_options *options,
	struct buf *out);
