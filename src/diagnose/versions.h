#pragma once
/*
 * The versions of PyTorch, plugin and CANN that lines of a log name: "torch_npu==2.1.0.post3", "PyTorch version:
 * 2.1.0", "ascend-toolkit/8.0.RC2".
 */
#include "diagnose/machine.h"

/* Notes those of a line, the first one of each; texts, and the place where it is, are copied into the arena. */
void versions_note(struct machine *machine, struct arena *arena, struct str place, struct str line);
