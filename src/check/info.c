#include "check/info.h"

#include "base/mem.h"
#include "io/source.h"

void info_read(const char *path, const struct limits *limits, struct device_facts *facts)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT((size_t)limits->info_bytes);
	struct source *source;
	struct str chunk;
	struct err err = { 0 };
	int status = source_open(path, limits, &source, &err);

	if (status)
		return;
	source_skip_digest(source);
	while ((status = source_next(source, &chunk, &err)) == 1 && !text.full)
		buf_add(&text, chunk);
	source_close(source);
	if (!status && !text.full)
		device_see_info(facts, buf_str(&text));
}
