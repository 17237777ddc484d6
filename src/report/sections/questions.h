#pragma once
/* Questions about the program whose answers change a verdict. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* Returns the end of the questions from this one on that differ from it in the type alone. */
size_t questions_alike(const struct result *result, size_t from);

/* Returns their types, "bf16/fp16". */
struct str questions_types(struct arena *arena, const struct result_question *questions, size_t count);

void questions_build(struct doc *doc, const struct result *result);

/* The same on a page of the service: each answer is a button of the form with the id "answer". */
void questions_ask_build(struct doc *doc, const struct result *result);
