/* Parts of a profile, one a dump, that are merged: the same profile as when all dumps are read into one. */
#include "op/profile_merge.h"
#include "op/profile_links.h"
#include "base/memory/buf.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"
#include "tests/unit/sheets.h"

enum { MOST_DUMPS = 5, MOST_TABLES = 5, MOST_ROWS = 12 };

/* What one trial tells, drawn from a seed, so that it can be told twice. */
struct trial {
	uint64_t seed;
	size_t dumps;
	struct limits limits;
};

static void put_row(const struct event_sink *sink, unsigned stream, uint64_t *random, bool coarse, uint32_t step)
{
	static const char *const names[] = { "aten::add", "aten::mul", "aten::mm", "my label", "cudaLaunchKernel",
		"aten::_scaled_dot_...", "ProfilerStep#3", "TorchDynamo Cache Lookup", "Optimizer.step#SGD.step",
		"aten::cat" };
	static const char *const shapes[] = { "[[2]]", "[[3]]", "[[2, 2], []]", "[[4" };
	size_t which = random_below(random, ARRAY_SIZE(names)), shape = random_below(random, ARRAY_SIZE(shapes));
	struct op_row row = { .name = str_from(names[which]),
		.overload = STR(""),
		.dtypes = STR(""),
		.strides = STR(""),
		.concrete = STR(""),
		.step = step,
		.shapes = coarse ? STR("") : str_from(shapes[shape]),
		.name_cut = which == 5,
		.shapes_cut = !coarse && shape == 3 };

	row.strides = random_below(random, 3) ? STR("") : str_from(shapes[random_below(random, 2)]);
	row.concrete = random_below(random, 4) ? STR("") : str_from(names[random_below(random, 3)]);
	row.calls = 1 + random_below(random, 9);
	row.self_cpu_ns = (int64_t)(100001 + random_below(random, 800000));
	row.cpu_total_ns = row.self_cpu_ns * 2;
	row.self_device_ns = (int64_t)random_below(random, 1000);
	sink->rows(sink->ctx, stream, &row, 1);
}

static void put_more(const struct event_sink *sink, unsigned stream, uint64_t *random)
{
	static const char *const names[] = { "aten::add", "aten::mul", "aten::mm" };
	struct op_link link = { str_from(names[random_below(random, 3)]), str_from(names[random_below(random, 3)]), 1,
		2, 3 };
	struct op_turn turns[3];

	for (size_t i = 0; i < ARRAY_SIZE(turns); i++) {
		struct op_row row = { .name = str_from(names[random_below(random, 3)]),
			.overload = STR(""),
			.shapes = STR("[[2]]"),
			.dtypes = STR(""),
			.strides = STR(""),
			.concrete = STR(""),
			.calls = 1 };

		turns[i] = (struct op_turn){ row.name, row.overload, row.shapes, row.dtypes, .depth = (uint32_t)i };
		sink->rows(sink->ctx, stream, &row, 1);
	}
	sink->links(sink->ctx, stream, (enum relation)random_below(random, RELATION_COUNT), &link, 1);
	sink->order(sink->ctx, stream, turns, 1 + random_below(random, ARRAY_SIZE(turns)));
}

/* One table of few: the same ones come again, in whole or without their shapes, as users print a step twice. */
static void put_table(const struct event_sink *sink, unsigned stream, uint64_t *random, uint64_t trial)
{
	enum { DIFFERENT = 6 };
	uint64_t which = random_below(random, DIFFERENT), content = trial + which, kind = random_below(random, 8);
	bool coarse = kind == 0, stepped = which == 5, tasks = which == 4;
	struct table_end end = { .footer_cpu_ns = which % 2 ? (int64_t)(1234567 + which * 1000) : -1,
		.footer_device_ns = -1,
		.share_ppm = -1,
		.has = WHOLE,
		.steps = stepped ? 3 : 0 };
	size_t rows = 1 + random_below(&content, MOST_ROWS);

	sink->table_begin(sink->ctx, stream,
		stepped  ? TABLE_STEPPED
		: tasks  ? TABLE_DEVICE_TASKS
		: coarse ? PLAIN
			 : WHOLE | (which == 3 ? TABLE_NO_STEPS : 0));
	for (size_t i = 0; i < rows; i++)
		put_row(sink, stream, &content, coarse, stepped ? (uint32_t)(i % 4) : 0);
	if (stepped)
		put_more(sink, stream, &content);
	sink->table_end(sink->ctx, stream, &end);
}

static void put_dump(const struct event_sink *sink, const struct trial *trial, size_t dump)
{
	uint64_t random = trial->seed * 1000 + dump;
	size_t tables = random_below(&random, MOST_TABLES);
	unsigned streams[2] = { sink->stream(sink->ctx, STR("")), 0 };
	size_t stream_count = 1 + random_below(&random, 2);

	if (stream_count == 2)
		streams[1] = sink->stream(sink->ctx, STR("[rank1]"));
	for (size_t i = 0; i < tables; i++)
		put_table(sink, streams[random_below(&random, stream_count)], &random, trial->seed * 100000);
}

