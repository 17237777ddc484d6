#pragma once
/* Operators outside aten that the release's plugin does not register. */
#include "opdb/prove.h"

/* SEMANTICS 5.4: a package that brings the kernel, a namespace with its own rule, or a package that nobody knows. */
void namespace_answer(const struct question *question, const struct name_facts *name, struct answer *ret);
