#include "check/input/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/view/ascii.h"
#include "op/profile_join.h"
#include "op/profile_merge.h"

/* --- which dumps may show one run */

static const char *format_at(const struct run_queue *queue, size_t input)
{
	return queue->inputs.items[input].dump.format;
}

static bool shows_run(const char *format)
{
	return str_has_word(STR("table kineto-trace execution-trace"), str_from(format));
}

/* By what they are; a dump that names no rank may be of any. */
static bool may_join(const struct run_queue *queue, const struct held_run *run, const struct held_run *added)
{
	const char *format = format_at(queue, added->base);

	return ALL(i, run->dumps.count, strcmp(format_at(queue, run->dumps.items[i]), format) != 0) &&
	       shows_run(format) && shows_run(format_at(queue, run->base)) &&
	       (!run->label.len || !added->label.len || str_eq(run->label, added->label));
}

/* Join two runs; false, without a change, if they are different runs. The added run has one dump. */
static bool join_runs(const struct run_queue *queue, struct held_run *run, struct held_run *added)
{
	struct profile *const parts[2] = { run->part, added->part };
	const bool cut[2] = { run->cut, added->cut };
	struct profile *joined;
	unsigned base;

	if (!may_join(queue, run, added))
		return false;
	joined = profile_join(parts, cut, &base);
	if (!joined)
		return false;
	profile_free(run->part);
	profile_free(added->part);
	run->part = joined;
	run->base = base ? added->base : run->base;
	run->label = run->label.len ? run->label : added->label;
	run->cut &= added->cut;
	MEM_PUSH(&run->dumps, added->base);
	return true;
}

/* --- into the profile */

static void describe_dump(struct run_queue *queue, const struct held_run *run, size_t at)
{
	struct assess_input *input = &queue->inputs.items[at];

	input->place = queue->places++;
	input->rows_elsewhere = !run->cut && capture_hides_rows(input, 1);
	input->counted_in = at == run->base ? 0 : run->base + 1;
}

static void put_first(struct run_queue *queue)
{
	struct held_run run = queue->held.items[0];

	for (size_t i = 0; i < run.dumps.count; i++) {
		describe_dump(queue, &run, run.dumps.items[i]);
		if (run.dumps.items[i] == run.base)
			profile_merge(queue->profile, run.part, run.label);
		else
			profile_add_joined(queue->profile, run.label);
	}
	profile_free(run.part);
	free(run.dumps.items);
	queue->held.count--;
	memmove(queue->held.items, queue->held.items + 1, queue->held.count * sizeof(run));
}

void runs_add(struct run_queue *queue, const struct assess_input *input, struct profile *part, struct str label)
{
	struct held_run added = {
		.part = part, .label = label, .base = queue->inputs.count, .cut = capture_hides_rows(input, 1)
	};

	MEM_PUSH(&queue->inputs, *input);
	for (size_t i = queue->held.count; i-- > 0;) {
		if (join_runs(queue, &queue->held.items[i], &added))
			return;
	}
	MEM_PUSH(&added.dumps, added.base);
	MEM_PUSH(&queue->held, added);
	if (queue->held.count > queue->limits->held_dumps)
		put_first(queue);
}

void runs_finish(struct run_queue *queue)
{
	while (queue->held.count)
		put_first(queue);
}

void runs_clear(struct run_queue *queue)
{
	for (size_t i = 0; i < queue->held.count; i++) {
		profile_free(queue->held.items[i].part);
		free(queue->held.items[i].dumps.items);
	}
	free(queue->held.items);
	free(queue->inputs.items);
}
