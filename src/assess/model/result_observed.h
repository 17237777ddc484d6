#pragma once
/*
 * Observations in a dump made on a device. See result.h.
 *
 * An observation names its evidence. Device time of kernels, or kernels that are known, prove that an operator ran on
 * the device. That its name was recorded proves that it was called, and calls that follow each other that those
 * before returned. Absence proves nothing.
 */
#include "assess/model/message.h"
#include "base/value/words.h"

/* Where a dump was made; kind is "" where it does not tell, or where that is no device of ours. */
struct result_device {
	struct str kind, sign;                /* "npu"; what tells: "columns" ... */
	struct str torch, plugin, cann, chip; /* "" where the dump does not say */
	struct str release;                   /* the target that it was made on, "" when unknown */
};

/* Where an operator was seen to run: the later of these overrules. WHERE_NONE: a dump that was not made on a device. */
enum where {
	WHERE_NONE,
	WHERE_CALLED,
	WHERE_RAN,
	WHERE_DEVICE,
	WHERE_AICPU,
	WHERE_HOST,
	WHERE_RAISED,
	WHERE_ABSENT,
	WHERE_COUNT
};

struct result_observed {
	enum where where;
	struct message *evidence; /* what proves it */
	size_t evidence_count;
};
