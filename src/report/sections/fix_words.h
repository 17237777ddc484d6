#pragma once
/* The name of a fix, and the kind of its work. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* "aten::sum (complex64)" where types decide, else the fix's subject; "avoid complex64", or the word of its effort. */
struct str fix_called(struct doc *doc, const struct result_fix *fix);
struct str fix_effort(struct doc *doc, const struct result_fix *fix);
