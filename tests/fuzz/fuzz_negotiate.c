/* Accept and Accept-Language: whatever they say, one of the offers or none is chosen, and the same one again. */
#include "base/memory/mem.h"
#include "server/http/header.h"
#include "server/http/negotiate.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const offers[] = { "application/json", "text/html; charset=utf-8",
		"text/csv; charset=utf-8" };
	struct str text = fuzz_text(data, size);
	size_t chosen = negotiate_type(text, offers, ARRAY_SIZE(offers));
	enum lang lang = negotiate_lang(text);

	HOLD(chosen <= ARRAY_SIZE(offers));
	HOLD(chosen == negotiate_type(text, offers, ARRAY_SIZE(offers)));
	HOLD(size || chosen == ARRAY_SIZE(offers) || chosen == 0);
	HOLD(lang == LANG_EN || lang == LANG_ZH_CN);
	return 0;
}
