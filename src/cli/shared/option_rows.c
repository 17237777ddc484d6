#include "cli/shared/option_rows.h"

#include "assess/model/words.h"
#include "base/value/utf8.h"
#include "report/report.h"

int common_set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct common_options *)ctx)->limits, value, err);
}

int common_set_format(void *ctx, struct str value, struct err *err)
{
	return outputs_set_format(&((struct common_options *)ctx)->outputs, value, err);
}

int common_add_output(void *ctx, struct str value, struct err *err)
{
	return outputs_add(&((struct common_options *)ctx)->outputs, value, err);
}

int common_add_verbose(void *ctx, struct str value UNUSED, struct err *err UNUSED)
{
	((struct common_options *)ctx)->verbose++;
	return 0;
}

int common_set_severity(void *ctx, struct str value, struct err *err)
{
	unsigned least;

	if (!word_find(&severity_words, value, &least))
		return err_set(err, ERR_VALUE, "--severity is error, warning or note, not '%s'", shown(value).text);
	((struct common_options *)ctx)->render.severities = (2u << least) - 1;
	return 0;
}

int common_set_section(void *ctx, struct str value, struct err *err)
{
	CLEANUP(buf_clear) struct buf known = BUF_INIT(400);

	((struct common_options *)ctx)->render.section = value;
	if (report_has_section(value))
		return 0;
	report_put_sections(&known);
	err_set(err, ERR_VALUE, "a report has no section '%s'", shown(value).text);
	return err_hint(err, "choose one of %s", buf_text(&known));
}

int common_add_assumption(void *ctx, const char *name UNUSED, struct str value, struct err *err)
{
	return assumption_list_add(&((struct common_options *)ctx)->assumptions, value, err);
}
