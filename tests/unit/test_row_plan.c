/* The short way never reads a line differently from the careful one. */
#include "base/value/utf8.h"
#include "dump/table/row_plan.h"
#include "tests/unit/files.h"
#include "tests/unit/layouts.h"
#include "tests/unit/random.h"

struct comparison {
	size_t lines, taken, parsed;
	uint64_t seed;
};

/* Whatever the plan accepts, row_parse accepts with the same result. */
static void compare(struct comparison *all, const struct row_plan *plan, const struct layout *layout, struct str line)
{
	struct table_row quick, careful;

	if (!utf8_is_ascii(line))
		return;
	all->lines++;
	all->parsed += row_parse(layout, line, true, &careful);
	if (!plan->usable || !row_plan_run(plan, line, &quick))
		return;
	all->taken++;
	if (!row_parse(layout, line, true, &careful) || !rows_equal(&quick, &careful))
		fail_msg("read differently: \"%.*s\"", STR_ARG(line));
}

static void compare_line(void *ctx, const struct layout *layout, struct str line)
{
	struct row_plan plan;

	row_plan_make(&plan, layout);
	compare(ctx, &plan, layout, line);
}

/* Some bytes replaced, left out or doubled, or the end cut off. */
static struct str mutated(uint64_t *seed, struct str line, char *space)
{
	static const char bytes[] = "  0159.-%usmnbKMG[],aN|\t";
	size_t len = line.len, changes = 1 + random_below(seed, 3);

	memcpy(space, line.ptr, line.len);
	for (size_t i = 0; i < changes && len; i++) {
		size_t at = random_below(seed, len);

		switch (random_below(seed, 4)) {
		case 0:
			memmove(space + at, space + at + 1, len - at - 1);
			len--;
			break;
		case 1:
			memmove(space + at + 1, space + at, len - at);
			len++;
			break;
		case 2:
			len = random_below(seed, 8) ? len : at;
			break;
		default:
			space[at] = bytes[random_below(seed, sizeof(bytes) - 1)];
		}
	}
	return (struct str){ space, len };
}

static void compare_mutations(void *ctx, const struct layout *layout, struct str line)
{
	struct comparison *all = ctx;
	struct row_plan plan;
	char space[2000];

	row_plan_make(&plan, layout);
	for (size_t i = 0; i < 60 && line.len + 10 < sizeof(space); i++)
		compare(all, &plan, layout, mutated(&all->seed, line, space));
}

static const char *const fixtures[] = { "torch-1.13/resnet18.a-full.log", "torch-2.13/resnet50.a.log",
	"torch-2.13/compilemarks.a-full.log", "torch-2.13/lastbatch.a-full.log", "eras/1.0.log", "eras/1.2-cuda.log",
	"eras/1.5-npu.log", "eras/1.6-mem.log", "eras/1.6-node.log", "eras/1.7-cuda.log", "eras/1.8-flops.log",
	"eras/1.8-npu.log", "eras/1.11-node.log", "eras/1.13-source-flops.log", "eras/2.1-two-devices.log",
	"eras/2.1-npu-mem.log", "eras/2.4-none.log", "eras/2.5-musa-flops.log", "eras/2.9-overload.log",
	"eras/2.9-unit-s.log" };

static struct buf fixture_text(size_t index)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(1000);

	buf_printf(&path, "tests/fixtures/%s", fixtures[index]);
	return source_text(buf_text(&path));
}

static void all_rows_of_the_fixtures_are_read_alike(void **state)
{
	struct comparison all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(fixtures); i++) {
		CLEANUP(buf_clear) struct buf text = fixture_text(i);

		each_table_line(buf_str(&text), compare_line, &all);
	}
	assert_true(all.lines > 3000);
	/* most rows of tables since 1.7 take the short way */
	assert_true(all.taken > all.parsed * 8 / 10);
}

static void mutated_rows_are_read_alike(void **state)
{
	struct comparison all = { .seed = 17 };

	for (size_t i = 0; i < ARRAY_SIZE(fixtures); i++) {
		CLEANUP(buf_clear) struct buf text = fixture_text(i);
		struct str head = buf_str(&text);

		each_table_line(head.len > 30000 ? str_sub(head, 0, 30000) : head, compare_mutations, &all);
	}
	assert_true(all.taken > 1000);
	assert_true(all.parsed > all.taken);
}

static void layouts_that_need_care_have_no_plan(void **state)
{
	static const struct {
		const char *dashes, *header;
		bool usable;
	} cases[] = {
		{ "----------------  -------  -------", "Name              Self CPU  # of Calls", true },
		{ NULL, "Name              Self CPU  # of Calls", false },
		{ "x ----------------  -------  -------", "x Name              Self CPU  # of Calls", false },
		{ "----------------  -------  -------", "Name              Self CPU total  Number of Calls", false },
		{ "----------------  -------  -------  -------  -------",
			"Name              Self CPU  Self CUDA  Self NPU  # of Calls", false },
		{ "----------------  -------  -------  -------",
			"Name              Self CPU  # of Calls  Source Location", false },
		{ "----------------  -------  -------  -------", "Name              Self CPU  # of Calls  Node ID",
			false },
		{ "----------------  -------  -------  -------", "Name              Self CPU  # of Calls  Total FLOPs",
			false },
		/* sixteen bytes before the unit of a size are read */
		{ "--------  --------  -------", "Name      CPU Mem  # of Calls", false },
		{ "---------  --------  -------", "Name       CPU Mem  # of Calls", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dashes dashes;
		struct layout layout;
		struct row_plan plan;

		assert_true(!cases[i].dashes || dashes_parse(str_from(cases[i].dashes), &dashes));
		if (!layout_parse(str_from(cases[i].header), cases[i].dashes ? &dashes : NULL, &layout))
			continue;
		row_plan_make(&plan, &layout);
		assert_int_equal(plan.usable, cases[i].usable);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_rows_of_the_fixtures_are_read_alike),
		cmocka_unit_test(mutated_rows_are_read_alike),
		cmocka_unit_test(layouts_that_need_care_have_no_plan),
	};

	return run_group(tests);
}
