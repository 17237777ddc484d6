/* What tells of a device: the file beside a dump, the top of a trace, lines of a log. Texts are short and printable; names are views. */
#include "base/memory/mem.h"
#include "dump/common/device.h"
#include "dump/table/fallback.h"
#include "tests/fuzz/fuzz.h"

static void hold_text(const char text[static DEVICE_TEXT_BYTES])
{
	size_t len = strnlen(text, DEVICE_TEXT_BYTES);

	HOLD(len < DEVICE_TEXT_BYTES);
	for (size_t i = 0; i < len; i++)
		HOLD(text[i] >= ' ' && text[i] <= '~');
}

static void hold_facts(const struct device_facts *facts)
{
	hold_text(facts->torch);
	hold_text(facts->plugin);
	hold_text(facts->cann);
	hold_text(facts->chip);
	HOLD((facts->kind == DEVICE_UNKNOWN) == !facts->sign);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct str keys[] = { STR("deviceProperties"), STR("distributedInfo"),
		STR("musa_runtime_version") };
	static const enum json_kind kinds[] = { JSON_LIST, JSON_OBJECT, JSON_WORD, JSON_STRING };
	struct str text = fuzz_text(data, size);
	unsigned choice = fuzz_byte(&text);
	struct json_value value = { .kind = kinds[choice / 4 % 4], .raw = text };
	struct device_facts info = { 0 }, member = { 0 }, name = { 0 };
	struct fallback found;

	HOLD(device_observe_info(&info, text) == (info.kind == DEVICE_NPU));
	hold_facts(&info);
	device_observe_member(&member, keys[choice % 3], &value);
	hold_facts(&member);
	device_observe_name(&name, text);
	hold_facts(&name);
	if (fallback_find(text, &found)) {
		HOLD(found.name.ptr >= text.ptr && found.name.ptr + found.name.len <= text.ptr + text.len);
		HOLD(str_has(found.name, STR("::")));
	}
	return 0;
}
