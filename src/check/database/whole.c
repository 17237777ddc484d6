#include "check/database/whole.h"

#include "base/value/utf8.h"
#include "io/source.h"

int whole_read(const char *path, const struct limits *limits, struct buf *ret, struct err *err)
{
	struct limits bounded = *limits;
	struct source *source;
	struct str chunk;
	int status;

	bounded.input_bytes = ret->max_bytes;
	status = source_open(path, &bounded, &source, err);
	if (status)
		return err_file(err, shown(str_from(path)).text);
	while ((status = source_next(source, &chunk, err)) == 1)
		buf_add(ret, chunk);
	if (!status && source_facts(source)->damaged)
		status = err_set(err, ERR_DB_DAMAGED, "the file is cut or damaged");
	source_close(source);
	return status ? err_file(err, shown(str_from(path)).text) : 0;
}
