#include "assess/gate.h"

#include "base/mem.h"
#include "base/utf8.h"

static const char *const dynamic_words[] = { "dynamic-bounded", "dynamic-unbounded", "dynamic-last-batch",
	"dynamic-data-dependent", "dynamic-warm-up", "dynamic-unknown" };

static bool take_status(struct gate *gate, struct str word)
{
	for (unsigned i = OP_NATIVE_JIT; i < OP_STATUS_COUNT; i++) {
		if (str_eq(op_status_name((enum op_status)i), word)) {
			gate->statuses |= 1u << i;
			return true;
		}
	}
	return false;
}

static bool take_flag(struct gate *gate, struct str word)
{
	for (unsigned i = 0; i < OP_FLAG_COUNT; i++) {
		if (str_eq(op_flag_name(i), word)) {
			gate->flags |= 1u << i;
			return true;
		}
	}
	return false;
}

static bool has_kind(const struct gate *gate, struct str kind)
{
	for (size_t i = 0; i < gate->dynamic_count; i++) {
		if (str_eq(gate->dynamic[i], kind))
			return true;
	}
	return false;
}

static bool take_dynamic(struct gate *gate, struct str word)
{
	for (size_t i = 0; i < ARRAY_SIZE(dynamic_words); i++) {
		struct str kind = str_skip(str_from(dynamic_words[i]), strlen("dynamic-"));

		if (!str_eq(str_from(dynamic_words[i]), word))
			continue;
		if (!has_kind(gate, kind))
			gate->dynamic[gate->dynamic_count++] = kind;
		return true;
	}
	return false;
}

static bool take_conditional(struct gate *gate, struct str word)
{
	gate->conditional |= str_eq(word, STR("conditional"));
	return str_eq(word, STR("conditional"));
}

int gate_parse(struct gate *gate, struct str words, struct err *err)
{
	struct str word;

	while (str_cut(&words, ',', &word)) {
		word = str_trim(word);
		if (take_status(gate, word) || take_flag(gate, word) || take_dynamic(gate, word) || take_conditional(gate, word))
			continue;
		err_set(err, ERR_VALUE, "the gate does not know '%s'", shown(word).text);
		return err_hint(err, "use statuses (unsupported, needs-package, cpu-fallback, unknown ...), flags (host-path ...), "
				     "dynamic-unbounded and the like, or conditional");
	}
	return 0;
}

bool gate_is_empty(const struct gate *gate)
{
	return !gate->statuses && !gate->flags && !gate->dynamic_count && !gate->conditional;
}

static void put_word(struct buf *buf, size_t start, struct str word)
{
	if (buf->len > start)
		buf_byte(buf, ',');
	buf_add(buf, word);
}

void gate_put(struct buf *buf, const struct gate *gate)
{
	size_t start = buf->len;

	for (unsigned i = 0; i < OP_STATUS_COUNT; i++) {
		if (gate->statuses & 1u << i)
			put_word(buf, start, op_status_name((enum op_status)i));
	}
	for (unsigned i = 0; i < OP_FLAG_COUNT; i++) {
		if (gate->flags & 1u << i)
			put_word(buf, start, op_flag_name(i));
	}
	for (size_t i = 0; i < ARRAY_SIZE(dynamic_words); i++) {
		struct str word = str_from(dynamic_words[i]);

		if (has_kind(gate, str_skip(word, strlen("dynamic-"))))
			put_word(buf, start, word);
	}
	if (gate->conditional)
		put_word(buf, start, STR("conditional"));
}

bool gate_stops(const struct gate *gate, const struct judgement *judgement, struct str dynamic_kind)
{
	if ((gate->statuses & 1u << judgement->status) || (gate->flags & judgement->flags))
		return true;
	if (gate->conditional && judgement->best != judgement->worst)
		return true;
	return has_kind(gate, dynamic_kind);
}
