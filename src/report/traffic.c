#include "report/traffic.h"

#include "base/mem.h"

static void put_collective(struct jsonw *json, const struct result_collective *collective)
{
	jsonw_object(json);
	jsonw_key_str(json, "name", collective->name);
	jsonw_key_str(json, "dtype", collective->dtype);
	jsonw_key_str(json, "group", collective->group);
	jsonw_key_number(json, "ranks", (int64_t)collective->ranks);
	jsonw_key_number(json, "calls", (int64_t)collective->calls);
	jsonw_key_number(json, "in_elements", (int64_t)collective->in_elements);
	jsonw_key_number(json, "out_elements", (int64_t)collective->out_elements);
	jsonw_object_end(json);
}

static void put_copies(struct jsonw *json, const struct result_copies *copies)
{
	jsonw_object(json);
	jsonw_key_str(json, "kind", word_for(&copy_words, copies->kind));
	jsonw_key_number(json, "calls", (int64_t)copies->calls);
	jsonw_key_number(json, "bytes", (int64_t)copies->bytes);
	jsonw_key_decimal(json, "time_us", copies->ns, 3);
	jsonw_object_end(json);
}

void traffic_put_json(struct jsonw *json, const struct result_traffic *traffic)
{
	if (traffic->collective_count) {
		jsonw_key(json, "collectives");
		jsonw_list(json);
		for (size_t i = 0; i < traffic->collective_count; i++)
			put_collective(json, &traffic->collectives[i]);
		jsonw_list_end(json);
	}
	if (traffic->other_collectives)
		jsonw_key_number(json, "other_collectives", (int64_t)traffic->other_collectives);
	if (traffic->copies_count) {
		jsonw_key(json, "copies");
		jsonw_list(json);
		for (size_t i = 0; i < traffic->copies_count; i++)
			put_copies(json, &traffic->copies[i]);
		jsonw_list_end(json);
	}
}

static void load_collective(struct loader *loader, const cJSON *object, struct result_collective *ret)
{
	ret->name = value_text(loader, object, "name");
	ret->dtype = value_text(loader, object, "dtype");
	ret->group = value_text(loader, object, "group");
	ret->ranks = value_count(loader, object, "ranks");
	ret->calls = value_count(loader, object, "calls");
	ret->in_elements = value_count(loader, object, "in_elements");
	ret->out_elements = value_count(loader, object, "out_elements");
}

static void load_copies(struct loader *loader, const cJSON *object, struct result_copies *ret)
{
	ret->kind = value_enum(loader, object, "kind", &copy_words);
	ret->calls = value_count(loader, object, "calls");
	ret->bytes = value_count(loader, object, "bytes");
	ret->ns = value_us(loader, object, "time_us");
}

void traffic_load(struct loader *loader, const cJSON *capture, struct result_traffic *ret)
{
	if (cJSON_HasObjectItem(capture, "collectives"))
		LOAD_LIST(loader, capture, "collectives", ret->collectives, ret->collective_count, load_collective);
	if (cJSON_HasObjectItem(capture, "other_collectives"))
		ret->other_collectives = value_count(loader, capture, "other_collectives");
	if (cJSON_HasObjectItem(capture, "copies"))
		LOAD_LIST(loader, capture, "copies", ret->copies, ret->copies_count, load_copies);
}
