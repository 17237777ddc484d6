#include "report/render.h"

#include "base/mem.h"

const struct renderer renderers[] = {
	{ "text", "text/plain; charset=utf-8", ".txt", 0, render_text },
	{ "json", "application/json", ".json", SHOWS_DIGESTS | SHOWS_HISTORY, render_json },
	{ "html", "text/html; charset=utf-8", ".html", SHOWS_DIGESTS | SHOWS_HISTORY, render_html },
	{ "md", "text/markdown; charset=utf-8", ".md", 0, render_md },
	{ "csv", "text/csv; charset=utf-8", ".csv", SHOWS_HISTORY, render_csv },
};
const size_t renderer_count = ARRAY_SIZE(renderers);

const struct renderer *renderer_find(struct str name)
{
	for (size_t i = 0; i < renderer_count; i++) {
		if (str_eq(str_from(renderers[i].name), name))
			return &renderers[i];
	}
	return NULL;
}
