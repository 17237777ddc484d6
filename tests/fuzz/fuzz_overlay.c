/* Overlays, over the support database of OPCHECK_DB: refused with a position, or every answer still has a status. */
#include "base/memory/mem.h"
#include "opdb/db/opdb.h"
#include "opdb/db/overlay.h"
#include "opdb/resolve/resolve.h"
#include "tests/fuzz/fuzz.h"

static void ask(struct opdb *db)
{
	static const char *const specs[] = { "npu", "npu@v1.11.0-5.0.0:910A", "musa@v2.7.1" };
	struct resolver *resolver = resolver_new(db);

	for (size_t i = 0; i < ARRAY_SIZE(specs); i++) {
		struct err err = { 0 };
		struct target target;
		struct answer answer;

		HOLD(target_resolve(db, str_from(specs[i]), STR(""), &target, &err) == 0);
		HOLD(resolve_base(resolver, &target, &(struct op_query){ .ns = STR("aten"), .base = STR("mm") },
			     &answer, &err) == 0);
		HOLD(answer.status < OP_STATUS_COUNT);
		for (size_t n = 0; n < answer.site_limit_count; n++)
			HOLD(answer.site_limits[n].text.len && answer.site_limits[n].status < OP_STATUS_COUNT);
		for (size_t n = 0; n < answer.evidence_count; n++)
			HOLD(answer.evidence[n].ref.len || answer.evidence[n].text.len);
	}
	resolver_free(resolver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct opdb *db = NULL;
	struct err err = { 0 };
	size_t count;
	int status;

	HOLD(opdb_open(getenv("OPCHECK_DB"), &db, &err) == 0);
	status = opdb_add_overlay_text(db, STR("fuzz.tsv"), fuzz_text(data, size), &err);
	HOLD(status == 0 || (status == -ERR_FACT && err.where[0] && err.text[0] && !strpbrk(err.text, "\x1b\n")));
	opdb_overlays(db, &count);
	HOLD(count == (status == 0));
	ask(db);
	opdb_close(db);
	return 0;
}
