#include "op/profile_shown.h"

#include "base/value/figure.h"

/* Printed times have five digits or fewer, so that rows never add up to the footer exactly. */
enum { ROUNDING_DIVISOR = 1000 };

/* Device time of a table by what its rows are. */
struct device_rows {
	int64_t operators_ns, collectives_ns;
	int64_t compiled_ns, functions_ns; /* rows of the host: functions of autograd, labels */
	int64_t kernels_ns;                /* rows of the device itself, which say once more what the host launched */
	int64_t spans_ns; /* the same of labels and steps: from their first kernel to their last, idle time included */
};

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* A label that the host shows, too, spans its kernels; one of the device alone is a kernel of unusual spelling. */
static bool is_span(enum name_class name_class, const struct slot *slot)
{
	return name_class == NAME_STEP || name_class == NAME_OPTIMIZER || name_class == NAME_PYTHON_FRAME ||
	       (name_class == NAME_LABEL && slot->cpu_total_ns);
}

static void add_device(struct device_rows *rows, enum name_class name_class, const struct slot *slot)
{
	int64_t host_ns = figure_add(slot->self_device_ns, -slot->on_device_ns);
	int64_t *host = name_class == NAME_OPERATOR     ? &rows->operators_ns
			: name_class == NAME_COLLECTIVE ? &rows->collectives_ns
			: name_class == NAME_COMPILE    ? &rows->compiled_ns
							: &rows->functions_ns;
	int64_t *device = is_span(name_class, slot) ? &rows->spans_ns : &rows->kernels_ns;

	*host = figure_add(*host, host_ns);
	*device = figure_add(*device, slot->on_device_ns);
}

static int64_t linked(const struct device_rows *rows)
{
	return figure_add(rows->operators_ns, rows->collectives_ns);
}

/* Kernels without what their rows of the host launched are linked to nothing. */
static int64_t launched_or_not(const struct device_rows *rows)
{
	int64_t others_ns = figure_add(rows->compiled_ns, rows->functions_ns);

	return larger(figure_add(linked(rows), others_ns), rows->kernels_ns);
}

/*
 * The footer adds up the kernels; until PyTorch 2.4 it added the spans of labels to them, which is known from its size:
 * a span of the step alone is as long as all kernels, and what is left covers the rows.
 */
static int64_t device_total(const struct device_rows *rows, int64_t footer_ns)
{
	int64_t shown = launched_or_not(rows), kernels = figure_add(footer_ns, -rows->spans_ns);

	if (rows->spans_ns >= footer_ns / 2 && kernels >= shown)
		footer_ns = kernels;
	return larger(footer_ns, shown);
}

void profile_add_time(struct profile_time *time, const struct profile_time *more)
{
	time->operators_ns = figure_add(time->operators_ns, more->operators_ns);
	time->collectives_ns = figure_add(time->collectives_ns, more->collectives_ns);
	time->compiled_ns = figure_add(time->compiled_ns, more->compiled_ns);
	time->functions_ns = figure_add(time->functions_ns, more->functions_ns);
	time->others_ns = figure_add(time->others_ns, more->others_ns);
	time->missing_ns = figure_add(time->missing_ns, more->missing_ns);
}

static int64_t missing_of(int64_t total_ns, int64_t shown_ns)
{
	int64_t missing = total_ns - shown_ns;

	return missing > total_ns / ROUNDING_DIVISOR ? missing : 0;
}

void profile_count_shown(const struct profile *profile, const struct table *table)
{
	struct profile_dump *dump = &table->sink->dump;
	struct profile_time host = { 0 }, device = { 0 };
	struct device_rows rows = { 0 };
	int64_t shown_ns = 0;

	if (table->has & (TABLE_STEPPED | TABLE_DEVICE_TASKS | TABLE_HOST_CALLS))
		return;
	for (size_t i = 0; i < table->slots.count; i++) {
		const struct slot *slot = &table->slots.items[i];
		enum name_class name_class = profile->names.items[profile->uses.items[slot->use].name].name.name_class;

		shown_ns = figure_add(shown_ns, slot->self_cpu_ns);
		if (name_class == NAME_OPERATOR)
			host.operators_ns = figure_add(host.operators_ns, slot->self_cpu_ns);
		add_device(&rows, name_class, slot);
	}
	if (table->has & TABLE_HAS_TIMES)
		host.missing_ns = missing_of(table->end.footer_cpu_ns, shown_ns);
	if (table->has & TABLE_HAS_DEVICE_TIMES) {
		int64_t all_ns = launched_or_not(&rows);

		device.operators_ns = rows.operators_ns;
		device.collectives_ns = rows.collectives_ns;
		device.compiled_ns = rows.compiled_ns;
		device.functions_ns = rows.functions_ns;
		device.others_ns = missing_of(all_ns, linked(&rows));
		device.missing_ns = missing_of(device_total(&rows, table->end.footer_device_ns), all_ns);
	}
	profile_add_time(&dump->host, &host);
	profile_add_time(&dump->device, &device);
}
