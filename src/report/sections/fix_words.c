#include "report/sections/fix_words.h"

#include "assess/model/words.h"

struct str fix_called(struct doc *doc, const struct result_fix *fix)
{
	return called_with(&doc->arena, fix->what, fix->dtypes);
}

struct str fix_effort(struct doc *doc, const struct result_fix *fix)
{
	return fix->effort == EFFORT_AVOID ? doc_text_with(doc, "effort.avoid-types", BLANK("dtypes", fix->dtypes))
					   : doc_word_of(doc, "effort", word_for(&effort_words, fix->effort));
}
