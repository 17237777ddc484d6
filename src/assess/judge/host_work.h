#pragma once
/* Operators that only a DataLoader calls: they prepare batches on the host, whatever the device. */
#include "assess/judge/judgement.h"

/* Returns, by operator, whether the links show that all of its calls ran in a DataLoader and none on a device. An
   operator of which the user assumes something is none. In arena. */
bool *host_work_find(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const struct assumption_list *assumptions);

/* Judges such an operator: PyTorch's own kernel for the CPU runs it. The status stays where the target runs it. */
void host_work_judge(struct judgement *judgement);
