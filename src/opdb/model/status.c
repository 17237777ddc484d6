#include "opdb/model/status.h"

static const struct {
	struct str name;
	enum status_class status_class;
} statuses[OP_STATUS_COUNT] = {
	[OP_NATIVE] = { STR("native"), CLASS_DEVICE },
	[OP_NATIVE_JIT] = { STR("native-jit"), CLASS_DEVICE },
	[OP_COMPOSITE] = { STR("composite"), CLASS_DEVICE },
	[OP_EQUIVALENT] = { STR("equivalent"), CLASS_DEVICE },
	[OP_CPU_FALLBACK] = { STR("cpu-fallback"), CLASS_CPU },
	[OP_UNSUPPORTED] = { STR("unsupported"), CLASS_BLOCKED },
	[OP_NEEDS_PACKAGE] = { STR("needs-package"), CLASS_BLOCKED },
	[OP_UNKNOWN] = { STR("unknown"), CLASS_UNKNOWN },
};

static const struct str flag_names[OP_FLAG_COUNT] = {
	STR("host-path"),
	STR("aicpu"),
	STR("jit-compile"),
	STR("dtype-limited"),
	STR("soc-limited"),
	STR("mixed-overloads"),
	STR("reported-broken"),
	STR("implied"),
	STR("inferred"),
	STR("overlay"),
};

static const struct str evidence_names[] = { STR("source"), STR("vendor-doc"), STR("inferred"), STR("report"),
	STR("measured"), STR("overlay") };

struct str op_status_name(enum op_status status)
{
	return statuses[status].name;
}

enum status_class op_status_class(enum op_status status)
{
	return statuses[status].status_class;
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
	for (unsigned i = 0; i < OP_STATUS_COUNT; i++) {
		if (str_eq(text, statuses[i].name)) {
			*ret = i;
			return true;
		}
	}
	return false;
}