static struct str prefix_of(const struct trial *trial, size_t dump)
{
	return trial->seed % 3 == dump % 2 ? STR("rank7") : STR("");
}

static struct profile *read_into_one(const struct trial *trial)
{
	struct profile *profile = profile_new(&trial->limits);

	for (size_t i = 0; i < trial->dumps; i++) {
		struct event_sink sink = profile_sink(profile, prefix_of(trial, i));

		put_dump(&sink, trial, i);
	}
	profile_finish(profile);
	return profile;
}

static struct profile *part_of(const struct trial *trial, size_t dump)
{
	struct profile *part = profile_new(&trial->limits);
	struct event_sink sink;

	profile_be_part(part);
	sink = profile_sink(part, STR(""));
	put_dump(&sink, trial, dump);
	return part;
}

static struct profile *read_into_parts(const struct trial *trial)
{
	struct profile *profile = profile_new(&trial->limits), *parts[MOST_DUMPS];

	for (size_t i = trial->dumps; i-- > 0;)
		parts[i] = part_of(trial, i);
	for (size_t i = 0; i < trial->dumps; i++) {
		profile_merge(profile, parts[i], prefix_of(trial, i));
		profile_free(parts[i]);
	}
	profile_finish(profile);
	return profile;
}

static void put_uses(struct buf *text, const struct profile *profile)
{
	size_t count, names;
	const struct profile_use *uses = profile_uses(profile, &count);
	const struct profile_name *name = profile_names(profile, &names);

	for (size_t i = 0; i < count; i++) {
		buf_printf(text, "%.*s %d %.*s %d ", STR_ARG(use_strides(&uses[i])), uses[i].strides_vary,
			STR_ARG(use_concrete(&uses[i])), uses[i].concrete_varies);
		buf_printf(text, "%u %.*s %.*s%s %llu %lld %lld %lld in %s%s\n", uses[i].stream,
			STR_ARG(name[uses[i].name].text), STR_ARG(uses[i].shapes), uses[i].shapes_cut ? " cut" : "",
			(unsigned long long)uses[i].calls, (long long)uses[i].self_cpu_ns,
			(long long)uses[i].cpu_total_ns, (long long)uses[i].self_device_ns, steps_text(&uses[i].steps),
			uses[i].steps.coarse ? " coarse" : "");
	}
	for (size_t i = 0; i < names; i++)
		buf_printf(text, "%.*s: %llu\n", STR_ARG(name[i].text), (unsigned long long)name[i].calls);
}

static void put_links(struct buf *text, const struct profile *profile)
{
	for (size_t i = 0; i < RELATION_COUNT; i++) {
		size_t count;
		const struct op_link *links = profile_links(profile, (enum relation)i, &count);

		for (size_t j = 0; j < count; j++)
			buf_printf(text, "%s %.*s > %.*s: %llu %lld %lld\n", relation_text((enum relation)i),
				STR_ARG(links[j].name), STR_ARG(links[j].other), (unsigned long long)links[j].calls,
				(long long)links[j].self_cpu_ns, (long long)links[j].self_device_ns);
	}
}

static void put_order(struct buf *text, const struct profile *profile, uint32_t stream)
{
	size_t count;
	const struct profile_turn *turns = profile_order(profile, stream, &count);

	for (size_t i = 0; i < count; i++)
		buf_printf(text, "%u at %u, ", turns[i].use, turns[i].depth);
	buf_byte(text, '\n');
}

/* All that a profile says, as text. */
static struct buf profile_text(const struct profile *profile, size_t dumps)
{
	struct buf text = BUF_INIT(1 << 22);
	size_t count;
	const struct profile_stream *streams = profile_streams(profile, &count);

	put_uses(&text, profile);
	put_links(&text, profile);
	for (size_t i = 0; i < count; i++)
		put_order(&text, profile, (uint32_t)i);
	for (size_t i = 0; i < count; i++)
		buf_printf(&text,
			"stream %.*s: %u steps, %u views, %u averaged, %u stepless, has %x lacks %x, compiling %s\n",
			STR_ARG(streams[i].label), streams[i].steps, streams[i].views, streams[i].averaged,
			streams[i].stepless, streams[i].has, streams[i].lacks, steps_text(&streams[i].compiling));
	for (size_t i = 0; i < dumps; i++)
		buf_printf(&text, "dump %u steps %u ranks\n", profile_dump(profile, i).steps,
			profile_dump(profile, i).ranks);
	buf_printf(&text, "%llu over, compiled %d\n", (unsigned long long)profile_calls_over_cap(profile),
		profile_has_compiled(profile));
	return text;
}

/* The line in which a text stops to be another one. */
static struct str first_difference(struct str text, struct str other)
{
	size_t same = 0, begin = 0;
	struct str line;

	while (same < text.len && same < other.len && text.ptr[same] == other.ptr[same])
		same++;
	for (size_t i = 0; i < same; i++)
		begin = text.ptr[i] == '\n' ? i + 1 : begin;
	text = str_skip(text, begin);
	str_cut(&text, '\n', &line);
	return line;
}

