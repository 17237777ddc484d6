/* The code quality report of GitLab: one list, without findings that are waived. */
#include "report/ci/ci.h"

/* By severity. */
static const struct str grades[] = { STR("blocker"), STR("major"), STR("info") };

void ci_codequality(const struct ci_report *report, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 1);

	jsonw_list(&json);
	for (size_t i = 0; i < report->findings.count; i++) {
		const struct ci_finding *finding = &report->findings.items[i];

		if (finding->is_waived)
			continue;
		jsonw_fill(&json,
			"{'description': $, 'check_name': $, 'fingerprint': $, 'severity': $, 'location': {'path': $, "
			"'lines': {",
			finding->text, finding->rule, finding->fingerprint, grades[finding->severity], finding->file);
		jsonw_key_number(&json, "begin", finding->line ? (int64_t)finding->line : 1);
		jsonw_fill(&json, "}}}");
	}
	jsonw_list_end(&json);
}
