#pragma once
/* A diagnosis as text, JSON and CSV. */
#include "diagnose/diagnosis.h"
#include "report/doc/doc.h"

/* As text, JSON and CSV; result is that of a dump of the same program, or NULL. */
void diagnosis_put_text(
	const struct diagnosis *diagnosis, const struct result *result, enum lang lang, struct buf *out);
void diagnosis_put_json(const struct diagnosis *diagnosis, const struct result *result, struct buf *out);
void diagnosis_put_csv(const struct diagnosis *diagnosis, struct buf *out);