static void parts_make_the_profile_that_one_reading_makes(void **state)
{
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		uint64_t random = seed;
		struct trial trial = {
			.seed = seed, .dumps = 1 + random_below(&random, MOST_DUMPS), .limits = limits_default()
		};
		struct profile *one = read_into_one(&trial), *merged = read_into_parts(&trial);
		CLEANUP(buf_clear)
		struct buf expected = profile_text(one, trial.dumps), found = profile_text(merged, trial.dumps);

		if (!str_eq(buf_str(&found), buf_str(&expected)))
			fail_msg("seed %llu: \"%.*s\" is not \"%.*s\"", (unsigned long long)seed,
				STR_ARG(first_difference(buf_str(&found), buf_str(&expected))),
				STR_ARG(first_difference(buf_str(&expected), buf_str(&found))));
		profile_free(one);
		profile_free(merged);
	}
}

static struct profile *merged(const struct limits *limits, const char *const *dumps, size_t count)
{
	struct profile *profile = profile_new(limits);

	for (size_t i = 0; i < count; i++) {
		struct profile *part = profile_new(limits);
		struct event_sink sink;

		profile_be_part(part);
		sink = profile_sink(part, STR(""));
		feed_steps(&sink, "", dumps[i]);
		profile_merge(profile, part, STR(""));
		profile_free(part);
	}
	profile_finish(profile);
	return profile;
}

static void caps_hold_over_all_parts_and_no_call_is_lost(void **state)
{
	static const char *const dumps[] = {
		"aten::add [[1]] x1; aten::mul [[1]] x2; label a x3 | aten::add [[1]] x4; aten::mm [[1]] x5",
		"aten::add [[2]] x10; aten::mul [[1]] x20; label b x30 | aten::cat [[1]] x40; label c x50 | aten::mm "
		"[[9]] x60"
	};
	struct limits limits = limits_default();
	struct profile *profile;
	size_t count;

	limits.operators = limits.shapes = 3;
	limits.names = 2;
	profile = merged(&limits, dumps, ARRAY_SIZE(dumps));
	profile_uses(profile, &count);
	assert_int_equal(count, 3 + 2 + 1);
	assert_int_equal(profile_calls_over_cap(profile), 10 + 40 + 60);
	assert_int_equal(use_find(profile, 0, "aten::mul", "", "[[1]]")->calls, 22);
	assert_int_equal(use_find(profile, 0, "label b", "", "")->calls, 30);
	assert_int_equal(use_find(profile, 0, "(further names: label)", "", "")->calls, 50);
	profile_free(profile);
}

static void a_step_that_two_dumps_show_is_counted_once(void **state)
{
	static const char *const dumps[] = { "aten::add [[1]] =1.234; aten::mul [[2]] =2.345; aten::mm [[3]] =3.456",
		"aten::mm [[3]] =3.456; aten::mul [[2]] =2.345; aten::add [[1]] =1.234 | aten::add [[1]] =7.891" };
	struct limits limits = limits_default();
	struct profile *profile = merged(&limits, dumps, ARRAY_SIZE(dumps));

	assert_int_equal(use_find(profile, 0, "aten::add", "", "[[1]]")->calls, 2);
	assert_int_equal(profile_dump(profile, 0).steps, 1);
	assert_int_equal(profile_dump(profile, 1).steps, 1);
	profile_free(profile);
}

static void put_pair(const struct event_sink *sink, unsigned stream, const char *first, const char *second)
{
	struct table_end end = { .footer_cpu_ns = -1, .footer_device_ns = -1, .share_ppm = -1 };
	struct op_row rows[] = { { .name = str_from(first), .calls = 1, .self_cpu_ns = 1001 },
		{ .name = str_from(second), .calls = 1, .self_cpu_ns = 2002 } };

	sink->table_begin(sink->ctx, stream, PLAIN);
	sink->rows(sink->ctx, stream, rows, ARRAY_SIZE(rows));
	sink->table_end(sink->ctx, stream, &end);
}

/* Of two steps, the second with its rows in this order. */
static uint64_t content_of(const char *first, const char *second)
{
	struct limits limits = limits_default();
	struct profile *part = profile_new(&limits);
	struct event_sink sink;
	uint64_t content;
	unsigned stream;

	profile_be_part(part);
	sink = profile_sink(part, STR(""));
	stream = sink.stream(sink.ctx, STR(""));
	put_pair(&sink, stream, "aten::add", "aten::mul");
	put_pair(&sink, stream, first, second);
	content = profile_content(part);
	profile_free(part);
	return content;
}

static void content_is_that_of_the_operators(void **state)
{
	assert_true(content_of("aten::add", "aten::mul") == content_of("aten::add", "aten::mul"));
	assert_true(content_of("aten::add", "aten::mul") != content_of("aten::mul", "aten::add"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(content_is_that_of_the_operators),
		cmocka_unit_test(parts_make_the_profile_that_one_reading_makes),
		cmocka_unit_test(caps_hold_over_all_parts_and_no_call_is_lost),
		cmocka_unit_test(a_step_that_two_dumps_show_is_counted_once),
	};

	return run_group(tests);
}
