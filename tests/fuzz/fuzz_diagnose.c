/* A log: what is said of it is JSON and UTF-8, and two readings of it say the same. */
#include <cjson/cJSON.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/value/utf8.h"
#include "diagnose/diagnosis.h"
#include "diagnose/diagnosis_put.h"
#include "opdb/db/opdb.h"
#include "tests/fuzz/fuzz.h"

static const struct opdb *the_database(void)
{
	static struct opdb *db;
	struct err err = { 0 };

	if (!db)
		HOLD(opdb_open(getenv("OPCHECK_DB"), &db, &err) == 0);
	return db;
}

/* What is said of the log in that descriptor, in every form. */
static void put_answers(int fd, struct buf *json, struct buf *others)
{
	struct limits limits = limits_default();
	struct diagnosis diagnosis;
	struct err err = { 0 };
	char path[64];
	int status;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	HOLD(diagnosis_open(&limits, &diagnosis, &err) == 0);
	status = diagnosis_read(&diagnosis, path, &limits, &err);
	HOLD(status == 0 || (status == -err.code && err.text[0]));
	diagnosis_compare(&diagnosis, the_database());
	HOLD(diagnosis_name_kernels(&diagnosis, the_database(), &err) == 0);
	diagnosis_put_json(&diagnosis, NULL, json);
	diagnosis_put_text(&diagnosis, NULL, LANG_EN, others);
	diagnosis_put_text(&diagnosis, NULL, LANG_ZH_CN, others);
	diagnosis_put_csv(&diagnosis, others);
	diagnosis_clear(&diagnosis);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(buf_clear) struct buf json = BUF_UNLIMITED, others = BUF_UNLIMITED, again = BUF_UNLIMITED;
	int fd = memfd_create("log", MFD_CLOEXEC);
	size_t bad;
	cJSON *tree;

	HOLD(fd >= 0 && (!size || write(fd, data, size) == (ssize_t)size));
	put_answers(fd, &json, &others);
	HOLD(utf8_valid(buf_str(&json), &bad) && utf8_valid(buf_str(&others), &bad));
	tree = cJSON_ParseWithLength(json.ptr, json.len);
	HOLD(tree);
	cJSON_Delete(tree);
	put_answers(fd, &again, &others);
	HOLD(str_eq(buf_str(&json), buf_str(&again)));
	close(fd);
	return 0;
}
