#include "report/sections/snippet.h"

#include "base/memory/mem.h"

extern const char registrations_py[]; /* registrations.py, compiled in */

#define VERSION SNIPPET_VERSION
#define NEWEST SNIPPET_NEWEST

/*
 * The program, line by line, each with its range of versions. Differences: use_cuda became use_device in 2.1; columns
 * can be had uncut from 1.13; overload names from 2.8; row_limit=-1 lost a row up to 1.5; traces came with
 * torch.profiler in 1.8.1.
 */
static const struct {
	int from, to;
	const char *line;
} lines[] = {
	{ 0, NEWEST, "# Profiles a few steps and writes what opcheck reads: one uncut table a step, and a trace." },
	{ 0, NEWEST, "# Call profile_steps(step) with a function that runs one training step." },
	{ 0, NEWEST, "import torch" },
	{ VERSION(2, 8), NEWEST, "from torch._C._profiler import _ExperimentalConfig" },
	{ 0, NEWEST, "" },
	{ 0, NEWEST, "" },
	{ 0, NEWEST, "def profile_steps(step, steps=4, log=\"profiler.log\", trace=\"profiler.pt.trace.json\"):" },
	{ 0, VERSION(2, 0), "    device = {\"use_cuda\": torch.cuda.is_available()}" },
	{ VERSION(2, 1), NEWEST, "    device = {\"use_device\": \"cuda\"} if torch.cuda.is_available() else {}" },
	{ VERSION(2, 8), NEWEST,
		"    device[\"experimental_config\"] = _ExperimentalConfig(capture_overload_names=True)" },
	{ 0, NEWEST, "    with open(log, \"w\", encoding=\"utf-8\") as out:" },
	{ 0, NEWEST, "        for _ in range(steps):" },
	{ 0, NEWEST, "            with torch.autograd.profiler.profile(record_shapes=True, **device) as prof:" },
	{ 0, NEWEST, "                step()" },
	{ 0, VERSION(2, 7), "            rows = prof.key_averages(group_by_input_shape=True)" },
	{ VERSION(2, 8), NEWEST,
		"            rows = prof.key_averages(group_by_input_shape=True, group_by_overload_name=True)" },
	{ 0, VERSION(1, 12),
		"            out.write(rows.table(sort_by=\"self_cpu_time_total\", row_limit=1000000) + \"\\n\")" },
	{ VERSION(1, 13), NEWEST, "            out.write(rows.table(sort_by=\"self_cpu_time_total\", row_limit=-1," },
	{ VERSION(1, 13), NEWEST,
		"                                 max_name_column_width=None, max_shapes_column_width=None) + "
		"\"\\n\")" },
	{ VERSION(1, 8), NEWEST, "    if not trace:" },
	{ VERSION(1, 8), NEWEST, "        return" },
	{ VERSION(1, 8), NEWEST, "    with torch.profiler.profile(record_shapes=True) as prof:" },
	{ VERSION(1, 8), NEWEST, "        for _ in range(steps):" },
	{ VERSION(1, 8), NEWEST, "            step()" },
	{ VERSION(1, 8), NEWEST, "            prof.step()" },
	{ VERSION(1, 8), NEWEST, "    prof.export_chrome_trace(trace)" },
};

void snippet_put(struct buf *buf, int version)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (version >= lines[i].from && version <= lines[i].to)
			buf_printf(buf, "%s\n", lines[i].line);
	}
}

void snippet_put_registrations(struct buf *buf)
{
	buf_add(buf, str_from(registrations_py));
}
