#pragma once
/* How much work the least way out of a finding is. */
#include "assess/model/result.h"

/* "flag", "config", "recipe", "package", "upgrade" or "port", from the least to the most: the least that the finding's advice
   names, else what its rule asks for. Static text. */
struct str effort_of(const struct result_finding *finding);
