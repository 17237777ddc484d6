#pragma once
/* The tables of `npu-smi info` and `mthreads-gmi`: driver, devices and their state. */
#include "base/memory/arena.h"
#include "base/memory/mem.h"

struct smi_device {
	struct str name;   /* "910B3", "MTT S4000" */
	struct str health; /* "OK", "Alarm" ...; "" where the table has none */
};

struct smi_answer {
	struct str driver; /* "25.5.0"; "" when it is not named */
	MEM_LIST(struct smi_device) devices;
	size_t processes; /* on any of them */
};

/* Reads the table that a program printed. Texts are copied into the arena. Free the devices. */
void smi_read_npu(struct arena *arena, struct str text, struct smi_answer *ret);
void smi_read_musa(struct arena *arena, struct str text, struct smi_answer *ret);
