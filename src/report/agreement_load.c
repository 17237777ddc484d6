/* What a device showed, read back from the JSON report. Reports of other dumps have none of it. */
#include "report/load_pieces.h"
#include "report/load_seen.h"

static void clear_device(struct result_device *ret)
{
	*ret = (struct result_device){ STR(""), STR(""), STR(""), STR(""), STR(""), STR(""), STR("") };
}

void load_device(struct loader *loader, const cJSON *input, struct result_device *ret)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(input, "device");

	clear_device(ret);
	if (!object)
		return;
	ret->kind = value_word(loader, object, "kind");
	ret->sign = value_word(loader, object, "sign");
	ret->torch = value_line(loader, object, "torch");
	ret->plugin = value_line(loader, object, "plugin");
	ret->cann = value_line(loader, object, "cann");
	ret->chip = value_line(loader, object, "chip");
	ret->release = value_line(loader, object, "release");
}

void load_observed(struct loader *loader, const cJSON *op, struct result_observed *ret)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(op, "observed");

	*ret = (struct result_observed){ 0 };
	if (!object)
		return;
	ret->where = value_enum(loader, object, "where", &where_words);
	LOAD_LIST(loader, object, "evidence", ret->evidence, ret->evidence_count, load_message);
}

static int64_t load_share(struct loader *loader, const cJSON *score, const char *key)
{
	return cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(score, key)) ? -1 : value_share(loader, score, key);
}

static void load_sum(struct loader *loader, const cJSON *object, struct agreement_sum *ret)
{
	unsigned outcome;

	word_find(&outcome_words, value_word_of(loader, object->string, "counts"), &outcome);
	ret->outcome = outcome;
	ret->operators = value_count(loader, object, "operators");
	ret->calls = value_count(loader, object, "calls");
	ret->device_ns = value_us(loader, object, "device_us");
}

static void load_entry(struct loader *loader, const cJSON *object, struct agreement_entry *ret)
{
	ret->operator_name = value_text(loader, object, "operator");
	ret->outcome = value_enum(loader, object, "outcome", &outcome_words);
	ret->predicted = value_enum(loader, object, "predicted", &predicted_words);
	ret->observed = value_enum(loader, object, "observed", &where_words);
	ret->implied = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "implied"));
	ret->calls = value_count(loader, object, "calls");
	ret->self_device_ns = value_us(loader, object, "self_device_us");
	LOAD_LIST(loader, object, "evidence", ret->evidence, ret->evidence_count, load_message);
}

static void load_agreement(struct loader *loader, const cJSON *object, struct agreement *ret)
{
	const cJSON *score = value_member(loader, object, "score");

	ret->target = value_line(loader, object, "target");
	ret->made_on = value_bool(loader, object, "made_on");
	ret->state = value_enum(loader, object, "state", &agreement_words);
	ret->score.operators_ppm = load_share(loader, score, "operators");
	ret->score.calls_ppm = load_share(loader, score, "calls");
	ret->score.time_ppm = load_share(loader, score, "time");
	LOAD_OBJECT(loader, object, "counts", ret->sums, ret->sum_count, load_sum);
	LOAD_LIST(loader, object, "operators", ret->entries, ret->entry_count, load_entry);
}

void load_agreements(struct loader *loader, const cJSON *root, struct result *ret)
{
	LOAD_LIST(loader, root, "agreement", ret->agreements, ret->agreement_count, load_agreement);
}
