#pragma once
/* Releases with readiness and verdict, on a page alone. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* Every release over the operators that block on it. */
void releases_draw(struct doc *doc, const struct result_releases *releases);

/* One operator on every release. */
void release_strip_draw(struct doc *doc, const struct result_releases *releases, const struct result_blocker *blocker);
