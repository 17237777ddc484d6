#pragma once
/*
 * The device and releases of a dump, as far as the dump names them.
 *
 * Only Ascend NPUs and Moore Threads' GPUs are targets: what was recorded on another accelerator says nothing about
 * them. NVIDIA's GPUs are the usual case, which has no kind.
 */
#include "json/value.h"

enum device_kind {
	DEVICE_UNKNOWN,
	DEVICE_NPU,
	DEVICE_MUSA,
	DEVICE_AIU,  /* IBM */
	DEVICE_HPU,  /* Intel Gaudi */
	DEVICE_MLU,  /* Cambricon */
	DEVICE_MTIA, /* Meta */
	DEVICE_ROCM, /* AMD */
	DEVICE_XLA,  /* TPU and others behind XLA */
	DEVICE_XPU,  /* GPUs of Intel */
};

enum { DEVICE_TEXT_BYTES = 48 };

struct device_facts {
	enum device_kind kind;
	/* the evidence: "columns", "names", "tables", "database", "events", "backend", "warnings", "info" */
	const char *sign;
	/* Versions of PyTorch, of the plugin and of CANN, and the chip; "" where the dump does not say. Printable. */
	char torch[DEVICE_TEXT_BYTES], plugin[DEVICE_TEXT_BYTES], cann[DEVICE_TEXT_BYTES], chip[DEVICE_TEXT_BYTES];
};

/* "npu", "musa", "rocm" ..., "". Static text. */
const char *device_kind_name(enum device_kind kind);

/* Returns whether predictions exist for the device, so that a dump made on it can prove them. */
bool device_is_target(enum device_kind kind);

/* Takes a sign; the first one holds. sign is static text. */
void device_observe(struct device_facts *facts, enum device_kind kind, const char *sign);

/* A recorded name may be one that only a device's plugin or runtime has: "npu::npu_format_cast", "aclnnMm",
   "musaMalloc". */
void device_observe_name(struct device_facts *facts, struct str name);

/* The word for a device in the header of a table, a warning, or a backend: "NPU", "musa", "xccl". DEVICE_UNKNOWN for
   others, and for "hccl", which is the backend of several. */
enum device_kind device_of_word(struct str word);

/* A member at the top of a trace: "deviceProperties", "distributedInfo", "hip_driver_version". */
void device_observe_member(struct device_facts *facts, struct str key, const struct json_value *value);

/* Read profiler_info_RANK.json of torch_npu. False, without a change, for any other file. */
bool device_observe_info(struct device_facts *facts, struct str json);

/* Copies text: printable, trimmed, cut where it does not fit. */
void device_set(char ret[static DEVICE_TEXT_BYTES], struct str text);
