#include "cli/shared/reply.h"

#include "json/walk.h"
#include "record/kinds.h"
#include "record/load.h"
#include "record/nested.h"

/* clang-format off */

static const struct record problem_record = { sizeof(struct problem), (const struct field[]){
	{ "code", &kind_text, AT(problem, code), OPTIONAL },
	{ "detail", &kind_text, AT(problem, detail), OPTIONAL },
	{ "hint", &kind_text, AT(problem, hint), OPTIONAL },
	{ "where", &kind_text, AT(problem, where), OPTIONAL },
	{ 0 } } };

static const struct record links_record = { sizeof(struct reply), (const struct field[]){
	{ "self", &kind_text, AT(reply, self), OPTIONAL },
	{ "result", &kind_text, AT(reply, result), OPTIONAL },
	{ 0 } } };

static const struct record progress_record = { sizeof(struct reply), (const struct field[]){
	{ "read_bytes", &kind_count, AT(reply, read_bytes), OPTIONAL },
	{ "input_bytes", &kind_count, AT(reply, input_bytes), OPTIONAL },
	{ 0 } } };

static const struct record reply_record = { sizeof(struct reply), (const struct field[]){
	{ "id", &kind_text, AT(reply, id), OPTIONAL },
	{ "status", &kind_text, AT(reply, status), OPTIONAL },
	{ "links", &kind_object, .flags = OPTIONAL, .record = &links_record },
	{ "progress", &kind_object, .flags = PRESENCE, .when = AT(reply, has_progress), .record = &progress_record },
	{ "problem", &kind_object, AT(reply, job), OPTIONAL, .record = &problem_record },
	{ "of_request", &kind_inline, AT(reply, problem), .record = &problem_record },
	{ 0 } } };

/* clang-format on */

void reply_read(struct reply *ret, struct str json, struct arena *arena)
{
	struct loader loader = { .arena = arena };

	*ret = (struct reply){ 0 };
	record_read(&loader, json, &reply_record, ret);
	if (loader.bad_at != SIZE_MAX)
		record_load(&loader, &reply_record, &JSON_ABSENT, ret);
}
