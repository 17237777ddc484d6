#include "check/lookup/correction.h"

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "check/score/observations.h"
#include "opdb/model/dtype.h"
#include "report/doc/csv_cell.h"

/* The word of an observation for a status; statuses that differ only in the sources are native to observers. */
static enum observed observed_of(enum op_status status)
{
	return op_status_class(status) == CLASS_BLOCKED ? OBSERVED_NOT_IMPLEMENTED
	       : status == OP_CPU_FALLBACK              ? OBSERVED_CPU_FALLBACK
	       : status == OP_NATIVE_JIT                ? OBSERVED_DYNAMIC_SHAPE
							: OBSERVED_NATIVE;
}

/* The entries of both tables for the user's word. */
struct said {
	struct str status, flags;
	enum observed observed;
};

static bool find_status(struct str word, struct said *ret)
{
	enum op_status status;

	if (!op_status_from(word, &status) || status == OP_UNKNOWN)
		return false;
	*ret = (struct said){ op_status_name(status), STR("."), observed_of(status) };
	return true;
}

static bool find_observed(struct str word, struct said *ret)
{
	static const struct said said[OBSERVED_COUNT] = {
		[OBSERVED_NATIVE] = { STR("native"), STR("."), OBSERVED_NATIVE },
		[OBSERVED_CPU_FALLBACK] = { STR("cpu-fallback"), STR("."), OBSERVED_CPU_FALLBACK },
		[OBSERVED_NOT_IMPLEMENTED] = { STR("unsupported"), STR("."), OBSERVED_NOT_IMPLEMENTED },
		[OBSERVED_DTYPE_LIMITED] = { STR("."), STR("dtype-limited"), OBSERVED_DTYPE_LIMITED },
		[OBSERVED_DYNAMIC_SHAPE] = { STR("native-jit"), STR("."), OBSERVED_DYNAMIC_SHAPE },
		[OBSERVED_AICPU] = { STR("."), STR("aicpu"), OBSERVED_AICPU },
		[OBSERVED_CRASH] = { STR("unsupported"), STR("."), OBSERVED_CRASH },
		[OBSERVED_WRONG_RESULT] = { STR("."), STR("reported-broken"), OBSERVED_WRONG_RESULT },
	};
	unsigned observed;

	if (!word_find(&observed_words, word, &observed))
		return false;
	*ret = said[observed];
	return true;
}

static int unknown_word(struct str word, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(400);

	for (unsigned i = 0; i < OP_UNKNOWN; i++)
		buf_printf(&list, "%s%.*s", i ? ", " : "", STR_ARG(op_status_name(i)));
	for (unsigned i = 0; i < OBSERVED_COUNT; i++)
		buf_printf(&list, ", %.*s", STR_ARG(word_for(&observed_words, i)));
	err_set(err, ERR_VALUE, "'%s' cannot be observed", shown(word).text);
	return err_hint(err, "choose one of %s", buf_text(&list));
}

static int check_cell(struct str text, const char *option, struct err *err)
{
	if (ANY(i, text.len, (unsigned char)text.ptr[i] < ' '))
		return err_set(err, ERR_VALUE, "--%s has a tab or a line break", option);
	return 0;
}

/* The types joined by blanks, as overlays have them; given with blanks or commas. */
static int put_correction_types(struct str given, struct buf *out, struct err *err)
{
	CLEANUP(buf_clear) struct buf words = BUF_UNLIMITED;
	unsigned types = 0;

	for (size_t i = 0; i < given.len; i++) {
		bool gap = given.ptr[i] == ',' || given.ptr[i] == ' ';

		if (!gap || !str_ends(buf_str(&words), STR(" ")))
			buf_byte(&words, gap ? ' ' : given.ptr[i]);
	}
	if (given.len && !dtypes_from(str_trim(buf_str(&words)), &types)) {
		err_set(err, ERR_VALUE, "--dtype: '%s' is not a list of data types", shown(given).text);
		return err_hint(err, "for example --dtype bf16,fp16");
	}
	words_put(out, &dtype_words, types, " ");
	return 0;
}

static struct str cell_or(struct str text, const char *otherwise)
{
	return text.len ? text : str_from(otherwise);
}

static void put_operator(struct buf *out, const struct lookup *lookup)
{
	buf_printf(
		out, "%.*s%s%.*s", STR_ARG(lookup->name), lookup->overload.len ? "." : "", STR_ARG(lookup->overload));
}

static void put_overlay_line(struct buf *out, const struct lookup *lookup, const struct target *target,
	const struct said *said, const struct correction *correction)
{
	const struct release *release = target->release;

	put_operator(out, lookup);
	buf_printf(out, "\t%.*s\t%.*s\t%.*s\t%.*s", STR_ARG(target_kind_name(release->target)), STR_ARG(release->name),
		STR_ARG(target->chip ? target->chip->family : STR(".")), STR_ARG(cell_or(correction->dtypes, ".")));
	buf_printf(out, "\t%.*s\t%.*s\t%.*s\t%.*s\t%.*s\n", STR_ARG(said->status), STR_ARG(said->flags),
		STR_ARG(cell_or(correction->reason, "observed on the device")),
		STR_ARG(cell_or(correction->evidence, "own observation")), STR_ARG(correction->date));
}

static void put_observation(struct buf *out, const struct lookup *lookup, const struct target *target,
	const struct said *said, const struct correction *correction)
{
	const struct release *release = target->release;
	CLEANUP(buf_clear) struct buf detail = BUF_UNLIMITED;

	buf_add(&detail, cell_or(correction->reason, "observed on the device"));
	if (correction->dtypes.len)
		buf_printf(&detail, " (%.*s)", STR_ARG(correction->dtypes));
	if (target->chip)
		buf_printf(&detail, " on %.*s", STR_ARG(target->chip->family));
	buf_printf(out, "%.*s,%.*s,%.*s,", STR_ARG(target_kind_name(release->target)), STR_ARG(release->torch),
		STR_ARG(release->plugin));
	put_operator(out, lookup);
	buf_printf(out, ",%.*s,", STR_ARG(word_for(&observed_words, said->observed)));
	csv_put_text(out, buf_str(&detail));
	buf_byte(out, ',');
	csv_put_text(out, correction->evidence);
	buf_printf(out, ",%.*s\n", STR_ARG(correction->date));
}

int correction_put(const struct lookup *lookup, const struct correction *given, bool as_observation, struct buf *out,
	struct err *err)
{
	CLEANUP(buf_clear) struct buf types = BUF_UNLIMITED;
	struct correction correction = *given;
	struct said said;
	int status = check_cell(given->reason, "reason", err) ?:
		check_cell(given->evidence, "evidence", err) ?:
		put_correction_types(given->dtypes, &types, err);

	if (status)
		return status;
	if (!find_status(given->observed, &said) && !find_observed(given->observed, &said))
		return unknown_word(given->observed, err);
	correction.dtypes = buf_str(&types);
	buf_add(out, as_observation
			     ? STR("target,torch_version,plugin_version,op,observed,detail,source,date\n")
			     : STR("# op\ttarget\treleases\tchip\tdtypes\tstatus\tflags\treason\tevidence\tdate\n"));
	for (size_t i = 0; i < lookup->count; i++)
		(as_observation ? put_observation : put_overlay_line)(
			out, lookup, lookup->answers[i].target, &said, &correction);
	return 0;
}
