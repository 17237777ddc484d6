#include "assess/finding/warnings.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "opdb/db/names.h"
#include "opdb/db/opdb.h"
#include "opdb/model/chip.h"

enum { FILES_NAMED = 5 };

/* Makes room for more, so that put_warning may be called so often. */
static void reserve_warnings(struct result *result, size_t more)
{
	struct message *list = arena_alloc(&result->arena, (result->warning_count + more) * sizeof(list[0]));

	if (result->warning_count)
		memcpy(list, result->warnings, result->warning_count * sizeof(list[0]));
	result->warnings = list;
}

static void put_warning(struct result *result, const struct message *warning)
{
	result->warnings[result->warning_count++] = *warning;
}

static void append_warning(struct result *result, const struct message *warning)
{
	reserve_warnings(result, 1);
	put_warning(result, warning);
}

/* --- inputs */

/* "notes.txt, model.pt ..." */
static void warn_of_left_out(const struct left_out *left_out, struct result *result)
{
	CLEANUP(buf_clear) struct buf names = BUF_INIT(FILES_NAMED * sizeof(struct shown) + 64);

	if (!left_out->count)
		return;
	for (size_t i = 0; i < left_out->count && i < FILES_NAMED; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", shown(left_out->names[i]).text);
	buf_add(&names, left_out->count > FILES_NAMED ? STR(" ...") : STR(""));
	put_warning(result, MESSAGE(&result->arena, "input-left-out", NUMBER("files", left_out->count),
				    COPY("names", buf_str(&names))));
}

/* Ranks may run other operators: those of a pipeline do. */
static void warn_of_missing_ranks(const struct assess_input *inputs, size_t count, struct result *result)
{
	uint64_t ranks = 0, world = 0;

	for (size_t i = 0; i < count; i++) {
		const struct dump_facts *dump = &inputs[i].dump;

		ranks += dump->has_rank &&
			 !ANY(earlier, i, inputs[earlier].dump.has_rank && inputs[earlier].dump.rank == dump->rank);
		world = dump->has_rank && dump->world_size > world ? dump->world_size : world;
	}
	if (ranks < world)
		put_warning(result,
			MESSAGE(&result->arena, "ranks-missing", NUMBER("ranks", ranks), NUMBER("world", world)));
}

void warn_of_inputs(
	const struct assess_input *inputs, size_t count, const struct left_out *left_out, struct result *result)
{
	reserve_warnings(result, 2 * count + 2); /* each dump may be there twice, or be of one run with another */
	warn_of_left_out(left_out, result);
	for (size_t i = 0; i < count; i++) {
		if (inputs[i].same_as)
			put_warning(
				result, MESSAGE(&result->arena, "input-twice", BLANK("name", result->inputs[i].name),
						BLANK("other", result->inputs[inputs[i].same_as - 1].name)));
	}
	for (size_t i = 0; i < count; i++) {
		if (inputs[i].counted_in) /* its calls were not added up */
			put_warning(
				result, MESSAGE(&result->arena, "input-one-run", BLANK("name", result->inputs[i].name),
						BLANK("counted", result->inputs[i].counted_in)));
	}
	warn_of_missing_ranks(inputs, count, result);
}

static void put_aicpu(struct buf *to, const struct assess_input *inputs, size_t count)
{
	const struct dump_facts *first = NULL;
	uint64_t calls = 0;

	for (size_t i = 0; i < count; i++) {
		const struct dump_facts *dump = &inputs[i].dump;

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

int inputs_lack_operators(const struct assess_input *inputs, size_t count, struct err *err)
{
	CLEANUP(buf_clear) struct buf tasks = BUF_INIT(sizeof(err->text) / 2);
	uint64_t tasks_run = SUM(i, count, inputs[i].dump.device_tasks);

	if (!tasks_run)
		return err_set(
			err, ERR_NO_OPERATOR, "the tables list what ran on a device, and no operator of PyTorch");
	put_aicpu(&tasks, inputs, count);
	return err_set(err, ERR_NO_OPERATOR,
		"the tables list %llu tasks that ran on a device%s, and no operator of PyTorch",
		(unsigned long long)tasks_run, buf_text(&tasks));
}

/* --- versions of PyTorch */

/* "2.10" as a number that sorts: 2010; "2.7.1" is 2007. False for anything else. */
static bool parse_minor(struct str version, uint64_t *ret)
{
	enum { MINORS = 1000 };
	struct str major, minor;
	uint64_t high, low;

	if (!str_cut(&version, '.', &major) || !str_cut(&version, '.', &minor))
		return false;
	if (!decimal_unsigned(major, &high) || !decimal_unsigned(minor, &low) || high >= MINORS || low >= MINORS)
		return false;
	*ret = high * MINORS + low;
	return true;
}

bool era_covers(struct str era, struct str torch)
{
	bool open = str_ends(era, STR("+"));
	struct str rest = open ? str_chop(era, 1) : era, from, to;
	uint64_t first, last, version;

	if (!str_cut(&rest, '-', &from))
		return true;
	if (!str_cut(&rest, '-', &to))
		to = from;
	if (!parse_minor(from, &first) || !parse_minor(to, &last) || !parse_minor(torch, &version))
		return true;
	return version >= first && (open || version <= last);
}

static void warn_of_era(struct result *result, struct str era)
{
	const struct result_target *first = NULL;
	int64_t others = 0;

	for (size_t i = 0; i < result->target_count; i++) {
		if (era_covers(era, result->targets[i].torch))
			continue;
		first = first ? first : &result->targets[i];
		others++;
	}
	if (first)
		append_warning(result, MESSAGE(&result->arena, "version-mismatch", BLANK("era", era),
					       NUMBER("others", others), NUMBER("targets", result->target_count),
					       BLANK("target", first->id), BLANK("torch", first->torch)));
}

void warn_of_versions(struct result *result)
{
	for (size_t i = 0; i < result->input_count; i++) {
		struct str era = result->inputs[i].torch_era;

		if (!ANY(earlier, i, str_eq(result->inputs[earlier].torch_era, era)))
			warn_of_era(result, era);
	}
}

/* --- training or evaluation */

static bool has_class(const struct result *result, enum name_class name_class)
{
	return ANY(i, result->ignored_count, result->ignored[i].name_class == name_class);
}

/* Returns whether the calls of some dump of the format count. */
static bool counts_format(const struct assess_input *inputs, size_t count, const char *format)
{
	return ANY(i, count, !inputs[i].counted_in && strcmp(inputs[i].dump.format, format) == 0);
}

void warn_of_modes(const struct opdb *db, const struct assess_input *inputs, size_t count, struct result *result)
{
	CLEANUP(buf_clear) struct buf training_only = BUF_UNLIMITED; /* the operators that evaluation replaces */

	if (counts_format(inputs, count, "execution-trace") && counts_format(inputs, count, "kineto-trace"))
		append_warning(result, &(struct message){ .id = "input-two-formats" });
	if (!has_class(result, NAME_AUTOGRAD) &&
		!ANY(i, result->operator_count, str_has(result->operators[i].name, STR("_backward")))) {
		append_warning(result, &(struct message){ .id = "mode-inference-only" });
		return;
	}
	if (!has_class(result, NAME_OPTIMIZER))
		append_warning(result, &(struct message){ .id = "mode-no-optimizer" });
	for (size_t i = 0; i < result->operator_count; i++) {
		struct str name = result->operators[i].name;

		if (operator_rule_find(db, RULE_TRAINING_ONLY, name))
			buf_printf(&training_only, "%s%.*s", training_only.len ? ", " : "", STR_ARG(name));
	}
	if (training_only.len)
		append_warning(result,
			MESSAGE(&result->arena, "mode-training-only", COPY("operators", buf_str(&training_only))));
}

static const char *chip_warning(const struct opdb *db, const struct target *target)
{
	if (!chips_differ(target->release->target))
		return target->chip && !opdb_tells_chip(db, target->chip) ? "chip-not-told-apart" : NULL;
	return target->chip ? NULL : "chip-assumed";
}

void warn_of_chips(const struct opdb *db, const struct target *targets, size_t count, struct result *result)
{
	for (size_t i = 0; i < count; i++) {
		enum target_kind target = targets[i].release->target;
		struct str name = target_kind_name(target);
		const char *id = chip_warning(db, &targets[i]);

		if (id && !ANY(earlier, result->warning_count,
				  strcmp(result->warnings[earlier].id, id) == 0 &&
					  str_eq(result->warnings[earlier].params[0].value, name)))
			append_warning(result, MESSAGE(&result->arena, id, BLANK("target", name),
						       BLANK("chips", chips_text(&result->arena, target,
									      chips_common(target), ", "))));
	}
}

void warn_of_assumptions(const struct assumption_list *list, const struct operators *operators, struct result *result)
{
	size_t count = list ? list->count : 0;

	result->assumptions = arena_alloc(&result->arena, (count + 1) * sizeof(result->assumptions[0]));
	for (size_t i = 0; i < count; i++)
		result->assumptions[result->assumption_count++] = (struct result_assumption){
			arena_keep(&result->arena, list->items[i].name), list->items[i].status
		};
	for (size_t i = count; i-- > 0;) {
		if (STR_IS_AMONG(operators->items, operators->count, list->items[i].name))
			continue;
		reserve_warnings(result, 1);
		memmove(result->warnings + 1, result->warnings, result->warning_count * sizeof(result->warnings[0]));
		result->warning_count++;
		result->warnings[0] = *MESSAGE(&result->arena, "assume-unused", COPY("operator", list->items[i].name));
	}
}
