/* Rows that differ in their figures alone are told as one. */
#include "dump/npu/csv_sums.h"

#include <stdlib.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "tests/unit/check.h"

static void put_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_printf(ctx, "%u %.*s %.*s %llu %lld %lld %lld\n", stream, STR_ARG(rows[i].name),
			STR_ARG(rows[i].shapes), (unsigned long long)rows[i].calls, (long long)rows[i].self_cpu_ns,
			(long long)rows[i].cpu_total_ns, (long long)rows[i].self_device_ns);
}

static void take(struct csv_sums *sums, const char *name, const char *cell, int64_t ns)
{
	struct csv_sum *sum = csv_sums_find(sums, str_from(name), str_from(cell));

	if (!sum)
		sum = csv_sums_add(sums, 3, str_from(name), str_from(cell), STR("[[2]]"));
	sum->calls++;
	sum->self_cpu_ns += ns;
}

static void rows_are_told_once_in_order(void **state)
{
	CLEANUP(buf_clear) struct buf told = BUF_INIT(10000);
	struct event_sink sink = { .ctx = &told, .rows = put_rows };
	struct csv_sums *sums = csv_sums_new(&sink);

	take(sums, "b", "2", 5);
	take(sums, "a", "2", 1);
	take(sums, "b", "2", 6);
	take(sums, "b", "", 7);
	take(sums, "b2", "", 8);
	csv_sums_emit(sums, 3);
	assert_str(buf_str(&told), "3 b [[2]] 2 11 0 0\n3 a [[2]] 1 1 0 0\n3 b [[2]] 1 7 0 0\n3 b2 [[2]] 1 8 0 0\n");
	buf_reset(&told);
	take(sums, "b", "2", 5);
	csv_sums_emit(sums, 3);
	csv_sums_emit(sums, 3);
	assert_str(buf_str(&told), "3 b [[2]] 1 5 0 0\n");
	csv_sums_free(sums);
}

static void count_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	uint64_t *sum = ctx;

	for (size_t i = 0; i < count; i++)
		*sum += rows[i].calls;
}

static void many_different_rows_are_told_on_the_way(void **state)
{
	uint64_t told = 0;
	struct event_sink sink = { .ctx = &told, .rows = count_rows };
	struct csv_sums *sums = csv_sums_new(&sink);
	char name[32];

	for (unsigned i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "name %u", i);
		take(sums, name, "", 1);
	}
	assert_true(told > 50000 && told < 100000);
	csv_sums_emit(sums, 0);
	assert_int_equal(told, 100000);
	csv_sums_free(sums);
}

static void check_lengths(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	uint64_t *bytes = ctx;

	for (size_t i = 0; i < count; i++) {
		assert_int_equal(rows[i].name.ptr[rows[i].name.len - 1], 'z');
		*bytes += rows[i].name.len;
	}
}

static void a_row_longer_than_all_others_together_is_kept_whole(void **state)
{
	enum { LONG = 3 << 20 };
	uint64_t bytes = 0;
	struct event_sink sink = { .ctx = &bytes, .rows = check_lengths };
	struct csv_sums *sums = csv_sums_new(&sink);
	char *name = mem_zalloc(LONG + 1);

	memset(name, 'y', LONG);
	take(sums, "z", "", 1);
	name[LONG - 1] = 'z';
	take(sums, name, "", 1);
	take(sums, "yz", "", 1);
	csv_sums_emit(sums, 0);
	assert_int_equal(bytes, LONG + 3);
	free(name);
	csv_sums_free(sums);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_told_once_in_order),
		cmocka_unit_test(many_different_rows_are_told_on_the_way),
		cmocka_unit_test(a_row_longer_than_all_others_together_is_kept_whole),
	};

	return run_group(tests);
}
