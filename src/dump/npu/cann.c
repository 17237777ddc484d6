#include "dump/npu/cann.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"

/* --- tasks */

/* Spellings of CANN 6 to 8: "Accelerator Core" and "Task Type" of its tables and of trace_view.json. */
enum observed_where npu_task_unit(struct str task_type)
{
	static const struct str aicpu[] = { STR("AI_CPU"), STR("AICPU"), STR("KERNEL_AICPU") };
	static const struct str untold[] = { STR(""), STR("N/A"), STR("Other") };

	if (ANY(i, ARRAY_SIZE(aicpu), str_eq(task_type, aicpu[i])))
		return OBSERVED_ON_AICPU;
	if (ANY(i, ARRAY_SIZE(untold), str_eq(task_type, untold[i])))
		return OBSERVED_ON_DEVICE;
	return OBSERVED_ON_AICORE;
}

struct str npu_task_launch(struct str task_name)
{
	struct str rest = task_name, call;

	if (!str_starts(task_name, STR("aclnn")))
		return STR("");
	str_cut(&rest, '_', &call);
	return call;
}

void npu_count_aicpu(struct dump_facts *facts, struct str name, uint64_t calls)
{
	struct shown text = shown(name);

	facts->aicpu_calls += calls;
	for (unsigned i = 0; i < facts->aicpu_type_count; i++) {
		if (strcmp(facts->aicpu_types[i].text, text.text) == 0)
			return;
	}
	if (facts->aicpu_type_count < MAX_SAMPLES)
		facts->aicpu_types[facts->aicpu_type_count++] = text;
}

/* --- shapes */

/* Allowed sequences: a size needs a digit, a comma separates sizes. */
enum place { ARGUMENT, AFTER_COMMA, AFTER_SIGN, IN_SIZE };

/* Writes into room for four bytes a byte of text and four more. Returns how many; 0 for text that is no shapes. */
static size_t write_shapes(char *to, struct str text)
{
	enum place place = ARGUMENT;
	char *at = to;

	memcpy(at, "[[", 2);
	at += 2;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (is_digit(c)) {
			place = IN_SIZE;
			*at++ = c;
		} else if (c == ',' && place == IN_SIZE) {
			place = AFTER_COMMA;
			memcpy(at, ", ", 2);
			at += 2;
		} else if (c == ';' && (place == IN_SIZE || place == ARGUMENT)) {
			place = ARGUMENT;
			memcpy(at, "], [", 4);
			at += 4;
		} else if (c == '-' && (place == ARGUMENT || place == AFTER_COMMA)) {
			place = AFTER_SIGN;
			*at++ = c;
		} else if (place != ARGUMENT || !memchr(" \r\n\t", c, 4)) {
			return 0;
		}
	}
	memcpy(at, "]]", 2);
	return place == IN_SIZE || place == ARGUMENT ? (size_t)(at - to) + 2 : 0;
}

bool npu_shape_put(struct buf *buf, struct str text)
{
	enum { USUAL = 512 };
	char usual[USUAL * 4 + 4];
	char *space = text.len > USUAL ? mem_resize(NULL, text.len + 1, 4) : usual;
	size_t len = write_shapes(space, text);

	buf_add(buf, (struct str){ space, len });
	if (space != usual)
		free(space);
	return len > 0;
}
