#include "assess/model/capture.h"

#include "assess/model/graph_capture.h"
#include "assess/model/rule.h"
#include "assess/model/shown.h"
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"
#include "base/value/utf8.h"
#include "op/profile_links.h"

/* A set of name classes. */
#define NAME_CLASS(name_class) (1u << (name_class))

enum { NAMES_LISTED = 5, NAME_COLUMNS = 48 };

struct longest {
	struct str names[NAMES_LISTED];
	int64_t times_ns[NAMES_LISTED];
	size_t count;
};

/* Equal times keep the order of the dump. */
static void add_name(struct longest *longest, struct str name, int64_t ns)
{
	size_t at = longest->count;

	while (at && longest->times_ns[at - 1] < ns)
		at--;
	if (at == NAMES_LISTED)
		return;
	longest->count += longest->count < NAMES_LISTED;
	for (size_t i = longest->count - 1; i > at; i--) {
		longest->names[i] = longest->names[i - 1];
		longest->times_ns[i] = longest->times_ns[i - 1];
	}
	longest->names[at] = name;
	longest->times_ns[at] = ns;
}

static int64_t time_of(const struct profile *profile, const struct profile_name *name)
{
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);
	int64_t ns = 0;

	for (uint32_t use = name->last_use; use != NO_USE; use = uses[use].previous_of_name)
		ns = figure_add(ns, uses[use].self_device_ns);
	return ns;
}

/* " (a, b)": the names of these classes that a dump shows first, up to five, the one with most time of its own on the
   device before the others; "" where none has any. In arena. */
static struct str uncovered_names(struct arena *arena, const struct profile *profile, size_t dump, unsigned classes)
{
	struct longest longest = { .count = 0 };
	struct buf text = BUF_UNLIMITED;
	struct str kept;
	size_t count;
	const struct profile_name *names = profile_names(profile, &count);

	for (size_t i = 0; i < count; i++) {
		if (names[i].dump == dump && classes & NAME_CLASS(names[i].name.name_class) &&
			time_of(profile, &names[i]) > 0)
			add_name(&longest, names[i].text, time_of(profile, &names[i]));
	}
	for (size_t i = 0; i < longest.count; i++) {
		struct str shown = utf8_fit(longest.names[i], NAME_COLUMNS);

		buf_add(&text, i ? STR(", ") : STR(" ("));
		buf_add(&text, shown);
		buf_add(&text, shown.len < longest.names[i].len ? STR("...") : STR(""));
	}
	buf_add(&text, longest.count ? STR(")") : STR(""));
	kept = arena_keep(arena, buf_str(&text));
	buf_clear(&text);
	return kept;
}

enum { MAX_WARNINGS = 48 };

struct description {
	struct arena *arena;
	const struct assess_input *input;
	const struct profile *profile;
	struct result_input *ret;
};

static struct message *warn_of_rule(struct description *to, const char *rule)
{
	struct message *message = &to->ret->capture.warnings[to->ret->capture.warning_count++];

	*message = message_of(rule);
	return message;
}

/* One warning with a number in it, if the number is not zero. */
static void warn_count(struct description *to, const char *rule, const char *name, uint64_t count)
{
	if (count)
		message_add_number(warn_of_rule(to, rule), to->arena, name, (int64_t)count);
}

/* --- facts of the profile that this dump went into */

struct stream_sums {
	unsigned has, lacks;
	uint64_t steps, views, averaged, stepless, compiling;
};

static struct stream_sums sum_streams(const struct profile *profile)
{
	struct stream_sums sums = { 0 };
	size_t count;
	const struct profile_stream *streams = profile_streams(profile, &count);

	for (size_t i = 0; i < count; i++) {
		sums.has |= streams[i].has;
		sums.lacks |= streams[i].lacks;
		sums.views += streams[i].views;
		sums.averaged += streams[i].averaged;
		sums.stepless += streams[i].stepless;
		sums.steps = streams[i].steps > sums.steps ? streams[i].steps : sums.steps;
		for (size_t j = 0; j < streams[i].compiling.count; j++) {
			struct step_run run = step_runs_items(&streams[i].compiling)[j];

			sums.compiling += run.last - run.first + 1;
		}
	}
	return sums;
}

