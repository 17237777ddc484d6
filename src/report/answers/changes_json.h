#pragma once
/* A comparison of two results as JSON. */
#include "report/answers/changes.h"

/* The file as JSON. */
void changes_put_json(const struct changes_view *view, struct buf *out);
