#include "opdb/model/status.h"

static const struct str status_names[OP_STATUS_COUNT] = { STR("native"), STR("native-jit"), STR("composite"),
	STR("equivalent"), STR("cpu-fallback"), STR("unsupported"), STR("needs-package"), STR("unknown") };

static const enum status_class classes[OP_STATUS_COUNT] = {
	[OP_NATIVE] = CLASS_DEVICE,
	[OP_NATIVE_JIT] = CLASS_DEVICE,
	[OP_COMPOSITE] = CLASS_DEVICE,
	[OP_EQUIVALENT] = CLASS_DEVICE,
	[OP_CPU_FALLBACK] = CLASS_CPU,
	[OP_UNSUPPORTED] = CLASS_BLOCKED,
	[OP_NEEDS_PACKAGE] = CLASS_BLOCKED,
	[OP_UNKNOWN] = CLASS_UNKNOWN,
};

static const struct str flag_names[OP_FLAG_COUNT] = { STR("host-path"), STR("aicpu"), STR("jit-compile"),
	STR("dtype-limited"), STR("soc-limited"), STR("mixed-overloads"), STR("reported-broken"), STR("implied"),
	STR("inferred"), STR("overlay"), STR("untested") };

static const struct str evidence_names[EVIDENCE_KINDS] = { STR("source"), STR("vendor-doc"), STR("inferred"),
	STR("report"), STR("measured"), STR("overlay") };

static const struct str observed_names[OBSERVED_COUNT] = { STR("native"), STR("cpu_fallback"), STR("not_implemented"),
	STR("dtype_limited"), STR("dynamic_shape"), STR("aicpu"), STR("crash"), STR("wrong_result") };

const struct words op_status_words = { status_names, OP_STATUS_COUNT, OP_UNKNOWN };
const struct words evidence_kind_words = { evidence_names, EVIDENCE_KINDS, EVIDENCE_INFERRED };
const struct words observed_words = { observed_names, OBSERVED_COUNT, OBSERVED_NATIVE };

struct str op_status_name(enum op_status status)
{
	return status_names[status];
}

enum status_class op_status_class(enum op_status status)
{
	return classes[status];
}

struct str op_flag_name(unsigned number)
{
	return flag_names[number];
}

struct str evidence_kind_name(enum evidence_kind kind)
{
	return evidence_names[kind];
}

bool op_status_from(struct str text, enum op_status *ret)
{
	unsigned status;
	bool found = word_find(&op_status_words, text, &status);

	*ret = status;
	return found;
}
