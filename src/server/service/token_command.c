#include "server/service/token_command.h"

#include <stdio.h>
#include <time.h>

#include "base/memory/mem.h"
#include "base/setup/limits.h"
#include "base/value/date.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "base/view/ascii.h"

enum { HOUR = 3600, DAY = 24 * HOUR, MOST_DAYS = 36500, NAME_BYTES = 64 };

/* --- adding */

static int take_expiry(struct str text, uint64_t *ret, struct err *err)
{
	uint64_t now = (uint64_t)time(NULL), count;
	int64_t day;

	*ret = 0;
	if (!text.len)
		return 0;
	if (date_has_shape(text) && date_days(text, &day)) {
		*ret = day > 0 ? (uint64_t)day * DAY : 0;
	} else if (decimal_unsigned(str_chop(text, 1), &count) && count <= MOST_DAYS * (DAY / HOUR)) {
		*ret = str_ends(text, STR("d")) ? now + count * DAY : str_ends(text, STR("h")) ? now + count * HOUR : 0;
	}
	if (*ret > now)
		return 0;
	err_set(err, ERR_VALUE, "'%s' is not in the future", shown(text).text);
	return err_hint(err, "give a date (2027-01-31), days (90d) or hours (12h)");
}

static int check_word(const char *option, struct str text, struct err *err)
{
	if (text.len > NAME_BYTES)
		return err_set(err, ERR_VALUE, "--%s has more than %d bytes", option, NAME_BYTES);
	if (ANY(i, text.len, !is_word(text.ptr[i]) && !strchr("-.@+/ ", text.ptr[i])))
		return err_set(err, ERR_VALUE, "--%s takes letters, digits and -.@+/_", option);
	return 0;
}

/* By the limit that the number takes the place of. */
static int take_allowance(struct str text, const char *limit, uint64_t *ret, struct err *err)
{
	struct limits limits = limits_default();
	char assignment[2 * NAME_BYTES];

	*ret = 0;
	if (!text.len)
		return 0;
	snprintf(assignment, sizeof(assignment), "%s=%.*s", limit, STR_ARG(text));
	for (size_t i = 0; i < limit_key_count; i++) {
		if (strcmp(limit_keys[i].name, limit) == 0) {
			int status = limits_set(&limits, str_from(assignment), err);

			*ret = limits_get(&limits, &limit_keys[i]);
			return status;
		}
	}
	return 0;
}

int token_take(const struct token_options *options, struct token *ret, struct err *err)
{
	static const struct str scopes[] = { STR("read"), STR("submit"), STR("admin") };
	int status = check_word("name", options->name, err);

	*ret = (struct token){ .name = options->name, .project = options->project, .parent = STR("") };
	if (!status)
		status = check_word("project", options->project, err);
	if (!status)
		status = take_expiry(options->expires, &ret->expires_at, err);
	if (!status)
		status = take_allowance(options->requests, "minute-requests", &ret->minute_requests, err);
	if (!status)
		status = take_allowance(options->bytes, "hour-bytes", &ret->hour_bytes, err);
	if (!status)
		status = take_allowance(options->jobs, "caller-jobs", &ret->jobs, err);
	ret->scope = options->scope;
	if (status || STR_IS_AMONG(scopes, ARRAY_SIZE(scopes), options->scope))
		return status;
	err_set(err, options->scope.len ? ERR_VALUE : ERR_ARGUMENT, "a token needs a scope");
	return err_hint(err, "give --scope read, submit (which may read, too) or admin");
}

struct str token_id(const char text[TOKEN_TEXT_BYTES])
{
	return str_sub(str_from(text), TOKEN_ID_AT, TOKEN_ID_AT + TOKEN_ID_BYTES - 1);
}

static int add_token(struct tokens *tokens, const struct token_options *options, struct err *err)
{
	char text[TOKEN_TEXT_BYTES];
	struct token token;
	int status = token_take(options, &token, err);

	if (!status)
		status = tokens_add(tokens, &token, text, err);
	if (!status)
		status = tokens_note(tokens, "token add", token_id(text), err);
	if (status)
		return status;
	puts(text);
	fputs("opcheckd: nobody can show this token again\n", stderr);
	return 0;
}

/* --- listing */

static void put_day(uint64_t seconds, const char *never)
{
	char text[DATE_BYTES];

	printf("%-11s", seconds && date_of(seconds, text) ? text : never);
}

static void print_token(void *ctx, const struct token *token)
{
	uint64_t now = *(const uint64_t *)ctx;
	bool expired = token->expires_at && token->expires_at <= now;

	printf("%.*s %-7.*s", STR_ARG(token->id), STR_ARG(token->scope));
	put_day(token->created_at, "-");
	put_day(token->expires_at, "never");
	put_day(token->last_used_at, "-");
	printf("%-8s %s %s\n",
		token->revoked_at ? "revoked"
		: expired         ? "expired"
				  : "valid",
		token->project.len ? shown(token->project).text : "-", token->name.len ? shown(token->name).text : "-");
}

/* --- revoking */

static int revoke_token(struct tokens *tokens, const struct arguments *arguments, struct err *err)
{
	struct str id = str_from(arguments->items[2]);
	int status = tokens_revoke(tokens, id, err);

	if (status)
		return status < 0 ? status : tokens_note(tokens, "token revoke", id, err);
	err_set(err, ERR_ARGUMENT, "unknown token '%s'", shown(id).text);
	return err_hint(err, "`opcheckd token list` has the ids");
}

int token_command(const struct store_place *place, const struct token_options *options,
	const struct arguments *arguments, struct err *err)
{
	struct str verb = str_from(arguments->count > 1 ? arguments->items[1] : "");
	bool add = str_eq(verb, STR("add")), list = str_eq(verb, STR("list")), revoke = str_eq(verb, STR("revoke"));
	struct tokens *tokens = NULL;
	uint64_t now = (uint64_t)time(NULL);
	int status;

	if (arguments->count != (revoke ? 3 : 2) || !(add || list || revoke)) {
		err_set(err, ERR_COMMAND, "token needs add, list or revoke ID");
		return err_hint(err, "for example opcheckd token add --scope submit --name ci --expires 90d");
	}
	status = tokens_open(place, true, &tokens, err);
	if (!status && list)
		puts("id           scope  created    expires    used       state    project name");
	if (!status)
		status = add    ? add_token(tokens, options, err)
			 : list ? tokens_list(tokens, print_token, &now, err)
				: revoke_token(tokens, arguments, err);
	tokens_close(tokens);
	return status;
}
