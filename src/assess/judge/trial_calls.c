#include "assess/judge/trial_calls.h"

/* Of one use of the operator. */
static enum holds test_use(const struct trial *trial, struct str test, const struct profile_use *use)
{
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	const struct call_facts *call_facts = trial->judge->call_facts;
	struct use_facts facts;
	struct shape sizes = { .sizes = NULL };
	struct tested_call call = {
		.base = trial->op->base, .call = &facts.call, .sizes = &sizes, .captured = call_facts->captured
	};

	if (!call_facts_of_use(&call_facts->choices[trial->index], use, &facts))
		facts = (struct use_facts){ .params = NULL };
	else if (!shape_parse(&scratch, use->shapes, &sizes))
		sizes = (struct shape){ .sizes = NULL };
	call.params = facts.params;
	return call_test(&call, test);
}

enum holds trial_test_calls(const struct trial *trial, struct str test)
{
	enum holds most = HOLDS_NOT;
	size_t count;
	const struct profile_use *uses = profile_uses(trial->judge->profile, &count);

	for (size_t i = 0; i < trial->op->use_count && most < HOLDS; i++) {
		const struct profile_use *use = &uses[trial->op->uses[i]];
		enum holds one = use->calls ? test_use(trial, test, use) : HOLDS_NOT;

		most = one > most ? one : most;
	}
	return most;
}
