/* Lines of dashes and headers, prefixes before them, and what they say of a version. */
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "dump/table/era.h"
#include "dump/table/layout.h"
#include "dump/table/prefix.h"
#include "tests/fuzz/fuzz.h"

static void hold_dashes(struct str text, const struct dashes *dashes)
{
	uint32_t end = dashes->offset;

	HOLD(dashes->count >= 3 && dashes->count <= MAX_COLUMNS && dashes->offset_bytes < text.len);
	HOLD(dashes->offset == utf8_points(str_sub(text, 0, dashes->offset_bytes)));
	for (int i = 0; i < dashes->count; i++) {
		HOLD(dashes->runs[i].start >= end && dashes->runs[i].end > dashes->runs[i].start);
		end = dashes->runs[i].end;
	}
	HOLD(end <= utf8_points(text));
}

static void hold_layout(const struct layout *layout)
{
	HOLD(layout->count >= 3 && layout->count <= MAX_COLUMNS && layout->columns[0].role == ROLE_NAME);
	for (int role = 0; role < ROLE_COUNT; role++) {
		int at = layout->at[role];

		HOLD(at == NO_COLUMN || (at >= 0 && at < layout->count && layout->columns[at].role == (enum role)role));
	}
	HOLD(layout->at[ROLE_CALLS] != NO_COLUMN);
}

static void try_era(const struct layout *layout)
{
	struct era era = era_any();
	char text[24];

	era_narrow_by_layout(&era, layout);
	era_text(&era, text, sizeof(text));
	HOLD(strlen(text) < sizeof(text));
}

static void try_prefix(struct str text, struct str next)
{
	struct prefix prefix;
	CLEANUP(buf_clear) struct buf label = BUF_INIT(MAX_PREFIX_BYTES);
	size_t len;

	if (!prefix_learn(&prefix, text))
		return;
	HOLD(prefix_match(&prefix, text) == text.len || text.len > 32);
	len = prefix_match(&prefix, next);
	HOLD(len == STR_NONE || len <= next.len);
	prefix_label(&prefix, &label);
	HOLD(!label.full);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = fuzz_text(data, size), first, second = STR("");
	struct dashes dashes;
	struct layout layout;
	bool dashed;
	size_t bad_at;

	if (!utf8_valid(rest, &bad_at) || !str_cut(&rest, '\n', &first))
		return 0;
	str_cut(&rest, '\n', &second);
	dashed = dashes_parse(first, &dashes);
	if (dashed)
		hold_dashes(first, &dashes);
	dashes_only(first);
	try_prefix(dashed ? str_sub(first, 0, dashes.offset_bytes) : first, second);
	if (layout_parse(second, dashed ? &dashes : NULL, &layout)) {
		hold_layout(&layout);
		try_era(&layout);
	}
	if (layout_guess(first, &layout))
		hold_layout(&layout);
	return 0;
}