/* --- warnings */

static void warn_of_losses(struct description *to)
{
	const struct dump_facts *dump = &to->input->dump;

	if (!to->input->rows_elsewhere) {
		warn_count(to, "capture-truncated", "tables", dump->row_limit_tables);
		warn_count(to, "capture-table-cut", "tables", dump->cut_tables);
		warn_count(to, "capture-top-level", "tables", dump->top_level_tables);
		warn_count(to, "capture-headless", "tables", dump->headless_tables);
		warn_count(to, "capture-lines-broken", "lines", dump->broken_rows);
		if (to->input->source.damaged)
			message_add(warn_of_rule(to, "capture-damaged"), "compression",
				str_from(to->input->source.compression));
		warn_count(to, "capture-trace-cut", "byte", dump->cut_at);
		warn_count(to, "capture-long-lines", "lines", dump->long_lines);
	}
	warn_count(to, "capture-cap", "calls", profile_calls_over_cap(to->profile));
	if (profile_has_compiled(to->profile))
		warn_of_rule(to, "capture-compiled");
	warn_count(to, "capture-names-cut", "rows", dump->cut_names);
	warn_count(to, "capture-shapes-cut", "rows", dump->cut_shapes);
}

static void warn_of_gaps(struct description *to, const struct stream_sums *sums)
{
	size_t use_count;
	const struct profile_use *uses = profile_uses(to->profile, &use_count);

	if (!(sums->has & TABLE_HAS_SHAPES))
		warn_of_rule(to, "capture-no-shapes");
	else if (sums->lacks & TABLE_HAS_SHAPES)
		warn_of_rule(to, "capture-some-shapes");
	if (!(sums->has & TABLE_HAS_DTYPES))
		warn_of_rule(to, "capture-no-dtypes");
	if (sums->steps == 1 && !sums->stepless)
		warn_of_rule(to, "capture-one-step");
	warn_count(to, "capture-averaged", "tables", sums->averaged);
	warn_count(to, "capture-no-steps", "tables", sums->stepless);
	if (!(sums->has & TABLE_HAS_TIMES))
		warn_of_rule(to, "capture-no-times");
	warn_count(to, "capture-steps-coarse", "shapes", SUM(i, use_count, uses[i].steps.coarse));
	warn_count(to, "capture-compiling-steps", "steps", sums->compiling);
	warn_count(to, "capture-views", "tables", sums->views);
	if (to->input->dump.unknown_schema.text[0])
		message_add_copy(warn_of_rule(to, "capture-schema"), to->arena, "version",
			str_from(to->input->dump.unknown_schema.text));
	warn_count(to, "capture-steps-unplaced", "calls", to->input->dump.unplaced_calls);
	warn_count(to, "capture-unsorted", "events", to->input->dump.unsorted_events);
	warn_count(to, "capture-device-unmatched", "events", to->input->dump.unmatched_work);
	warn_count(to, "capture-links-partial", "calls",
		figure_count(to->input->dump.unlinked_calls, profile_links_over_cap(to->profile)));
	warn_count(to, "capture-frames-dropped", "frames", to->input->dump.dropped_frames);
	warn_count(to, "capture-details-dropped", "texts", to->input->dump.dropped_details);
	warn_count(to, "capture-streams-merged", "streams", to->input->dump.dropped_streams);
}

