/* What a device showed, in the JSON report. */
#include "report/pieces.h"

enum { US_PLACES = 3, SHARE_PLACES = 6 };

void json_put_device(struct jsonw *json, const struct result_device *device)
{
	if (!device->kind.len)
		return;
	jsonw_key(json, "device");
	jsonw_object(json);
	jsonw_key_str(json, "kind", device->kind);
	jsonw_key_str(json, "sign", device->sign);
	jsonw_key_str(json, "torch", device->torch);
	jsonw_key_str(json, "plugin", device->plugin);
	jsonw_key_str(json, "cann", device->cann);
	jsonw_key_str(json, "chip", device->chip);
	jsonw_key_str(json, "release", device->release);
	jsonw_object_end(json);
}

void json_put_observed(struct jsonw *json, const struct result_observed *observed)
{
	if (observed->where == WHERE_NONE)
		return;
	jsonw_key(json, "observed");
	jsonw_object(json);
	jsonw_key_str(json, "where", word_for(&where_words, observed->where));
	json_put_messages(json, "evidence", observed->evidence, observed->evidence_count);
	jsonw_object_end(json);
}

static void put_share(struct jsonw *json, const char *key, int64_t ppm)
{
	jsonw_key(json, key);
	if (ppm < 0)
		jsonw_raw(json, STR("null"));
	else
		jsonw_decimal(json, ppm, SHARE_PLACES);
}

static void put_sums(struct jsonw *json, const struct agreement *agreement)
{
	jsonw_key(json, "counts");
	jsonw_object(json);
	for (size_t i = 0; i < agreement->sum_count; i++) {
		const struct agreement_sum *sum = &agreement->sums[i];

		jsonw_key_view(json, word_for(&outcome_words, sum->outcome));
		jsonw_object(json);
		jsonw_key_number(json, "operators", (int64_t)sum->operators);
		jsonw_key_number(json, "calls", (int64_t)sum->calls);
		jsonw_key_decimal(json, "device_us", sum->device_ns, US_PLACES);
		jsonw_object_end(json);
	}
	jsonw_object_end(json);
}

static void put_entry(struct jsonw *json, const struct agreement_entry *entry)
{
	jsonw_object(json);
	jsonw_key_str(json, "operator", entry->operator_name);
	jsonw_key_str(json, "outcome", word_for(&outcome_words, entry->outcome));
	jsonw_key_str(json, "predicted", word_for(&predicted_words, entry->predicted));
	jsonw_key_str(json, "observed", word_for(&where_words, entry->observed));
	if (entry->implied)
		jsonw_key_bool(json, "implied", true);
	jsonw_key_number(json, "calls", (int64_t)entry->calls);
	jsonw_key_decimal(json, "self_device_us", entry->self_device_ns, US_PLACES);
	json_put_messages(json, "evidence", entry->evidence, entry->evidence_count);
	jsonw_object_end(json);
}

void json_put_agreement(struct jsonw *json, const struct agreement *agreement)
{
	jsonw_object(json);
	jsonw_key_str(json, "target", agreement->target);
	jsonw_key_bool(json, "made_on", agreement->made_on);
	jsonw_key_str(json, "state", word_for(&agreement_words, agreement->state));
	jsonw_key(json, "score");
	jsonw_object(json);
	put_share(json, "operators", agreement->score.operators_ppm);
	put_share(json, "calls", agreement->score.calls_ppm);
	put_share(json, "time", agreement->score.time_ppm);
	jsonw_object_end(json);
	put_sums(json, agreement);
	jsonw_key(json, "operators");
	jsonw_list(json);
	for (size_t i = 0; i < agreement->entry_count; i++)
		put_entry(json, &agreement->entries[i]);
	jsonw_list_end(json);
	jsonw_object_end(json);
}

void json_put_agreements(struct jsonw *json, const struct result *result)
{
	jsonw_list(json);
	for (size_t i = 0; i < result->agreement_count; i++)
		json_put_agreement(json, &result->agreements[i]);
	jsonw_list_end(json);
}
