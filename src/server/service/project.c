#include "server/service/project.h"

#include "assess/gate/policy.h"
#include "base/value/utf8.h"

static int check_waivers(struct str text, struct err *err)
{
	struct policy policy;
	size_t bad_at;
	int status = 0;

	policy_init(&policy);
	if (!utf8_valid(text, &bad_at))
		status = err_set(err, ERR_ENCODING, "byte %zu is not UTF-8", bad_at);
	else if (text.len)
		status = policy_add_waivers(&policy, text, STR(PROJECT_WAIVERS_FILE), STR(""), err);
	policy_clear(&policy);
	return status;
}

int project_waivers_changed(struct err *err)
{
	err_set(err, ERR_CHANGED, "the waivers have changed");
	return err_hint(err, "read them again and send the new ETag");
}

int project_set_waivers(const struct service *service, const struct waivers_change *change, struct err *err)
{
	int status = check_waivers(change->text, err);

	if (status)
		return status;
	status = store_set_project_waivers(service->store, change, err);
	return status == 1 ? 0 : status ? status : project_waivers_changed(err);
}
