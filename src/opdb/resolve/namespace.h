#pragma once
/* Names outside aten that a release does not register. */
#include "opdb/resolve/evidence.h"

/* SEMANTICS 5.4: a package that brings the kernel, a namespace with its own rule, or a package that is not known. */
int namespace_answer(
	const struct question *question, const struct name_facts *name, struct answer *ret, struct err *err);
