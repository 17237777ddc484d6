/* What a policy said, read back from the JSON report. */
#include "report/load_policy.h"

/* A text that a report may lack: "". */
static struct str given(struct loader *loader, const cJSON *object, const char *key,
	struct str (*take)(struct loader *loader, const cJSON *object, const char *key))
{
	return cJSON_GetObjectItemCaseSensitive(object, key) ? take(loader, object, key) : STR("");
}

static const struct result_waiver *load_waiver(struct loader *loader, const cJSON *object)
{
	struct result_waiver *waiver = arena_alloc(loader->arena, sizeof(*waiver));

	waiver->id = value_word(loader, object, "id");
	waiver->state = value_enum(loader, object, "state", &waiver_words);
	waiver->reason = value_text(loader, object, "reason");
	waiver->owner = given(loader, object, "owner", value_text);
	waiver->ref = given(loader, object, "ref", value_text);
	waiver->justification = given(loader, object, "justification", value_word);
	waiver->until = given(loader, object, "until", value_word);
	return waiver;
}

void load_finding_policy(struct loader *loader, const cJSON *object, struct result_finding *ret)
{
	const cJSON *waiver = cJSON_GetObjectItemCaseSensitive(object, "waiver");

	ret->fact = given(loader, object, "fact", value_word);
	ret->age = cJSON_HasObjectItem(object, "age") ? value_enum(loader, object, "age", &age_words) : AGE_NONE;
	ret->waiver = waiver ? load_waiver(loader, waiver) : NULL;
}

static void load_check(struct loader *loader, const cJSON *object, struct result_check *ret)
{
	const cJSON *measured = cJSON_GetObjectItemCaseSensitive(object, "measured");

	ret->name = value_word(loader, object, "name");
	ret->failed = value_bool(loader, object, "failed");
	ret->is_budget = measured;
	if (measured) {
		ret->limit_ppm = value_share(loader, object, "limit");
		ret->lo_ppm = value_share(loader, measured, "lo");
		ret->hi_ppm = value_share(loader, measured, "hi");
		return;
	}
	ret->counted = value_count(loader, object, "counted");
	ret->waived = value_count(loader, object, "waived");
	ret->known = value_count(loader, object, "known");
}

void load_checks(struct loader *loader, const cJSON *object, struct result_target *ret)
{
	if (cJSON_GetObjectItemCaseSensitive(object, "checks"))
		LOAD_LIST(loader, object, "checks", ret->checks, ret->check_count, load_check);
}

static void load_source(struct loader *loader, const cJSON *object, struct result_source *ret)
{
	ret->name = value_text(loader, object, "name");
	ret->sha256 = value_word(loader, object, "sha256");
	ret->count = value_count(loader, object, "count");
}

void load_policy(struct loader *loader, const cJSON *root, struct result_policy *ret)
{
	const cJSON *policy = cJSON_GetObjectItemCaseSensitive(root, "policy");
	const cJSON *baseline = cJSON_GetObjectItemCaseSensitive(policy, "baseline");

	ret->date = ret->baseline.name = STR("");
	if (!policy)
		return;
	if (cJSON_GetObjectItemCaseSensitive(policy, "waivers")) {
		ret->date = value_word(loader, policy, "date");
		LOAD_LIST(loader, policy, "waivers", ret->waivers, ret->waiver_count, load_source);
	}
	if (baseline)
		load_source(loader, baseline, &ret->baseline);
	LOAD_LIST(loader, policy, "warnings", ret->warnings, ret->warning_count, load_message);
}
