#include "server/service/parts.h"

#include "base/memory/mem.h"
#include "report/answers/bucket_section.h"
#include "report/doc/doc_put.h"
#include "report/drawings/drawing.h"
#include "report/sections/parts.h"
#include "report/sections/questions.h"
#include "report/sections/release_section.h"

static const struct {
	const char *form;
	void (*build[3])(struct doc *doc, const struct result *result);
} parts[] = {
	{ "releases", { releases_build } },
	{ "questions", { questions_ask_build } },
	{ "shapes", { steps_build, padding_build, compiling_build } },
};

bool part_put(struct str form, enum lang lang, const struct result *result, struct buf *out)
{
	size_t which = 0;
	struct doc doc, patterns;

	while (which < ARRAY_SIZE(parts) && !str_eq(form, str_from(parts[which].form)))
		which++;
	if (which == ARRAY_SIZE(parts))
		return false;
	doc = doc_new(DOC_HTML, &(struct render_options){ .lang = lang });
	doc.scripted = true;
	for (size_t i = 0; i < ARRAY_SIZE(parts[which].build) && parts[which].build[i]; i++)
		parts[which].build[i](&doc, result);
	if (!doc_is_empty(doc.root)) {
		patterns = doc_new(DOC_HTML, &(struct render_options){ .lang = lang });
		doc_svg_patterns(&patterns);
		doc_put(&patterns, out);
	}
	doc_put(&doc, out);
	return true;
}
