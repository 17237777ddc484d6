#pragma once
/*
 * The steps of one stream without those in which torch.compile was compiling or whose table was torn, and where in
 * them the shapes of operators change.
 */
#include "assess/model/operators.h"
#include "base/memory/map.h"

/* Steps of a stream that count, numbered from 1 without gaps. */
struct usable_steps {
	uint32_t stream;
	uint32_t *original; /* [1..count]: the step's number in the stream */
	uint32_t *up_to;    /* [0..steps of the stream]: how many of those up to and with it are usable */
	uint32_t count;
	uint32_t left_out; /* compiling ones */
};
void usable_steps_make(struct arena *arena, const struct profile *profile, uint32_t stream, struct usable_steps *ret);

/* One operator's set of shapes over steps [first, last]. */
struct segment {
	uint32_t first, last;
	uint32_t uses;      /* in the set */
	uint64_t signature; /* equal for equal sets; 0 for the empty one */
};

/* A use that joins or leaves the set at a step. */
struct step_event {
	uint32_t step;
	uint32_t use : 31;
	uint32_t joins : 1;
	uint64_t signature; /* of the use; negated when it leaves, so that the sum of them is that of the set */
};

struct op_history {
	struct segment *segments; /* cover all steps, each different from the one before */
	size_t count;
	struct step_event *events; /* by step */
	size_t event_count;
	bool cut;    /* some shapes were cut by their column */
	bool shapes; /* some were recorded */
};

/* The histories of all operators in the stream of the steps, ret[i] of items[i]; count is 0 when one has none there. */
void op_histories_make(struct arena *arena, const struct profile *profile, const struct usable_steps *steps,
	const struct operators *operators, struct op_history *ret);

/* Returns whether the set before segments[at] and its own are disjoint, and neither is empty. */
bool op_sets_are_disjoint(const struct op_history *history, size_t at);
/* Equal for steps at which the same uses join and leave. */
uint64_t op_events_hash(const struct op_history *history, uint32_t step);

/* A size that differs between a shape that leaves at a step and the most similar one that joins. */
struct size_change {
	uint16_t argument, tensor, dim;
	int64_t from, to;
};

/* The change at a step; of many changes of sizes the first. */
enum { MAX_CHANGES = 16 };
struct step_changes {
	struct size_change items[MAX_CHANGES];
	size_t count;
	bool came, went; /* shapes joined, shapes left */
};

/* Shapes of an operator that were read to be compared: most join at one step and leave at another. */
struct read_shapes {
	struct arena arena;
	struct read_shape *items; /* on the heap */
	size_t count, capacity;
	struct map by_use;
};
#define READ_SHAPES_INIT ((struct read_shapes){ .arena = ARENA_INIT(ARENA_UNLIMITED) })

/* Forgets them, before the next operator. */
void read_shapes_clear(struct read_shapes *shapes);

/* *read holds what earlier calls for the operator have read. */
struct step_changes op_changes_at(
	const struct profile *profile, const struct op_history *history, uint32_t step, struct read_shapes *read);
