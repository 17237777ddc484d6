#include "dump/common/facts.h"

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "dump/common/cell.h"

static void add_sample(struct dump_facts *facts, uint64_t line, uint64_t offset, struct str text)
{
	if (facts->sample_count < MAX_SAMPLES)
		facts->samples[facts->sample_count++] = (struct dump_sample){ line, offset, shown(str_trim(text)) };
}

void dump_skip(struct dump_facts *facts, uint64_t line, struct str text)
{
	facts->skipped_lines++;
	facts->broken_rows += cell_is_figure_in(text);
	add_sample(facts, line, 0, text);
}

void dump_skip_row(struct dump_facts *facts, uint64_t line, struct str text)
{
	facts->skipped_lines++;
	facts->skipped_rows++;
	add_sample(facts, line, 0, text);
}

/* Events are often written over many lines: each run of blanks becomes one. */
void dump_skip_event(struct dump_facts *facts, uint64_t offset, struct str beginning)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(sizeof(facts->samples[0].beginning.text));

	facts->skipped_events++;
	for (size_t i = 0; i < beginning.len && !text.full; i++) {
		bool blank = memchr(" \n\r\t", beginning.ptr[i], 4);

		if (!blank || (text.len && text.ptr[text.len - 1] != ' '))
			buf_byte(&text, blank ? ' ' : beginning.ptr[i]);
	}
	add_sample(facts, 0, offset, buf_str(&text));
}

static const struct str copy_names[COPY_KINDS] = { STR("to-device"), STR("to-host"), STR("on-device"), STR("on-host"),
	STR("fill"), STR("unknown"), STR("call") };
const struct words copy_words = { copy_names, COPY_KINDS, COPY_UNKNOWN };
