#include "assess/gate/gate.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/nearest.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"

static const struct {
	const char *word;
	enum dynamic_kind kind;
} gate_kinds[] = {
	{ "dynamic-bounded", DYNAMIC_BOUNDED },
	{ "dynamic-unbounded", DYNAMIC_UNBOUNDED },
	{ "dynamic-last-batch", DYNAMIC_LAST_BATCH },
	{ "dynamic-data-dependent", DYNAMIC_DATA_DEPENDENT },
	{ "dynamic-warm-up", DYNAMIC_WARM_UP },
	{ "dynamic-unknown", DYNAMIC_UNKNOWN },
};

/* The list of all words: every status but native, every flag, the kinds, one more, and what a scan says but fine. */
enum {
	STATUS_WORDS = OP_STATUS_COUNT - OP_NATIVE_JIT,
	FLAGS_FROM = STATUS_WORDS,
	KINDS_FROM = FLAGS_FROM + OP_FLAG_COUNT,
	CONDITIONAL = KINDS_FROM + ARRAY_SIZE(gate_kinds),
	SOURCE_FROM,
	WORDS = SOURCE_FROM + SOURCE_FINE,
};

/* The rules whose findings say the same as a word. */
static const struct {
	const char *word, *rule;
} rules_of_words[] = {
	{ "native-jit", "op-compiles" },
	{ "native-jit", "shape-recompile" },
	{ "cpu-fallback", "op-cpu-fallback" },
	{ "unsupported", "op-unsupported" },
	{ "needs-package", "op-needs-package" },
	{ "unknown", "op-unknown" },
	{ "host-path", "op-host-path" },
	{ "aicpu", "op-aicpu" },
	{ "jit-compile", "op-compiles" },
	{ "jit-compile", "shape-recompile" },
	{ "dtype-limited", "op-dtype" },
	{ "soc-limited", "op-chip" },
	{ "mixed-overloads", "op-overload" },
	{ "reported-broken", "op-reported-broken" },
	{ "reported-broken", "op-reported-crash" },
	{ "reported-broken", "op-reported-wrong" },
	{ "untested", "op-untested" },
	{ "overlay", "op-overlay" },
	{ "overlay", "op-overlay-limit" },
	{ "dynamic-bounded", "shape-varying" },
	{ "dynamic-unbounded", "shape-varying" },
	{ "dynamic-last-batch", "shape-varying" },
	{ "dynamic-data-dependent", "shape-data-dependent" },
	{ "conditional", "op-unknown" },
};

size_t gate_word_count(void)
{
	return WORDS;
}

struct str gate_word(size_t index)
{
	if (index < FLAGS_FROM)
		return op_status_name((enum op_status)(OP_NATIVE_JIT + index));
	if (index < KINDS_FROM)
		return op_flag_name((unsigned)(index - FLAGS_FROM));
	if (index < CONDITIONAL)
		return str_from(gate_kinds[index - KINDS_FROM].word);
	return index == CONDITIONAL ? STR("conditional")
				    : word_for(&source_action_words, (unsigned)index - SOURCE_FROM);
}

/* Words of verdicts and headlines, and the gate's for them. */
static const struct {
	struct str word, meant;
} other_words[] = {
	{ STR("blocked"), STR("unsupported,needs-package") },
	{ STR("stops"), STR("unsupported") },
	{ STR("package"), STR("needs-package") },
	{ STR("inconclusive"), STR("unknown,conditional") },
	{ STR("fallback"), STR("cpu-fallback") },
	{ STR("ai-cpu"), STR("aicpu") },
};

static int unknown_word(struct str word, struct err *err)
{
	CLEANUP(buf_clear) struct buf words = BUF_INIT(1000);
	struct nearest nearest = NEAREST_TO(word);

	for (size_t i = 0; i < WORDS; i++) {
		nearest_offer(&nearest, gate_word(i));
		buf_printf(&words, "%s%.*s", i ? ", " : "", STR_ARG(gate_word(i)));
	}
	err_set(err, ERR_VALUE, "the gate does not know '%s'", shown(word).text);
	for (size_t i = 0; i < ARRAY_SIZE(other_words); i++) {
		if (str_eq_fold(word, other_words[i].word))
			return err_hint(err, "%.*s means %.*s; the words are %s", STR_ARG(other_words[i].word),
				STR_ARG(other_words[i].meant), buf_text(&words));
	}
	if (nearest.count)
		return err_hint(
			err, "did you mean %.*s? The words are %s", STR_ARG(nearest.names[0]), buf_text(&words));
	return err_hint(err, "the words are %s", buf_text(&words));
}

int gate_parse(struct gate *gate, struct str words, struct err *err)
{
	struct str word;

	while (str_cut(&words, ',', &word)) {
		size_t at;

		word = str_trim(word);
		at = POSITION(i, WORDS, str_eq(gate_word(i), word));
		if (at == WORDS)
			return unknown_word(word, err);
		gate->words |= UINT64_C(1) << at;
	}
	return 0;
}

void gate_put(struct buf *buf, const struct gate *gate, char between)
{
	size_t start = buf->len;

	for (size_t i = 0; i < WORDS; i++) {
		if (!gate_has(gate, i))
			continue;
		if (buf->len > start)
			buf_byte(buf, between);
		buf_add(buf, gate_word(i));
	}
}

/* Conditions of the kinds that begin so. Types that are open are no ground: not every answer brings them. */
static size_t count_conditions(const struct result_verdict *verdict, const char *prefix)
{
	return SUM(i, verdict->condition_count,
		str_starts(str_from(verdict->conditions[i].id), str_from(prefix)) &&
			strcmp(verdict->conditions[i].id, "op-dtype-open") != 0);
}

static bool has_certain_flag(const struct result_verdict *verdict, unsigned flag)
{
	bool open = ANY(i, verdict->condition_count, strcmp(verdict->conditions[i].id, "op-dtype-open") == 0);

	return verdict->flags & flag && (!open || flag != FLAG_DTYPE_LIMITED || count_conditions(verdict, "op-dtype"));
}

bool gate_word_stops(size_t index, const struct result_verdict *verdict, enum dynamic_kind kind)
{
	if (index < FLAGS_FROM)
		return verdict->status == (enum op_status)(OP_NATIVE_JIT + index) && !(verdict->flags & FLAG_HOST_WORK);
	if (index < KINDS_FROM)
		return has_certain_flag(verdict, 1u << (index - FLAGS_FROM));
	if (index < CONDITIONAL)
		return kind == gate_kinds[index - KINDS_FROM].kind;
	if (index != CONDITIONAL)
		return false; /* of scripts alone */
	return count_conditions(verdict, "") || verdict->status == OP_UNKNOWN;
}

bool gate_word_is_of(size_t index, const struct result_verdict *verdict, struct str rule)
{
	if (ANY(i, ARRAY_SIZE(rules_of_words),
		    str_eq(str_from(rules_of_words[i].word), gate_word(index)) &&
			    str_eq(str_from(rules_of_words[i].rule), rule)))
		return true;
	return index == CONDITIONAL &&
	       ANY(i, verdict->condition_count, str_eq(str_from(verdict->conditions[i].id), rule));
}

bool gate_word_stops_source(size_t index, const struct result_finding *finding)
{
	return index >= SOURCE_FROM && finding->site && finding->site->action == index - SOURCE_FROM;
}
