#pragma once
/* Facts of libraries other than the plugins. */
#include "opdb/resolve/evidence.h"

/* Adds what libraries take under the name: packages for the target, and the release's backend of torch.distributed,
   whose types are accepted or refused ones of the answer. */
void libraries_put(const struct question *question, const struct name_facts *name, struct answer *ret);

/* A collective, of what libraries_put has added: native where the backend takes it under some reduce operation,
   unsupported where it refuses it or has none. */
void collective_answer(const struct question *question, struct answer *ret);
