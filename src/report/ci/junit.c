/* JUnit XML: a suite for each target, a case for each operator that a finding is about. */
#include <inttypes.h>
#include <stdlib.h>

#include "assess/model/words.h"
#include "report/ci/ci.h"
#include "report/doc/markup.h"

/* A target's findings by what they are about; those about the same in their order. */
struct suite {
	const struct ci_target *target;
	MEM_LIST(const struct ci_finding *) findings;
	size_t cases, failures, skipped;
};

static struct str case_name(const struct ci_finding *finding)
{
	return finding->operator_name.len ? finding->operator_name : finding->rule;
}

static int by_case(const void *a, const void *b)
{
	const struct ci_finding *left = *(const struct ci_finding *const *)a,
				*right = *(const struct ci_finding *const *)b;
	int order = str_cmp(case_name(left), case_name(right));

	return order ? order : (left > right) - (left < right);
}

static struct suite suite_of(const struct ci_report *report, const struct ci_target *target)
{
	struct suite suite = { .target = target };

	for (size_t i = 0; i < report->findings.count; i++) {
		if (ci_concerns(&report->findings.items[i], target))
			MEM_PUSH(&suite.findings, &report->findings.items[i]);
	}
	if (suite.findings.count)
		qsort(suite.findings.items, suite.findings.count, sizeof(suite.findings.items[0]), by_case);
	return suite;
}

static void open_case(struct buf *out, const struct suite *suite, struct str name)
{
	html(out, "  <testcase");
	html_attribute(out, "classname", suite->target->id);
	html_attribute(out, "name", name);
	html(out, ">\n");
}

/* The whole text is the body: GitLab shows no attribute. */
static void put_body(struct buf *out, const char *element, struct str type, struct str text)
{
	struct str line;
	buf_printf(out, "   <%s", element);
	if (type.len)
		html_attribute(out, "type", type);
	html(out, ">");
	while (str_cut(&text, '\n', &line)) {
		html_text(out, line);
		buf_add(out, line.len ? STR("\n") : STR(""));
	}
	buf_printf(out, "</%s>\n", element);
}

static void add_finding(struct buf *text, const struct ci_finding *finding)
{
	buf_printf(text, "%.*s: %.*s\n%.*s\n%.*s\n", STR_ARG(finding->rule), STR_ARG(finding->text),
		STR_ARG(finding->details), STR_ARG(finding->waived_for));
	if (finding->line)
		buf_printf(text, "%.*s:%" PRIu64 "\n", STR_ARG(finding->file), finding->line);
	else if (finding->byte)
		buf_printf(text, "%.*s, byte %" PRIu64 "\n", STR_ARG(finding->file), finding->byte);
}

/* The findings about one operator: it fails when one of them does, and is skipped when all are waived. A gate that
   passed has accepted what remains. */
static void put_case(struct buf *out, struct suite *suite, size_t first, size_t count)
{
	CLEANUP(buf_clear) struct buf failing = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf other = BUF_UNLIMITED;
	struct str type = STR("");
	bool skipped = true;

	for (size_t i = first; i < first + count; i++) {
		const struct ci_finding *finding = suite->findings.items[i];
		bool failure = finding->severity == SEVERITY_ERROR && !finding->is_waived && !finding->known &&
			       suite->target->gate != GATE_PASSED;

		add_finding(failure ? &failing : &other, finding);
		skipped = skipped && finding->is_waived;
		if (failure && !type.len)
			type = finding->rule;
	}
	open_case(out, suite, case_name(suite->findings.items[first]));
	buf_add(out, skipped ? STR("   <skipped/>\n") : STR(""));
	if (failing.len)
		put_body(out, "failure", type, buf_str(&failing));
	if (other.len)
		put_body(out, "system-out", STR(""), buf_str(&other));
	html(out, "  </testcase>\n");
	suite->cases++;
	suite->skipped += skipped;
	suite->failures += failing.len > 0;
}

/* A suite is never empty, and shows the gate. */
static void put_verdict(struct buf *out, struct suite *suite)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	bool failed = suite->target->gate == GATE_FAILED;

	buf_printf(&text, "%.*s\n%.*s", STR_ARG(word_for(&verdict_words, suite->target->verdict)),
		STR_ARG(suite->target->reason));
	open_case(out, suite, STR("verdict"));
	put_body(out, failed ? "failure" : "system-out", failed ? STR("gate") : STR(""), buf_str(&text));
	html(out, "  </testcase>\n");
	suite->cases++;
	suite->failures += failed;
}

static void put_suite(struct buf *out, const struct ci_report *report, const struct ci_target *target)
{
	CLEANUP(buf_clear) struct buf cases = BUF_UNLIMITED;
	struct suite suite = suite_of(report, target);

	put_verdict(&cases, &suite);
	for (size_t first = 0, end; first < suite.findings.count; first = end) {
		struct str name = case_name(suite.findings.items[first]);

		end = first + 1;
		while (end < suite.findings.count && str_eq(case_name(suite.findings.items[end]), name))
			end++;
		put_case(&cases, &suite, first, end - first);
	}
	html(out, " <testsuite");
	html_attribute(out, "name", target->id);
	buf_printf(out, " tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"0\">\n", suite.cases, suite.failures,
		suite.skipped);
	buf_add(out, buf_str(&cases));
	html(out, " </testsuite>\n");
	free(suite.findings.items);
}

void ci_junit(const struct ci_report *report, struct buf *out)
{
	html(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"opcheck\">\n");
	for (size_t i = 0; i < report->targets.count; i++)
		put_suite(out, report, &report->targets.items[i]);
	html(out, "</testsuites>\n");
}
