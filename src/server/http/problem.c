#include "server/http/problem.h"

#include "base/memory/mem.h"
#include "report/doc/sentence.h"

/* Codes that differ from the others of their thousand. */
static const struct {
	int code;
	unsigned status;
} statuses[] = {
	{ ERR_OPERATOR, 404 },
	{ ERR_ADDRESS, 404 },
	{ ERR_METHOD, 405 },
	{ ERR_ACCEPT, 406 },
	{ ERR_ORIGIN, 403 },
	{ ERR_HOST, 421 },
	{ ERR_HTTP, 400 },
	{ ERR_KEY_BUSY, 409 },
	{ ERR_KEY_OTHER, 422 },
	{ ERR_PREFIX, 409 },
	{ ERR_CHANGED, 412 },
	{ ERR_UNCONDITIONAL, 428 },
	{ ERR_TAKEN, 409 },
	{ ERR_TOKEN, 401 },
	{ ERR_SCOPE, 403 },
	{ ERR_RATE, 429 },
	{ ERR_OPEN, 500 },
	{ ERR_DIRECTORY, 500 },
	{ ERR_FORMAT, 415 },
	{ ERR_UNREAD, 415 },
	{ ERR_LIMIT, 413 },
	{ ERR_REPORT, 500 },
	{ ERR_STORE_FULL, 507 },
	{ ERR_JOB, 500 },
	{ ERR_STORE_DAMAGED, 500 },
};

/* Usage, input, database, service, output, defect. */
static const unsigned usual[] = { [2] = 400, [3] = 422, [4] = 503, [5] = 503, [6] = 500, [7] = 500 };

unsigned problem_status(int code)
{
	size_t class = (size_t)code / 1000;

	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		if (statuses[i].code == code)
			return statuses[i].status;
	}
	return class < ARRAY_SIZE(usual) && usual[class] ? usual[class] : SERVER_ERROR;
}

struct str problem_title(enum lang lang, int code)
{
	return catalog_text(lang, str_from(err_name(code)));
}

void problem_put_members(struct jsonw *json, enum lang lang, const struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct str name = str_from(err_name(err->code));
	unsigned status = problem_status(err->code);

	jsonw_fill(json, "'type': '/problems/$', 'title': $", name, problem_title(lang, err->code));
	jsonw_key_number(json, "status", status);
	sentence_put(&text, lang, str_from(err->text));
	jsonw_fill(json, "'detail': $, 'code': $", buf_str(&text), name);
	if (err->hint[0]) {
		buf_reset(&text);
		sentence_put(&text, lang, str_from(err->hint));
		jsonw_key_str(json, "hint", buf_str(&text));
	}
	if (err->where[0] && status < SERVER_ERROR)
		jsonw_key_str(json, "where", str_from(err->where));
}
