/* Annotations of GitHub Actions: commands on standard output, without findings that are waived. */
#include "report/ci.h"

/* By severity. */
static const char *const commands[] = { "error", "warning", "notice" };

/* What would end the text, or a property, is written as %XX. */
static void put_escaped(struct buf *out, struct str text, bool is_property)
{
	for (size_t i = 0; i < text.len; i++) {
		char byte = text.ptr[i];

		if (byte == '%' || byte == '\r' || byte == '\n' || (is_property && (byte == ':' || byte == ',')))
			buf_printf(out, "%%%02X", (unsigned)byte);
		else
			buf_byte(out, byte);
	}
}

void ci_annotations(const struct ci_report *report, struct buf *out)
{
	for (size_t i = 0; i < report->findings.count; i++) {
		const struct ci_finding *finding = &report->findings.items[i];

		if (finding->is_waived)
			continue;
		buf_printf(out, "::%s title=", commands[finding->severity]);
		put_escaped(out, finding->rule, true);
		buf_add(out, STR(",file="));
		put_escaped(out, finding->file, true);
		if (finding->line)
			buf_printf(out, ",line=%llu", (unsigned long long)finding->line);
		buf_add(out, STR("::"));
		put_escaped(out, finding->text, false);
		if (finding->details.len) {
			buf_add(out, STR("%0A"));
			put_escaped(out, finding->details, false);
		}
		buf_byte(out, '\n');
	}
}
