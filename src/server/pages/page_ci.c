#include "server/pages/page_ci.h"

#include "base/memory/mem.h"
#include "server/pages/page_team.h"

extern const char ci_action[], ci_github[], ci_gitlab[], ci_jenkins[], ci_script[];

/* The quotes around values, and the escape of a dollar in them, so that none is expanded. */
static const struct ci_job {
	const char *title, *path, *language, *text, *dollar;
} jobs[] = {
	{ "GitHub Actions", ".github/workflows/opcheck.yml", "yaml", ci_github, "${{ '$' }}" },
	{ "GitLab CI", ".gitlab-ci.yml", "yaml", ci_gitlab, "$$" },
	{ "Jenkins", "Jenkinsfile", "groovy", ci_jenkins, "$" },
};

/* The commands of the jobs. */
static const struct ci_file {
	const char *path, *language, *text;
} files[] = {
	{ "deploy/ci/opcheck.sh, .github/actions/opcheck/opcheck.sh", "sh", ci_script },
	{ ".github/actions/opcheck/action.yml", "yaml", ci_action },
};

struct ci_value {
	const char *variable;
	struct str value;
};

static void put_value(struct buf *out, struct str value, char quote, const char *dollar)
{
	for (size_t i = 0; i < value.len; i++) {
		char c = value.ptr[i];

		if (c == '$')
			buf_printf(out, "%s", dollar);
		else
			buf_printf(out, c == quote || c == '\\' ? "\\%c" : "%c", c);
	}
}

/* The text of a job; a line that gives one of the variables as empty gets its value. */
static struct str filled(struct doc *doc, const struct ci_job *job, const struct ci_value *values, size_t count)
{
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
	struct str rest = str_trim(str_from(job->text)), line;

	while (str_cut(&rest, '\n', &line)) {
		struct str name = str_trim(line);
		size_t at = 0;

		while (at < count && !str_starts(name, str_from(values[at].variable)))
			at++;
		if (at < count && (str_ends(line, STR("\"\"")) || str_ends(line, STR("''")))) {
			buf_add(&out, str_chop(line, 1));
			put_value(&out, values[at].value, line.ptr[line.len - 1], job->dollar);
			buf_add(&out, str_skip(line, line.len - 1));
		} else {
			buf_add(&out, line);
		}
		buf_byte(&out, '\n');
	}
	return arena_keep(&doc->arena, buf_str(&out));
}

void page_put_ci(struct page *page, const struct trend_query *model)
{
	const struct ci_value values[] = { { "OPCHECK_SERVER", page_origin(page) }, { "OPCHECK_MODEL", model->model },
		{ "OPCHECK_PROJECT", model->project } };
	struct trend_query followed = *model;
	struct doc *doc = &page->doc;

	if (!followed.branch.len) /* whatever branch comes */
		followed.branch = (struct str){ 0 };
	page_prose(page, "page.ci-about");
	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		doc_say_printf(doc, BLOCK_CARD_NAME, "%s: %s", jobs[i].title, jobs[i].path);
		doc_code(doc, str_from(jobs[i].language), filled(doc, &jobs[i], values, ARRAY_SIZE(values)));
	}
	page_prose(page, "page.ci-files");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		doc_open(doc, BLOCK_MORE);
		doc_say_styled(doc, BLOCK_SUMMARY, SPAN_NAME, str_from(files[i].path));
		doc_code(doc, str_from(files[i].language), str_trim(str_from(files[i].text)));
		doc_close(doc);
	}
	doc_section(doc, "page.badge");
	page_prose(page, "page.badge-about");
	doc_code(doc, STR("markdown"),
		doc_format_of(doc, "![opcheck](%.*s%.*s)\n", STR_ARG(page_origin(page)),
			STR_ARG(model_badge(page, &followed))));
	doc_close(doc);
}
