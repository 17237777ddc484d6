#include "dump/trace/detail.h"

#include <cjson/cJSON.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"

enum { FIRST_BYTES = 64 };

static bool keep_detail(struct trace_detail *detail, struct str raw, size_t *room)
{
	if (raw.len > detail->capacity) {
		size_t capacity = raw.len < FIRST_BYTES ? FIRST_BYTES : raw.len;

		if (capacity - detail->capacity > *room)
			return false;
		*room -= capacity - detail->capacity;
		detail->raw = mem_resize(detail->raw, capacity, 1);
		detail->capacity = (uint32_t)capacity;
	}
	memcpy(detail->raw, raw.ptr, raw.len);
	detail->len = (uint32_t)raw.len;
	detail->clean = false;
	return true;
}

bool trace_detail_take(struct trace_detail *detail, struct str raw, size_t *room)
{
	struct str kept = trace_detail_raw(detail);

	if (str_eq(kept, raw))
		return true;
	if (raw.len > TRACE_MAX_DETAIL)
		return false;
	if (kept.len) {
		detail->varies = true;
		if (str_cmp(kept, raw) < 0)
			return true;
	}
	return keep_detail(detail, raw, room);
}

/* One blank behind each comma between values. */
static void put_spaced(struct buf *buf, struct str json)
{
	bool quoted = false;

	for (size_t i = 0; i < json.len; i++) {
		if (quoted && json.ptr[i] == '\\')
			buf_byte(buf, json.ptr[i++]);
		else
			quoted ^= json.ptr[i] == '"';
		buf_byte(buf, json.ptr[i]);
		if (!quoted && json.ptr[i] == ',')
			buf_byte(buf, ' ');
	}
}

struct str trace_detail_json(struct trace_detail *detail, struct buf *scratch)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(4 * TRACE_MAX_DETAIL);
	cJSON *list;
	char *printed;

	if (detail->clean || !detail->len)
		return trace_detail_raw(detail);
	buf_reset(scratch);
	utf8_repair(&text, trace_detail_raw(detail));
	list = cJSON_ParseWithLength(buf_text(&text), text.len);
	printed = cJSON_IsArray(list) ? cJSON_PrintUnformatted(list) : NULL;
	if (printed)
		put_spaced(scratch, str_from(printed));
	cJSON_free(printed);
	cJSON_Delete(list);
	detail->clean = str_eq(buf_str(scratch), trace_detail_raw(detail));
	return buf_str(scratch);
}
