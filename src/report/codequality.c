/* The code quality report of GitLab: one list, without findings that are waived. */
#include "report/ci.h"

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
		jsonw_object(&json);
		jsonw_key_str(&json, "description", finding->text);
		jsonw_key_str(&json, "check_name", finding->rule);
		jsonw_key_str(&json, "fingerprint", finding->fingerprint);
		jsonw_key_str(&json, "severity", grades[finding->severity]);
		jsonw_key_object(&json, "location");
		jsonw_key_str(&json, "path", finding->file);
		jsonw_key_object(&json, "lines");
		jsonw_key_number(&json, "begin", finding->line ? (int64_t)finding->line : 1);
		jsonw_object_end(&json);
		jsonw_object_end(&json);
		jsonw_object_end(&json);
	}
	jsonw_list_end(&json);
}
