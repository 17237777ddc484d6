#include "check/lookup/lookup_units.h"

#include "base/memory/mem.h"
#include "opdb/db/note.h"
#include "opdb/model/dtype.h"
#include "report/doc/doc_build.h"

/* Columns of marks: AI Core, AI CPU, host CPU, rejected. */
enum { MARK_AICORE, MARK_AICPU, MARK_HOST, MARK_REJECTED, MARKS };

/* As labels; NULL: none. */
static const char *const marks[UNIT_COUNT][MARKS] = {
	[UNIT_AICORE] = { "units.yes", NULL, NULL, NULL },
	[UNIT_HELPER] = { "units.yes", "units.helper", NULL, NULL },
	[UNIT_UNDECLARED] = { "units.undeclared", NULL, NULL, NULL },
	[UNIT_VARIES] = { "units.some", NULL, NULL, "units.some" },
	[UNIT_MIXED] = { "units.some", "units.some", NULL, NULL },
	[UNIT_AICPU] = { NULL, "units.yes", NULL, NULL },
	[UNIT_REJECTED] = { NULL, NULL, NULL, "units.yes" },
};

/* Types that are rejected nearly everywhere are shown where they are not. */
enum { RARE = DTYPE_COMPLEX32 | DTYPE_FP8 | DTYPE_UINT16 | DTYPE_UINT32 | DTYPE_UINT64 };

static struct str when_of(const struct doc *doc, const struct unit_answer *line)
{
	if (line->unit == UNIT_MIXED || line->unit == UNIT_HELPER)
		return doc->options.lang == LANG_ZH_CN ? line->when_zh : line->when_en;
	if (line->unit == UNIT_VARIES && !line->note.len)
		return doc_label_of(doc, "units.calls-differ");
	return line->unit == UNIT_AICPU ? line->kernels : line->note;
}

/* Types that the kernels run on one of the units, given as bits. */
static unsigned types_on(const struct answer *answer, unsigned units)
{
	unsigned types = 0;

	for (size_t i = 0; i < answer->units.count; i++)
		types |= units >> answer->units.lines[i].unit & 1 ? answer->units.lines[i].dtypes : 0;
	return types;
}

bool lookup_is_against_kernels(const struct answer *answer, const struct note *note)
{
	const unsigned core = 1u << UNIT_AICORE, slow = 1u << UNIT_AICPU | 1u << UNIT_MIXED | 1u << UNIT_HELPER;

	if (!answer->units.count)
		return false;
	if (note->kind == NOTE_AICPU && note->slow == DTYPE_ALL)
		return !types_on(answer, slow) && !answer->strided;
	if (note->kind == NOTE_AICPU)
		return note->slow & types_on(answer, core) & ~answer->strided;
	if (note->kind == NOTE_RUNS)
		return note->about & answer->units.refused;
	return note->kind == NOTE_DTYPES &&
	       (note->accepted & answer->units.refused || note->barred & types_on(answer, core | slow));
}

/* Types that one answer holds for: "fp32, fp16, bf16". */
static void put_unit_row(struct doc *doc, const struct answer *answer, const struct unit_answer *line)
{
	unsigned types = line->unit == UNIT_REJECTED ? line->dtypes & ~RARE : line->dtypes;

	if (!types)
		return;
	doc_row(doc);
	doc_cell_text(doc, dtypes_text(&doc->arena, types, ", "));
	for (size_t i = 0; i < MARKS; i++) {
		/* a kernel of the operator copies to the CPU and computes there */
		bool may_leave = i == MARK_HOST && line->unit != UNIT_REJECTED && answer->flags & FLAG_HOST_PATH;
		const char *mark = may_leave ? "units.some" : marks[line->unit][i];

		doc_cell_text(doc, mark ? doc_label_of(doc, mark) : STR(""));
	}
	doc_cell_text(doc, when_of(doc, line));
}

static const struct doc_column columns[] = {
	{ .gap = 2, .width = 11, .fit = COLUMN_SPILL, .label = "units.types" },
	{ .gap = 1, .width = 10, .label = "units.core" },
	{ .gap = 1, .width = 6, .label = "units.aicpu" },
	{ .gap = 1, .width = 8, .label = "units.host" },
	{ .gap = 1, .width = 8, .label = "units.rejected" },
	{ .gap = 1, .fit = COLUMN_WRAP, .label = "units.when" },
};
static const struct doc_table matrix = { .columns = columns, .count = ARRAY_SIZE(columns) };

/* Casts of op-plugin before it calls one kind of kernel. */
static void put_casts(struct doc *doc, const struct answer *answer, const char *title, bool acl_op)
{
	const struct npu_cast *cast = answer->units.casts;

	while (cast && cast->acl_op != acl_op)
		cast = cast->next;
	if (!cast)
		return;
	doc_say_label(doc, BLOCK_PARAGRAPH, title);
	doc_open(doc, BLOCK_LIST);
	for (; cast; cast = cast->next) {
		const char *id = cast->dtypes                          ? "cast-to-type"
				 : str_eq(cast->becomes, STR("dtype")) ? "cast-to-given"
								       : "cast-to-argument";

		if (cast->acl_op == acl_op)
			doc_say_with(doc, BLOCK_ITEM, id, BLANK("argument", cast->argument),
				BLANK("dtypes", dtypes_text(&doc->arena, cast->dtypes, ", ")),
				BLANK("becomes", cast->becomes));
	}
	doc_close(doc);
}

/* Between which types an operator that converts casts on the AI CPU. */
static void put_slow_casts(struct doc *doc, const struct answer *answer)
{
	if (!answer->units.slow_casts)
		return;
	doc_say_label(doc, BLOCK_PARAGRAPH, "kernel-slow-casts");
	doc_open(doc, BLOCK_LIST);
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		unsigned types = answer->units.slow_casts[i];

		if (types & ~(unsigned)RARE && !(RARE >> i & 1))
			doc_say_with(doc, BLOCK_ITEM, "slow-cast", BLANK("dtype", dtype_name(i)),
				BLANK("dtypes", dtypes_text(&doc->arena, types, ", ")));
	}
	doc_close(doc);
}

void lookup_put_units(struct doc *doc, const struct answer *answer)
{
	if (!answer->units.count)
		return;
	doc_say_with(doc, BLOCK_PARAGRAPH, answer->units.nearest ? "units.nearest-kernels" : "units.kernels",
		BLANK("cann", answer->units.cann));
	doc_table(doc, &matrix);
	for (size_t i = 0; i < answer->units.count; i++)
		put_unit_row(doc, answer, &answer->units.lines[i]);
	doc_table_end(doc);
	put_slow_casts(doc, answer);
	if (answer->units.calls_cann)
		put_casts(doc, answer, "kernel-casts", false);
	if (answer->units.compiles && answer->units.calls_cann)
		doc_say_label(doc, BLOCK_PARAGRAPH, "kernel-jit-compile");
	if (answer->units.compiles)
		put_casts(doc, answer, "kernel-acl-casts", true);
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < answer->units.evidence_count; i++) {
		doc_say_link(doc, BLOCK_ITEM, SPAN_PLAIN, answer->units.evidence[i].ref, STR(""));
	}
	doc_close(doc);
}
