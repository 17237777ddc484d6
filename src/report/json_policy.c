/* What a policy said, in the JSON report. */
#include "report/pieces.h"

enum { PPM_PLACES = 6 };

static void put_given(struct jsonw *json, const char *key, struct str value)
{
	if (value.len)
		jsonw_key_str(json, key, value);
}

static void put_waiver(struct jsonw *json, const struct result_waiver *waiver)
{
	jsonw_key(json, "waiver");
	jsonw_object(json);
	jsonw_key_str(json, "id", waiver->id);
	jsonw_key_str(json, "state", word_for(&waiver_words, waiver->state));
	jsonw_key_str(json, "reason", waiver->reason);
	put_given(json, "owner", waiver->owner);
	put_given(json, "ref", waiver->ref);
	put_given(json, "justification", waiver->justification);
	put_given(json, "until", waiver->until);
	jsonw_object_end(json);
}

void json_put_finding_policy(struct jsonw *json, const struct result_finding *finding)
{
	put_given(json, "fact", finding->fact);
	put_given(json, "age", word_for(&age_words, finding->age));
	if (finding->waiver)
		put_waiver(json, finding->waiver);
}

static void put_check(struct jsonw *json, const struct result_check *check)
{
	jsonw_object(json);
	jsonw_key_str(json, "name", check->name);
	jsonw_key_bool(json, "failed", check->failed);
	if (check->is_budget) {
		jsonw_key_decimal(json, "limit", check->limit_ppm, PPM_PLACES);
		jsonw_key(json, "measured");
		jsonw_object(json);
		jsonw_key_decimal(json, "lo", check->lo_ppm, PPM_PLACES);
		jsonw_key_decimal(json, "hi", check->hi_ppm, PPM_PLACES);
		jsonw_object_end(json);
	} else {
		jsonw_key_number(json, "counted", (int64_t)check->counted);
		jsonw_key_number(json, "waived", (int64_t)check->waived);
		jsonw_key_number(json, "known", (int64_t)check->known);
	}
	jsonw_object_end(json);
}

void json_put_checks(struct jsonw *json, const struct result_target *target)
{
	if (!target->check_count)
		return;
	jsonw_key(json, "checks");
	jsonw_list(json);
	for (size_t i = 0; i < target->check_count; i++)
		put_check(json, &target->checks[i]);
	jsonw_list_end(json);
}

static void put_source(struct jsonw *json, const struct result_source *source)
{
	jsonw_object(json);
	jsonw_key_str(json, "name", source->name);
	jsonw_key_str(json, "sha256", source->sha256);
	jsonw_key_number(json, "count", (int64_t)source->count);
	jsonw_object_end(json);
}

void json_put_policy(struct jsonw *json, const struct result_policy *policy)
{
	if (!policy->waiver_count && !policy->baseline.name.len)
		return;
	jsonw_key(json, "policy");
	jsonw_object(json);
	if (policy->waiver_count) {
		jsonw_key_str(json, "date", policy->date);
		jsonw_key(json, "waivers");
		jsonw_list(json);
		for (size_t i = 0; i < policy->waiver_count; i++)
			put_source(json, &policy->waivers[i]);
		jsonw_list_end(json);
	}
	if (policy->baseline.name.len) {
		jsonw_key(json, "baseline");
		put_source(json, &policy->baseline);
	}
	json_put_messages(json, "warnings", policy->warnings, policy->warning_count);
	jsonw_object_end(json);
}
