#pragma once
/*
 * Software of a machine for PyTorch on a device, as far as files show it. No device is opened and no plugin is
 * imported.
 */
#include "base/memory/arena.h"

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

struct machine {
	struct arena arena;
	struct {
		struct str version; /* "": not found */
		struct str path;    /* of the file or folder that says so */
	} parts[PART_COUNT];
	bool no_answer; /* the Python that was asked did not say what it has */
};

struct machine_search {
	const char *root;   /* folder that is taken for "/" */
	const char *python; /* to be asked for its packages; NULL: packages are looked for in the root */
	uint64_t seconds;   /* for its answer */
};

/* Clear it with arena_clear(&ret->arena). */
void machine_look(const struct machine_search *search, struct machine *ret);
