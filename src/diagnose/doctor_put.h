#pragma once
/* The answer of doctor in every format. */
#include "diagnose/doctor.h"
#include "json/jsonw.h"
#include "report/doc/catalog.h"

/* A row as a sentence. */
void doctor_put_said(const struct doctor_row *row, enum lang lang, struct buf *out);

/* The rows as the list under a key. */
void doctor_put_rows(const struct doctor *doctor, const char *key, struct jsonw *json);
/* "text", "json", or a table as sheet_is_format has it. */
void doctor_put(const struct doctor *doctor, struct str format, const struct render_options *render, struct buf *out);
