#pragma once
/* The parts that the answers of a look-up are written from, as a document and as JSON. */
#include "check/lookup.h"

struct jsonw;

/* Writes an object with the facts of one verdict: overloads, types, notes, runs of releases. */
void lookup_put_facts(const struct lookup_answer *answer, struct jsonw *json);

/* Whether a report or a document says of some type what the kernels of CANN contradict. */
bool lookup_is_against_kernels(const struct answer *answer, const struct note *note);

/* Facts of units: a table in the open document, none where nothing is known; an object "units". */
void lookup_put_units(struct doc *doc, const struct answer *answer);
void lookup_put_units_json(const struct answer *answer, struct jsonw *json);

/* A line of the open table of facts; none for a value that is empty. */
void lookup_put_fact(struct doc *doc, const char *title, struct str value);

/* Lines of that table about collectives and packages; keys of the open object. */
void lookup_put_library(struct doc *doc, const struct answer *answer);
void lookup_put_library_json(const struct answer *answer, struct jsonw *json);

/* What a Python name calls: a table in the open document, a key "api" of the open object. None for an operator. */
void lookup_put_calls(struct doc *doc, const struct lookup *lookup);
void lookup_put_calls_json(const struct lookup *lookup, struct jsonw *json);

/* A list of types under a key. */
void lookup_put_types_json(struct jsonw *json, const char *key, unsigned types);
