/* Packs after decompression: refused in one line, or the database lies inside the bytes and its digest fits. */
#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "check/database/pack.h"
#include "tests/fuzz/fuzz.h"

static void hold_inside(const struct pack *pack, struct str part)
{
	HOLD(part.ptr >= pack->content.ptr && part.ptr + part.len <= pack->content.ptr + pack->content.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pack pack = { .content = BUF_UNLIMITED };
	struct err err = { 0 };
	int status;

	buf_add(&pack.content, fuzz_text(data, size));
	status = pack_take_apart(&pack, &err);
	HOLD(status == 0 || status == -ERR_DB_KIND || status == -ERR_DB_VERSION || status == -ERR_DB_DAMAGED);
	HOLD(status == 0 || (err.text[0] && !strpbrk(err.text, "\x1b\n")));
	if (status == 0) {
		hold_inside(&pack, pack.manifest);
		hold_inside(&pack, pack.database);
		HOLD(pack.build[0] && strlen(pack.facts_sha256) < SHA256_HEX_BYTES);
	}
	pack_clear(&pack);
	return 0;
}
