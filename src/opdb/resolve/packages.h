#pragma once
/* Packages that bring an operator for the PyTorch of a release. */
#include "opdb/resolve/evidence.h"

/* Those of the release's target that have a version for its PyTorch with the operator, joined by ", "; "": none. Cites
   where kernels and versions were read. */
struct str packages_for(const struct question *question, const struct name_facts *name, struct cites *cites);

/* Versions of the answer's package that have the operator. */
void packages_put_versions(const struct question *question, const struct name_facts *name, struct answer *ret);
