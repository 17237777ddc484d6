/* The reader of torch_npu's database: bytes as the file. It reads them or refuses them in one line, within its limits. */
#include <limits.h>
#include <unistd.h>

#include "dump/npu/db.h"
#include "tests/fuzz/readers.h"
#include "tests/unit/temporary.h"

static void write_all(int fd, struct str bytes)
{
	for (ssize_t put; bytes.len; bytes = str_skip(bytes, (size_t)put)) {
		put = write(fd, bytes.ptr, bytes.len);
		HOLD(put > 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(buf_clear) struct buf events = BUF_INIT(1 << 26);
	char path[PATH_MAX]; /* SQLite wants a file with a name */
	struct limits limits = limits_default();
	struct dump_facts facts;
	struct err err = { 0 };
	int fd = mkstemp(temporary_path(path, sizeof(path))), status;

	HOLD(fd >= 0);
	write_all(fd, fuzz_text(data, size));
	close(fd);
	limits.csv_cell_bytes = 4096;
	limits.database_steps = 2;
	status = record_file(path, &limits, &events, &facts, &err);
	unlink(path);
	HOLD(status <= 0);
	HOLD(status == 0 || (err.text[0] && !strpbrk(err.text, "\x1b\n")));
	HOLD(status != 0 || strcmp(facts.format, "npu-db") != 0 || facts.tables == 1);
	return 0;
}
