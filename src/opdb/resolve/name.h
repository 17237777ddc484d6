#pragma once
/* The answer about a base name: one for all of its overloads (SEMANTICS 5.2). */
#include "opdb/resolve/evidence.h"

/* The answer about a name, or about one of its overloads. */
int answer_name(const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret,
	struct err *err);

/* An overload as answers list it. */
struct overload_answer overload_answer(const struct question *question, const struct proof *proof);
