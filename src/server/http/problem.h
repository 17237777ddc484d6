#pragma once
/*
 * Errors as problems (RFC 9457), which /problems/CODE describes.
 *
 * Errors of an input have its position; errors of the service itself never show a path.
 */
#include "base/setup/err.h"
#include "json/jsonw.h"
#include "report/doc/catalog.h"

/* The HTTP status for an error code; from SERVER_ERROR on the service is at fault. */
enum { SERVER_ERROR = 500 };
unsigned problem_status(int code);

/* Returns what the code is called in a language. */
struct str problem_title(enum lang lang, int code);

/* Puts the members of a problem that are the error's, inside of an object. */
void problem_put_members(struct jsonw *json, enum lang lang, const struct err *err);
