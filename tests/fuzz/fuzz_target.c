/* Targets as users write them, against the support database of OPCHECK_DB: what is found is found again by its id. */
#include "base/memory/mem.h"
#include "opdb/db/opdb.h"
#include "opdb/db/target.h"
#include "tests/fuzz/fuzz.h"

static const struct opdb *database(void)
{
	static struct opdb *db; /* for all inputs */
	struct err err = { 0 };

	if (!db)
		HOLD(opdb_open(getenv("OPCHECK_DB"), &db, &err) == 0);
	return db;
}

/* The first line is the target, the second the version of PyTorch. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = fuzz_text(data, size), spec = STR(""), torch = STR("");
	struct target found, again;
	struct err err = { 0 };
	int status;

	str_cut(&rest, '\n', &spec);
	str_cut(&rest, '\n', &torch);
	status = target_resolve(database(), spec, torch, &found, &err);
	HOLD(status == 0 || status == -ERR_TARGET || status == -ERR_AMBIGUOUS || status == -ERR_VALUE);
	if (status) {
		HOLD(err.text[0] && !strpbrk(err.text, "\x1b\n"));
		return 0;
	}
	HOLD(found.release && strlen(found.id) < TARGET_ID_BYTES);
	HOLD(target_resolve(database(), str_from(found.id), STR(""), &again, &err) == 0);
	HOLD(again.release == found.release && again.chip == found.chip && strcmp(again.id, found.id) == 0);
	return 0;
}