/* The device as described by a dump made on it. */
static void warn_of_device(struct description *to)
{
	const struct dump_facts *dump = &to->input->dump;
	CLEANUP(buf_clear) struct buf types = BUF_INIT(sizeof(dump->aicpu_types) + 64);
	struct message *message;

	for (unsigned i = 0; i < dump->aicpu_type_count; i++)
		buf_printf(&types, "%s%s", i ? ", " : "", dump->aicpu_types[i].text);
	buf_add(&types, dump->aicpu_type_count == MAX_SAMPLES ? STR(" ...") : STR(""));
	if (dump->aicpu_calls) {
		message = warn_of_rule(to, "capture-aicpu");
		message_add_number(message, to->arena, "calls", (int64_t)dump->aicpu_calls);
		message_add_copy(message, to->arena, "types", buf_str(&types));
	}
	warn_count(to, "capture-device-tasks", "tasks", dump->device_tasks);
}

static void warn_of_skipped(struct description *to)
{
	const struct dump_facts *dump = &to->input->dump;
	CLEANUP(buf_clear) struct buf where = BUF_INIT(1024); /* "118, 240, 412": the first lines or events */
	struct message *message;

	if (!dump->skipped_lines && !dump->skipped_events)
		return;
	for (unsigned i = 0; i < dump->sample_count; i++) {
		const struct dump_sample *sample = &dump->samples[i];

		buf_printf(&where, "%s%llu", i ? ", " : "",
			(unsigned long long)(sample->line ? sample->line : sample->offset));
	}
	message = warn_of_rule(to, dump->skipped_rows    ? "capture-rows-skipped"
				   : dump->skipped_lines ? "capture-lines-skipped"
							 : "capture-events-skipped");
	message_add_number(message, to->arena, dump->skipped_lines ? "lines" : "events",
		(int64_t)(dump->skipped_lines ? dump->skipped_lines : dump->skipped_events));
	message_add_copy(message, to->arena, "where", buf_str(&where));
	message_add_copy(message, to->arena, "sample", str_from(dump->samples[0].beginning.text));
}

/* --- time without operators */

struct covered {
	int64_t operators_ns, whole_ns;
};

static bool is_over(const struct covered *time, int64_t max_uncovered_ppm)
{
	return (__int128)(time->whole_ns - time->operators_ns) * WHOLE_PPM >
	       (__int128)time->whole_ns * max_uncovered_ppm;
}

/* "12.3": a part in percent of the whole. */
static struct message *warn_share(
	struct description *to, const char *rule, const char *name, int64_t part_ns, int64_t whole_ns)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);
	struct message *message = warn_of_rule(to, rule);

	decimal_put(&text, (int64_t)(((__int128)part_ns * 1000 + whole_ns / 2) / whole_ns), 1);
	message_add_copy(message, to->arena, name, buf_str(&text));
	return message;
}

enum {
	KERNELS = NAME_CLASS(NAME_KERNEL) | NAME_CLASS(NAME_MEMORY),
	COMPILED = NAME_CLASS(NAME_COMPILE),
	FUNCTIONS = ~(KERNELS | COMPILED | NAME_CLASS(NAME_OPERATOR) | NAME_CLASS(NAME_COLLECTIVE)),
};

