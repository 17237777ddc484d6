#include "server/service/order.h"

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "record/load.h"
#include "record/nested.h"
#include "server/service/fields.h"
#include "server/service/find.h"

static const struct str lang_items[] = { [LANG_EN] = STR("en"), [LANG_ZH_CN] = STR("zh-CN") };
static const struct words lang_words = { lang_items, LANG_COUNT, LANG_EN };

static const struct field fields[] = {
	{ "assessment", &kind_word, AT(order, assessment) },
	{ "input_sha256", &kind_word, AT(order, input_sha256), OPTIONAL },
	{ "input_bytes", &kind_count, AT(order, input_bytes), OPTIONAL },
	{ "stored", &kind_bool, AT(order, stored), OPTIONAL },
	{ "form", &kind_word, AT(order, form), OPTIONAL },
	{ "lang", &kind_enum, AT(order, lang), .words = &lang_words },
	{ "lang_given", &kind_bool, AT(order, lang_given), OPTIONAL },
	{ "fail_on", &kind_text, AT(order, fail_on), OPTIONAL },
	{ "facts", &kind_word, AT(order, facts), OPTIONAL },
	{ "submission", &kind_object, AT(order, submission), .record = &submission_record },
	{ 0 },
};
static const struct record order_record = { sizeof(struct order), fields, .closed = true };

void order_put(const struct order *order, struct job *job)
{
	struct jsonw json = jsonw_start(&job->asked, 0);

	record_put(&json, &order_record, order);
}

int order_give(const struct order *order, struct job *job, struct store *store, struct err *err)
{
	order_put(order, job);
	return job_equip(job, store, err);
}

int order_give_report(struct store *store, struct str id, struct job *job, size_t place, struct err *err)
{
	struct stored_document report = { .id = id, .form = STR("json") };
	int status = store_document(store, &report, &job->arena, err);

	if (status == 0)
		return no_such(err, "assessment");
	return status < 0 ? status : job_give(job, place, report.packed, err);
}

/* Version 0.1 wrote fields: ids, then method, path and parameters of the request. */
static bool read_fields(struct str rest, struct arena *arena, struct order *ret, struct err *err)
{
	struct parameters form = { 0 };
	struct str method, path, file_name, name, value;
	uint64_t lang, lang_given;
	bool whole = field_take(&rest, &ret->assessment) && field_take(&rest, &ret->input_sha256) &&
		     field_take_number(&rest, &ret->input_bytes) && field_take(&rest, &ret->form) &&
		     field_take(&rest, &method) && field_take(&rest, &path) && field_take_number(&rest, &lang) &&
		     field_take_number(&rest, &lang_given) && field_take(&rest, &file_name);

	while (whole && rest.len) {
		whole = field_take(&rest, &name) && field_take(&rest, &value);
		if (whole)
			MEM_PUSH(&form, ((struct parameter){ name, value }));
	}
	whole = whole && !submission_of_form(&form, file_name, arena, &ret->submission, err);
	mem_release(&form.items);
	return whole;
}

int order_read(struct str text, struct arena *arena, struct order *ret, struct err *err)
{
	struct loader loader = { .arena = arena };

	*ret = (struct order){ 0 };
	if (str_starts(text, STR("{")) ? record_read(&loader, text, &order_record, ret)
				       : read_fields(text, arena, ret, err))
		return 0;
	return err_set(err, ERR_STORE_DAMAGED, "the order of a job is damaged");
}
