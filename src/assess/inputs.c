#include "assess/inputs.h"

#include "base/mem.h"
#include "base/utf8.h"

enum { NAMED = 5 };

static struct message *warn(struct result *result, const char *id)
{
	struct message *message = &result->warnings[result->warning_count++];

	*message = message_of(id);
	return message;
}

/* "notes.txt, model.pt ..." */
static void warn_of_left_out(const struct assess_request *request, struct result *result)
{
	CLEANUP(buf_clear) struct buf names = BUF_INIT(NAMED * sizeof(struct shown) + 64);
	struct message *message;

	if (!request->left_out_count)
		return;
	for (size_t i = 0; i < request->left_out_count && i < NAMED; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", shown(request->left_out[i]).text);
	buf_add(&names, request->left_out_count > NAMED ? STR(" ...") : STR(""));
	message = warn(result, "input-left-out");
	message_add_number(message, &result->arena, "files", (int64_t)request->left_out_count);
	message_add_copy(message, &result->arena, "names", buf_str(&names));
}

static void warn_of_twice(const struct assess_request *request, struct result *result)
{
	for (size_t i = 0; i < request->input_count; i++) {
		struct message *message;

		if (!request->inputs[i].same_as)
			continue;
		message = warn(result, "input-twice");
		message_add(message, "name", result->inputs[i].name);
		message_add(message, "other", result->inputs[request->inputs[i].same_as - 1].name);
	}
}

static bool rank_seen_before(const struct assess_request *request, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (request->inputs[i].dump.has_rank &&
			request->inputs[i].dump.rank == request->inputs[index].dump.rank)
			return true;
	}
	return false;
}

/* Ranks may run other operators: those of a pipeline do. */
static void warn_of_missing_ranks(const struct assess_request *request, struct result *result)
{
	uint64_t ranks = 0, world = 0;
	struct message *message;

	for (size_t i = 0; i < request->input_count; i++) {
		const struct dump_facts *dump = &request->inputs[i].dump;

		ranks += dump->has_rank && !rank_seen_before(request, i);
		world = dump->has_rank && dump->world_size > world ? dump->world_size : world;
	}
	if (ranks >= world)
		return;
	message = warn(result, "ranks-missing");
	message_add_number(message, &result->arena, "ranks", (int64_t)ranks);
	message_add_number(message, &result->arena, "world", (int64_t)world);
}

void inputs_compare(const struct assess_request *request, struct result *result)
{
	struct message *before = result->warnings;

	result->warnings = arena_alloc(
		&result->arena, (result->warning_count + request->input_count + 2) * sizeof(before[0]));
	if (result->warning_count)
		memcpy(result->warnings, before, result->warning_count * sizeof(before[0]));
	warn_of_left_out(request, result);
	warn_of_twice(request, result);
	warn_of_missing_ranks(request, result);
}

static void put_aicpu(struct buf *to, const struct assess_request *request)
{
	const struct dump_facts *first = NULL;
	uint64_t calls = 0;

	for (size_t i = 0; i < request->input_count; i++) {
		const struct dump_facts *dump = &request->inputs[i].dump;

		calls += dump->aicpu_calls;
		first = !first && dump->aicpu_type_count ? dump : first;
	}
	if (!calls)
		return;
	buf_printf(to, ", %llu of them on the AI CPU", (unsigned long long)calls);
	for (unsigned i = 0; first && i < first->aicpu_type_count; i++)
		buf_printf(to, "%s%s", i ? ", " : " (", first->aicpu_types[i].text);
	buf_add(to, first ? STR(")") : STR(""));
}

int inputs_lack_operators(const struct assess_request *request, struct err *err)
{
	CLEANUP(buf_clear) struct buf tasks = BUF_INIT(sizeof(err->text) / 2);
	uint64_t count = 0;

	for (size_t i = 0; i < request->input_count; i++)
		count += request->inputs[i].dump.device_tasks;
	if (!count)
		return err_set(
			err, ERR_NO_OPERATOR, "the tables list what ran on a device, and no operator of PyTorch");
	put_aicpu(&tasks, request);
	return err_set(err, ERR_NO_OPERATOR,
		"the tables list %llu tasks that ran on a device%s, and no operator of PyTorch",
		(unsigned long long)count, buf_text(&tasks));
}
