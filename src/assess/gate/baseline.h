#pragma once
/* A baseline beside a result: findings fixed and new, targets with another word, captures that do not compare. */
#include "assess/compare/share_base.h"

struct baseline {
	struct baseline_finding {
		struct str fingerprint, target; /* "": of any */
	} * known;                              /* by fingerprint, on the heap */
	size_t known_count;
	struct baseline_target {
		struct str id;
		enum headline_word word;
	} * targets; /* with a headline */
	size_t target_count;
	struct share_base base;
};

/* Keeps what is compared of an earlier result; texts in arena. baseline_clear frees the rest. */
struct baseline baseline_of(const struct result *earlier, struct arena *arena);
void baseline_clear(struct baseline *baseline);

bool baseline_has(const struct baseline *baseline, struct str fingerprint);

/* Sets the changes of the result's policy, before findings are waived. */
void baseline_compare(const struct baseline *baseline, struct result *result);