/* Why time of the device is of no operator, each cause with the names of what took it. */
static void warn_of_causes(struct description *to, int64_t whole_ns)
{
	const struct result_device_time *time = &to->ret->capture.device_time;
	const struct {
		const char *rule;
		int64_t ns;
		unsigned classes;
	} causes[] = {
		{ "capture-uncovered-rows", time->missing_ns, 0 },
		{ "capture-uncovered-graphs", time->graphs_ns, 0 },
		{ "capture-uncovered-before", time->before_ns, KERNELS },
		{ "capture-uncovered-compiled", time->compiled_ns, COMPILED },
		{ "capture-uncovered-functions", time->functions_ns, FUNCTIONS },
		{ "capture-uncovered-unlinked",
			time->unlinked_ns - time->before_ns - time->compiled_ns - time->functions_ns, KERNELS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(causes); i++) {
		struct message *message;

		if (causes[i].ns <= 0)
			continue;
		message = warn_share(to, causes[i].rule, "share", causes[i].ns, whole_ns);
		if (causes[i].classes)
			message_add(message, "names",
				uncovered_names(to->arena, to->profile, to->input->place, causes[i].classes));
	}
}

/* Work on the device that no operator launched, or in no row: what ran there is not known. */
static void warn_of_device_time(struct description *to, int64_t max_uncovered_ppm)
{
	const struct result_device_time *time = &to->ret->capture.device_time;
	struct covered all = { time->operators_ns, figure_add(figure_add(time->operators_ns, time->graphs_ns),
							   figure_add(time->unlinked_ns, time->missing_ns)) };

	if (all.whole_ns <= all.operators_ns)
		return;
	if (!is_over(&all, max_uncovered_ppm)) {
		warn_share(to, "capture-device-time", "operators", all.operators_ns, all.whole_ns);
		return;
	}
	warn_share(to, "capture-device-uncovered", "operators", all.operators_ns, all.whole_ns);
	warn_of_causes(to, all.whole_ns);
}

/* Shares leave collectives out: they are judged by themselves. */
static void warn_of_collectives(struct description *to)
{
	const struct result_device_time *time = &to->ret->capture.device_time;
	int64_t others_ns = figure_add(
		figure_add(time->operators_ns, time->graphs_ns), figure_add(time->unlinked_ns, time->missing_ns));

	if (time->collectives_ns)
		warn_share(to, "capture-collectives", "share", time->collectives_ns,
			figure_add(others_ns, time->collectives_ns));
}

/* Of a dump without times of the device: what the rows of its tables leave out. */
static void warn_of_host_time(struct description *to, int64_t max_uncovered_ppm)
{
	const struct result_host_time *time = &to->ret->capture.host_time;
	struct covered all = { time->operators_ns, figure_add(time->operators_ns, time->missing_ns) };

	if (!to->ret->capture.device_time.operators_ns && time->missing_ns && is_over(&all, max_uncovered_ppm))
		warn_share(to, "capture-rows-uncovered", "operators", all.operators_ns, all.whole_ns);
}

/* --- the input */

static struct result_traffic traffic_of(struct arena *arena, const struct dump_traffic *dump)
{
	struct result_traffic traffic = { .other_collectives = dump->other_collectives };

	traffic.collectives = arena_alloc(arena, MAX_COLLECTIVES * sizeof(traffic.collectives[0]));
	for (unsigned i = 0; i < dump->collective_count; i++) {
		const struct dump_collective *of = &dump->collectives[i];

		traffic.collectives[traffic.collective_count++] = (struct result_collective){
			arena_keep(arena, str_from(of->name.text)), arena_keep(arena, str_from(of->dtype.text)),
			arena_keep(arena, str_from(of->group.text)), arena_keep(arena, str_from(of->reduction.text)),
			of->ranks, of->calls, of->in_elements, of->out_elements
		};
	}
	traffic.copies = arena_alloc(arena, COPY_KINDS * sizeof(traffic.copies[0]));
	for (int kind = 0; kind < COPY_KINDS; kind++) {
		const struct dump_copies *of = &dump->copies[kind];

		if (of->calls)
			traffic.copies[traffic.copies_count++] = (struct result_copies){ (enum copy_kind)kind,
				of->calls, of->bytes, of->ns };
	}
	return traffic;
}

void capture_describe(struct arena *arena, const struct assess_input *input, const struct capture_context *context,
	struct result_input *ret)
{
	const struct profile *profile = context->profile;
	struct description to = { arena, input, profile, ret };
	struct stream_sums sums = sum_streams(profile);
	struct profile_dump dump = profile_dump(profile, input->place);
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

	utf8_repair(&name, input->source.name); /* file names need not be text, reports must */
	*ret = (struct result_input){ .bytes = input->source.stored_bytes,
		.steps = dump.steps,
		.ranks = dump.ranks,
		.tables = input->dump.tables,
		.rows = input->dump.rows,
		.skipped_lines = input->dump.skipped_lines };
	ret->name = arena_keep(arena, buf_str(&name));
	ret->sha256 = arena_keep(arena, str_from(input->source.sha256));
	ret->format = str_from(input->dump.format);
	ret->encoding = str_from(input->dump.encoding);
	ret->compression = str_from(input->source.compression);
	ret->torch_era = arena_keep(arena, str_from(input->dump.torch_era));
	ret->capture.shapes = sums.has & TABLE_HAS_SHAPES;
	ret->capture.dtypes = sums.has & TABLE_HAS_DTYPES;
	ret->capture.times = sums.has & TABLE_HAS_TIMES;
	ret->capture.device_times = sums.has & TABLE_HAS_DEVICE_TIMES;
	ret->capture.overloads = sums.has & TABLE_HAS_OVERLOADS;
	ret->capture.strides = input->dump.details & DUMP_STRIDES;
	ret->capture.concrete_inputs = input->dump.details & DUMP_CONCRETE;
	ret->capture.stacks = input->dump.details & DUMP_STACKS;
	ret->capture.modules = input->dump.details & DUMP_MODULES;
	ret->capture.links = input->dump.details & DUMP_LINKS;
	ret->capture.traffic = traffic_of(arena, &input->dump.traffic);
	ret->capture.row_limit_hit = input->dump.row_limit_tables > 0;
	ret->capture.truncated_names = input->dump.cut_names;
	ret->capture.truncated_shapes = input->dump.cut_shapes;
	ret->capture.warnings = arena_alloc(arena, MAX_WARNINGS * sizeof(ret->capture.warnings[0]));
	warn_of_losses(&to);
	ret->capture.device_time = shown_device_time(input, profile, context->operators);
	ret->capture.host_time = shown_host_time(input, profile);
	warn_of_device_time(&to, context->max_uncovered_ppm);
	warn_of_collectives(&to);
	warn_of_host_time(&to, context->max_uncovered_ppm);
	if (graph_captured_in(to.profile, to.input->place) && graph_hides_device_time(to.profile))
		warn_of_rule(&to, "capture-graph-recorded"); /* the work that the graph was made of did not run */
	warn_of_gaps(&to, &sums);
	warn_of_device(&to);
	if (!input->rows_elsewhere)
		warn_of_skipped(&to);
}

struct result_spot *capture_first_seen(
	struct arena *arena, const struct assess_input *inputs, size_t count, const struct op *op)
{
	for (size_t i = 0; i < count; i++) {
		struct result_spot *spot;

		if (inputs[i].place != op->dump || inputs[i].dump.in_strings || !(op->line || op->offset))
			continue;
		spot = arena_alloc(arena, sizeof(*spot));
		*spot = (struct result_spot){ (uint32_t)i, op->line, op->line ? 0 : op->offset };
		return spot;
	}
	return NULL;
}

bool capture_hides_rows_of_steps(const struct assess_input *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct assess_input input = inputs[i];

		/* the step of a torn table is left out, whatever tore it */
		input.source.damaged &= !input.dump.torn_tables;
		input.dump.cut_tables -= input.dump.torn_tables;
		input.dump.broken_rows -= input.dump.torn_rows;
		if (capture_hides_rows(&input, 1))
			return true;
	}
	return false;
}

bool capture_hides_rows(const struct assess_input *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct dump_facts *dump = &inputs[i].dump;

		if (inputs[i].counted_in)
			continue;
		if (dump->row_limit_tables || dump->cut_tables || dump->top_level_tables || dump->headless_tables ||
			dump->broken_rows || dump->cut_at || dump->skipped_events || dump->skipped_rows ||
			inputs[i].source.damaged)
			return true;
	}
	return false;
}

bool capture_hides_operators(const struct result_input *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < inputs[i].capture.warning_count; j++) {
			const struct rule *rule = rule_find(str_from(inputs[i].capture.warnings[j].id));

			if (rule && rule->hides)
				return true;
		}
	}
	return false;
}
