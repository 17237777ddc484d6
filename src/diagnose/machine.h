#pragma once
/*
 * Software and devices of a machine, as far as files, Python, npu-smi and mthreads-gmi show them. No device is opened
 * and no plugin is imported.
 */
#include "base/memory/arena.h"
#include "diagnose/smi.h"
#include "opdb/model/release.h"

enum machine_part {
	PART_PYTHON,
	PART_TORCH,
	PART_TORCH_NPU,
	PART_CANN,
	PART_NPU_DRIVER,
	PART_NPU_FIRMWARE,
	PART_NPU_CHIP,
	PART_TORCH_MUSA,
	PART_MUSA_SDK,
	PART_MUSA_DRIVER,
	PART_MUSA_CHIP,
	PART_COUNT
};

/* "python", "torch", "torch_npu", "CANN" ... */
extern const struct str machine_part_names[PART_COUNT];

/* The devices of a family. */
struct machine_devices {
	struct smi_answer smi; /* what npu-smi or mthreads-gmi printed */
	bool no_answer;        /* the program exists and printed no device */
	size_t count;          /* of devices; 0: unknown */
	struct str source;     /* of the count: "npu-smi", "/dev/davinci*" */
};

struct machine {
	struct arena arena;
	struct machine_devices devices[TARGET_COUNT];
	struct {
		struct str version; /* "": not found */
		struct str path;    /* of the file or folder that says so */
	} parts[PART_COUNT];
	bool no_answer; /* the Python that was asked did not say what it has */
};

struct machine_search {
	const char *root;   /* folder that is taken for "/" */
	const char *python; /* to be asked for its packages; NULL: packages are looked for in the root */
	bool tools;         /* ask npu-smi and mthreads-gmi, where PATH has them */
	uint64_t seconds;   /* for an answer */
};

/* Clear it in any case. */
void machine_look(const struct machine_search *search, struct machine *ret);
void machine_clear(struct machine *machine);
