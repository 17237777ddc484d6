/* Shapes: what comes out is JSON with as many numbers as there are sizes, and comes out the same again. */
#include <cjson/cJSON.h>

#include "base/memory/mem.h"
#include "op/shape.h"
#include "tests/fuzz/fuzz.h"

static size_t count_numbers(const cJSON *list, unsigned depth)
{
	size_t count = 0;
	const cJSON *item;

	HOLD(depth <= 3 && cJSON_IsArray(list));
	cJSON_ArrayForEach(item, list)
	{
		HOLD(depth > 1 || !cJSON_IsNumber(item));
		count += cJSON_IsNumber(item) ? 1 : count_numbers(item, depth + 1);
	}
	return count;
}

static size_t hold_json(struct str json)
{
	cJSON *root = cJSON_ParseWithLength(json.ptr, json.len);
	char *again = cJSON_PrintUnformatted(root);
	size_t count;

	HOLD(root && again);
	HOLD(str_eq(str_from(again), json));
	count = count_numbers(root, 1);
	cJSON_free(again);
	cJSON_Delete(root);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	struct arena arena = ARENA_INIT(1 << 24);
	CLEANUP(buf_clear) struct buf json = BUF_INIT(1 << 24), again = BUF_INIT(1 << 24);
	struct shape shape;
	bool parsed = shape_parse(&arena, text, &shape);

	if (shape_put_json(&json, text)) {
		size_t count = hold_json(buf_str(&json));

		HOLD(!parsed || (shape_text_is_cut(text) ? shape.count >= count : shape.count == count));
		HOLD(!shape_text_is_cut(buf_str(&json)));
		HOLD(shape_put_json(&again, buf_str(&json)) && str_eq(buf_str(&json), buf_str(&again)));
	} else {
		HOLD(!json.len && !parsed);
	}
	arena_clear(&arena);
	return 0;
}
