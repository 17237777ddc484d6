#pragma once
/* Names outside aten that a release does not register: what their namespaces, packages and collectives say. */
#include "opdb/resolve/evidence.h"

/* SEMANTICS 5.4: a package that brings the kernel, a namespace with its own rule, or a package that is not known. */
int namespace_answer(
	const struct question *question, const struct name_facts *name, struct answer *ret, struct err *err);

/* Adds what libraries take under the name: packages for the target, and the release's backend of torch.distributed,
   whose types are accepted or refused ones of the answer. */
void libraries_put(const struct question *question, const struct name_facts *name, struct answer *ret);

/* A collective, of what libraries_put has added: native where the backend takes it under some reduce operation,
   unsupported where it refuses it or has none. */
void collective_answer(const struct question *question, struct answer *ret);
