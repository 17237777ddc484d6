/* Annotations of GitHub Actions: commands on standard output, without findings that are waived. */
#include "report/ci/ci.h"

#include "base/memory/mem.h"

/* By severity. */
static const char *const commands[] = { "error", "warning", "notice" };

/* Bytes that would end the text or a property are written as %XX. */
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

static void put_finding(struct buf *out, const struct ci_finding *finding)
{
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

static void put_left(struct buf *out, enum lang lang, enum severity severity, size_t count)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	buf_printf(out, "::%s title=opcheck::", commands[severity]);
	put_escaped(out, catalog_say(&arena, lang, "report.annotations-cut", NUMBER("count", count)), false);
	buf_byte(out, '\n');
}

void ci_annotations(const struct ci_report *report, struct buf *out)
{
	enum { MOST = 10 }; /* of one command that GitHub shows in a step */
	size_t counts[ARRAY_SIZE(commands)] = { 0 };

	for (size_t i = 0; i < report->findings.count; i++)
		counts[report->findings.items[i].severity] += !report->findings.items[i].is_waived;
	for (size_t severity = 0; severity < ARRAY_SIZE(commands); severity++) {
		size_t left = counts[severity] > MOST ? MOST - 1 : counts[severity];

		for (size_t i = 0; i < report->findings.count && left; i++) {
			const struct ci_finding *finding = &report->findings.items[i];

			if (finding->severity != severity || finding->is_waived)
				continue;
			put_finding(out, finding);
			left--;
		}
		if (counts[severity] > MOST)
			put_left(out, report->lang, (enum severity)severity, counts[severity] - (MOST - 1));
	}
}
