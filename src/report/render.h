#pragma once
/*
 * The formats of a report. Every one is rendered from the result alone, so a report read back from JSON gives the same
 * bytes: of the whole result, or of its findings (ci.h).
 */
#include "base/err.h"
#include "report/ci.h"

/* Of the JSON report, as schema/report.schema.json describes it. */
#define REPORT_SCHEMA_VERSION "1.0.0"

/* What costs time to find out and only some formats show: digests of the dumps, since and until when a verdict holds,
   what the dumps would be on every release. */
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

/* load.c: reads the text of a JSON report back into the result that it was written from. Rendering that as JSON gives
   the same bytes again. ERR_REPORT when it is no report, lacks a key, or was written by a newer schema. */
int report_load(struct str text, struct result **ret, struct err *err);

/* The formats, one a file. */
void render_json(const struct result *result, const struct render_options *options, struct buf *out);
void render_text(const struct result *result, const struct render_options *options, struct buf *out);
void render_csv(const struct result *result, const struct render_options *options, struct buf *out);
void render_md(const struct result *result, const struct render_options *options, struct buf *out);
void render_html(const struct result *result, const struct render_options *options, struct buf *out);

/* --- source.c: the report on a scan of scripts: what must change, where, and what takes its place */

/* The whole of it, behind its title. */
void source_build(struct doc *doc, const struct result *result, size_t left_out);

/* A line for each finding, waived ones left out: path,line,column,rule,action,target,expression,replacement,reason;
   beside a dump also operators,time_share, and findings about operators with a line for each line that calls one. */
void source_put_csv(const struct result *result, struct buf *out);

/* --- a document as a file of its own */

/* The style and the script of a report. */
extern const char report_css[], report_js[];

/* Writes a document and gives back what it holds; as HTML with all that makes a file of it, named by the first dump of
   the result, which may be NULL; as Markdown within the limits of a comment, with a mark named by the title. */
void html_put_page(struct doc *doc, const struct result *result, const char *title_id, struct buf *out);

/* The Content-Security-Policy of such a file: its own style and script may act, and nothing may be loaded. */
void html_put_policy(struct buf *out);
