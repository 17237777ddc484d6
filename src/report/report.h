#pragma once
/* The whole report as a document, and in the formats that people read. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

void report_build(struct doc *doc, const struct result *result);

/* Returns whether text can be written of this part alone; the ids of all, "limits, targets, ...". */
bool report_has_section(struct str id);
void report_put_sections(struct buf *out);

void render_text(const struct result *result, const struct render_options *options, struct buf *out);
void render_md(const struct result *result, const struct render_options *options, struct buf *out);
void render_html(const struct result *result, const struct render_options *options, struct buf *out);
