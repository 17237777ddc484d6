#include "dump/common/device.h"

#include <cjson/cJSON.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "json/walk.h"

const char *device_kind_name(enum device_kind kind)
{
	static const char *const names[] = { [DEVICE_UNKNOWN] = "",
		[DEVICE_NPU] = "npu",
		[DEVICE_MUSA] = "musa",
		[DEVICE_AIU] = "aiu",
		[DEVICE_HPU] = "hpu",
		[DEVICE_MLU] = "mlu",
		[DEVICE_MTIA] = "mtia",
		[DEVICE_ROCM] = "rocm",
		[DEVICE_XLA] = "xla",
		[DEVICE_XPU] = "xpu" };

	return names[kind];
}

bool device_is_target(enum device_kind kind)
{
	return kind == DEVICE_NPU || kind == DEVICE_MUSA;
}

void device_observe(struct device_facts *facts, enum device_kind kind, const char *sign)
{
	if (facts->kind == DEVICE_UNKNOWN && kind != DEVICE_UNKNOWN) {
		facts->kind = kind;
		facts->sign = sign;
	}
}

/* Versions and names of chips are ASCII; whatever else stands there must not reach a page or a terminal. */
void device_set(char ret[static DEVICE_TEXT_BYTES], struct str text)
{
	size_t len = 0;

	text = str_trim(text);
	for (size_t i = 0; i < text.len && len + 1 < DEVICE_TEXT_BYTES; i++)
		ret[len++] = (char)(text.ptr[i] >= ' ' && text.ptr[i] <= '~' ? text.ptr[i] : '?');
	ret[len] = '\0';
}

/* --- names */

/* Spellings that only this vendor's profiler writes: "hccl" is the library of Gaudi and of MTIA, too. Those that end
   in "^" are followed by a capital letter. Sources: FORMATS 6 and 7; torch_npu/csrc
   (https://gitcode.com/Ascend/pytorch), MooreThreads' Kineto (https://github.com/MooreThreads/kineto),
   src/aiu_trace_analyzer/types.py of IBM/aiu-trace-analyzer, TORCH_LIBRARY(hpu) of HabanaAI/gaudi-pytorch-bridge,
   ROCm's runtime, Intel's unified runtime and Level Zero. */
static const struct {
	const char *beginning;
	enum device_kind kind;
} name_signs[] = {
	{ "npu::", DEVICE_NPU },
	{ "aten::npu_", DEVICE_NPU },
	{ "aclnn^", DEVICE_NPU },
	{ "AscendCL@", DEVICE_NPU },
	{ "Dequeue@aclnn", DEVICE_NPU },
	{ "musa^", DEVICE_MUSA },
	{ "mccl:", DEVICE_MUSA },
	{ "aiu^", DEVICE_AIU },
	{ "hpu::", DEVICE_HPU },
	{ "cncl:", DEVICE_MLU },
	{ "hip^", DEVICE_ROCM },
	{ "xla::", DEVICE_XLA },
	{ "torch_xla::", DEVICE_XLA },
	{ "urEnqueue^", DEVICE_XPU },
	{ "zeCommandList^", DEVICE_XPU },
};

static bool begins(struct str name, struct str beginning)
{
	bool capital = str_ends(beginning, STR("^"));

	if (capital)
		beginning = str_chop(beginning, 1);
	return str_starts(name, beginning) &&
	       (!capital || (name.len > beginning.len && is_alpha(name.ptr[beginning.len]) &&
				    !is_lower(name.ptr[beginning.len])));
}

void device_observe_name(struct device_facts *facts, struct str name)
{
	struct str aten = STR("aten::");

	/* nearly all names: a reader asks for every row */
	if (str_starts(name, aten) && !str_starts(str_skip(name, aten.len), STR("npu_")))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(name_signs) && facts->kind == DEVICE_UNKNOWN; i++) {
		if (begins(name, str_from(name_signs[i].beginning)))
			device_observe(facts, name_signs[i].kind, "names");
	}
}

enum device_kind device_of_word(struct str word)
{
	static const struct {
		const char *word;
		enum device_kind kind;
	} words[] = {
		{ "NPU", DEVICE_NPU },
		{ "MUSA", DEVICE_MUSA },
		{ "mccl", DEVICE_MUSA },
		{ "HPU", DEVICE_HPU },
		{ "MLU", DEVICE_MLU },
		{ "cncl", DEVICE_MLU },
		{ "MTIA", DEVICE_MTIA },
		{ "XLA", DEVICE_XLA },
		{ "XPU", DEVICE_XPU },
		{ "xccl", DEVICE_XPU },
	};
	size_t at = POSITION(i, ARRAY_SIZE(words), str_eq_fold(str_from(words[i].word), word));

	return at < ARRAY_SIZE(words) ? words[at].kind : DEVICE_UNKNOWN;
}

/* --- the top of a trace */

static void see_properties(struct device_facts *facts, const struct json_value *list)
{
	static const struct {
		const char *beginning;
		enum device_kind kind;
	} vendors[] = { { "MTT ", DEVICE_MUSA }, { "AMD ", DEVICE_ROCM }, { "Intel(R) ", DEVICE_XPU } };
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct json_walk walk = json_walk(list);
	struct json_value item, name;

	if (!json_walk_next(&walk, &name, &item) || !json_member(&item, STR("name"), &name) || name.kind != JSON_STRING)
		return;
	json_text(&text, &name);
	device_set(facts->chip, buf_str(&text));
	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++) {
		if (str_starts(buf_str(&text), str_from(vendors[i].beginning)))
			device_observe(facts, vendors[i].kind, "events");
	}
}

void device_observe_member(struct device_facts *facts, struct str key, const struct json_value *value)
{
	struct json_value backend;

	if (str_eq(key, STR("musa_runtime_version")) || str_eq(key, STR("musa_driver_version")))
		device_observe(facts, DEVICE_MUSA, "events");
	else if (str_eq(key, STR("hip_runtime_version")) || str_eq(key, STR("hip_driver_version")))
		device_observe(facts, DEVICE_ROCM, "events");
	else if (str_eq(key, STR("deviceProperties")) && value->kind == JSON_LIST)
		see_properties(facts, value);
	else if (str_eq(key, STR("distributedInfo")) && json_member(value, STR("backend"), &backend) &&
		 backend.kind == JSON_STRING)
		device_observe(facts, device_of_word(backend.raw), "backend");
}

/* --- the file beside a dump */

static void see_text(const cJSON *root, const char *key, char ret[static DEVICE_TEXT_BYTES])
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(root, key);

	if (cJSON_IsString(value))
		device_set(ret, str_from(value->valuestring));
}

/* Keys of a file as torch_npu 2.7.1 writes it; older ones write no versions:
   https://gitcode.com/Ascend/msinsight/blob/master/test/st/level2/rank_1_ascend_pt/profiler_info_1.json */
bool device_observe_info(struct device_facts *facts, struct str json)
{
	cJSON *root = cJSON_ParseWithLength(json.ptr ? json.ptr : "", json.len);
	bool known = cJSON_IsObject(root) && cJSON_HasObjectItem(root, "config") &&
		     cJSON_HasObjectItem(root, "start_info");

	if (known) {
		device_observe(facts, DEVICE_NPU, "info");
		see_text(root, "torch_npu_version", facts->plugin);
		see_text(root, "cann_version", facts->cann);
		see_text(root, "torch_version", facts->torch);
	}
	cJSON_Delete(root);
	return known;
}
