#pragma once
/* A comparison of two results; the service and the command line show the same. */
#include "report/answers/changes_gate.h"
#include "report/doc/doc.h"

/* A file in one of the formats; its content below the title, for a page of the service. */
void changes_put(
	const struct changes_view *view, enum doc_format format, const struct render_options *options, struct buf *out);
void changes_build(struct doc *doc, const struct changes_view *view);
